import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Authenticate } from '../hub/hub.ts';
import type { Timers } from '../runtime/heartbeat.ts';
import type { Limits } from '../runtime/limits.ts';
import { createSignalRServer, type SignalRServer } from '../signalr-server.ts';
import { createTestHub, type TestHub } from './test-hub.ts';

export type HubServer = {
  /** The URL of the Core endpoint. */
  readonly url: string;
  readonly origin: string;
  readonly hub: TestHub;
  readonly signalr: SignalRServer<string>;
  readonly sockets: Set<Socket>;
  /** Advances the clock and the heartbeat of the server, which do not run otherwise. */
  advance(ms: number): void;
  stop(): Promise<void>;
};

export type HubServerOptions = {
  readonly limits?: Partial<Limits>;
  readonly allowedOrigins?: readonly string[];
  readonly authenticate?: Authenticate<string>;
  readonly secret?: string;
};

const revoked = 'revoked';

/** The token is the user name, optionally with an expiry: `name` or `name_expiry`. */
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

/** Serves Core clients at `/alarmHub` and classic clients at `/signalr`, on a free port. */
export async function startHubServer(options: HubServerOptions = {}): Promise<HubServer> {
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hub = createTestHub();
  const time = manualTime();
  const signalr = createSignalRServer({
    hub,
    authenticate: options.authenticate ?? authenticateByName,
    secret: options.secret ?? 'a secret for tests only',
    nodeAddress: origin,
    allowedOrigins: options.allowedOrigins ?? [],
    limits: { maxNegotiatesPerMinute: 1e6, maxMessagesPerSecond: 1e6, ...options.limits },
    clock: time.clock,
    timers: time.timers,
  });
  mount(server, signalr);
  const stop = async () => {
    await signalr.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `${origin}/alarmHub`, origin, hub, signalr, sockets, advance: time.advance, stop };
}

/** Starts a server that stops with the test. */
export async function hubServer(options?: HubServerOptions): Promise<HubServer> {
  const server = await startHubServer(options);
  onTestFinished(() => server.stop());
  return server;
}

/** A manual clock with one heartbeat per second. */
function manualTime() {
  let now = 1_700_000_000_000;
  const callbacks = new Set<() => void>();
  const timers: Timers = {
    every: (_, run) => {
      callbacks.add(run);
      return () => void callbacks.delete(run);
    },
  };
  const advance = (ms: number) => {
    for (let remaining = ms; remaining > 0; remaining -= 1_000) {
      now += Math.min(1_000, remaining);
      for (const run of callbacks) run();
    }
  };
  return { clock: () => now, timers, advance };
}

function mount(server: Server, { core, classic }: SignalRServer<string>): void {
  const split = (url = '') => {
    const path = url.split('?')[0] ?? '';
    const prefix = path.startsWith('/signalr') ? '/signalr' : '/alarmHub';
    return { endpoint: prefix === '/signalr' ? classic : core, subpath: path.slice(prefix.length) };
  };
  server.on('request', (request, response) => {
    const { endpoint, subpath } = split(request.url);
    void endpoint.handle(request, response, subpath);
  });
  server.on('upgrade', (request, socket, head) => {
    const { endpoint, subpath } = split(request.url);
    void endpoint.upgrade(request, socket, head, subpath);
  });
}
