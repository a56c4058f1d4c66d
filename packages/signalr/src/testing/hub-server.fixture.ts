import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Timers } from '../heartbeat.ts';
import type { Authenticate } from '../hub.ts';
import type { Limits } from '../limits.ts';
import { createSignalrServer, type SignalrServer } from '../signalr-server.ts';
import { createWatchHub, type WatchHub } from './watch-hub.ts';

export type HubServer = {
  /** Of the Core hub. */
  readonly url: string;
  readonly origin: string;
  readonly hub: WatchHub;
  readonly signalr: SignalrServer<string>;
  readonly sockets: Set<Socket>;
  /** Lets time pass for the hub: its clock and its heartbeat stand still otherwise. */
  pass(ms: number): void;
  stop(): Promise<void>;
};

export type HubServerOptions = {
  readonly limits?: Partial<Limits>;
  readonly allowedOrigins?: readonly string[];
  readonly authenticate?: Authenticate<string>;
  readonly secret?: string;
};

const revoked = 'revoked';

/** The token is the user: `name`, or `name_expiry`. */
const authenticateByName: Authenticate<string> = async (request) => {
  const token = bearerOf(request) ?? queryTokenOf(request);
  if (token === undefined || token === revoked) return { status: 401, reason: 'No token' };
  const [user = '', expiry] = token.split('_');
  return { user, key: user, expiresAt: expiry === undefined ? undefined : Number(expiry) };
};

function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}

function queryTokenOf({ url = '' }: IncomingMessage): string | undefined {
  return new URL(url, 'http://hub').searchParams.get('access_token') ?? undefined;
}

/** Core at `/alarmHub` and classic at `/signalr`, on a port of its own. */
export async function startHubServer(options: HubServerOptions = {}): Promise<HubServer> {
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hub = createWatchHub();
  const time = manualTime();
  const signalr = createSignalrServer({
    hub,
    authenticate: options.authenticate ?? authenticateByName,
    secret: options.secret ?? 'a secret for tests only',
    nodeAddress: origin,
    allowedOrigins: options.allowedOrigins ?? [],
    limits: { negotiatesPerMinute: 1e6, messagesPerSecond: 1e6, ...options.limits },
    clock: time.clock,
    timers: time.timers,
  });
  mount(server, signalr);
  const stop = async () => {
    await signalr.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `${origin}/alarmHub`, origin, hub, signalr, sockets, pass: time.pass, stop };
}

/** Ends with the test. */
export async function hubServer(options?: HubServerOptions): Promise<HubServer> {
  const server = await startHubServer(options);
  onTestFinished(() => server.stop());
  return server;
}

/** A clock that moves when told, with a beat each second of it. */
function manualTime() {
  let now = 1_700_000_000_000;
  const beats = new Set<() => void>();
  const timers: Timers = {
    every: (_, run) => {
      beats.add(run);
      return () => void beats.delete(run);
    },
  };
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      now += Math.min(1_000, left);
      for (const beat of beats) beat();
    }
  };
  return { clock: () => now, timers, pass };
}

function mount(server: Server, { core, classic }: SignalrServer<string>): void {
  const split = (url = '') => {
    const path = url.split('?')[0] ?? '';
    const prefix = path.startsWith('/signalr') ? '/signalr' : '/alarmHub';
    return { family: prefix === '/signalr' ? classic : core, rest: path.slice(prefix.length) };
  };
  server.on('request', (request, response) => {
    const { family, rest } = split(request.url);
    void family.handle(request, response, rest);
  });
  server.on('upgrade', (request, socket, head) => {
    const { family, rest } = split(request.url);
    void family.upgrade(request, socket, head, rest);
  });
}
