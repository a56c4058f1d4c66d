import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test as base } from 'vitest';
import { createConnectionTokens } from '../connection-token.ts';
import type { FamilyContext } from '../family.ts';
import { createFramer } from '../framed-message.ts';
import { startHeartbeat } from '../heartbeat.ts';
import type { Authenticate } from '../hub.ts';
import { Admission, defaultLimits, type Limits } from '../limits.ts';
import { createOrigins } from '../origin.ts';
import { createWebSocketAcceptor } from '../transports/web-socket-sink.ts';
import type { ClassicOptions } from './classic-desk.ts';
import { createClassicFamily } from './classic-family.ts';
import {
  createPlantLog,
  createTestHub,
  type PlantLog,
  type TestHub,
  type TestUser,
} from './plant-log.fixture.ts';

export type ClassicNode = {
  /** Such as `http://127.0.0.1:4711`; the family is at `/signalr` below it. */
  readonly address: string;
  readonly port: number;
  readonly hub: TestHub;
  readonly context: FamilyContext<TestUser>;
  /** Requests so far: verb and path without query. */
  readonly requests: readonly string[];
  /** Lets time pass for the server only; what it writes meanwhile gets a chance to leave. */
  pass(ms: number): Promise<void>;
  /** Breaks all connections without a word. */
  cut(): void;
  /** Breaks everything and listens no more. */
  kill(): Promise<void>;
};

export type NodeSettings = ClassicOptions & {
  readonly log?: PlantLog;
  readonly limits?: Partial<Limits>;
  readonly origins?: readonly string[];
  readonly port?: number;
  readonly base?: string;
};

/** Who holds which token. The last one's ends soon. */
const people: Record<string, string> = { 'anna-token': 'anna', 'bert-token': 'bert', 'short-token': 'anna' };

function authenticateBy(clock: () => number): Authenticate<TestUser> {
  return async (request) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const header = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const token = header ?? query.get('access_token') ?? '';
    const name = people[token];
    if (name === undefined) return { status: 401, reason: 'a token is needed' };
    const expiresAt = token === 'short-token' ? expiryOf(clock()) : undefined;
    return { user: { name }, key: `user:${name}`, expiresAt };
  };
}

/** Ends with the minute. */
function expiryOf(now: number): number {
  return Math.floor(now / 60_000) * 60_000 + 60_000;
}

async function startNode(settings: NodeSettings = {}): Promise<ClassicNode> {
  let now = 0;
  let beat: () => void = () => undefined;
  const clock = () => now;
  const hub = createTestHub(settings.log ?? createPlantLog());
  const limits = { ...defaultLimits, ...settings.limits };
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await listen(server, settings.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const secret = 'a secret for tests only';
  const context: FamilyContext<TestUser> = {
    hub,
    authenticate: authenticateBy(clock),
    secret,
    tokens: createConnectionTokens(secret),
    nodeAddress: address,
    ownerAt: (owner) => ({ address: owner, tls: {}, onUntrusted: () => undefined }),
    origins: createOrigins(settings.origins ?? []),
    limits,
    admission: new Admission(limits, clock),
    heartbeat: startHeartbeat({
      clock,
      timers: {
        every: (_, run) => {
          beat = run;
          return () => undefined;
        },
      },
      onError: (error) => {
        throw error;
      },
    }),
    framer: createFramer(hub.name),
    acceptWebSocket: createWebSocketAcceptor({ maxPayload: limits.bodyBytes }),
    connections: new Set(),
    counters: { negotiated: 0, opened: 0, closed: 0, tooSlow: 0, received: 0, forwarded: 0, adopted: 0 },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    clock,
  };
  const family = createClassicFamily(context, settings);
  const mount = `${settings.base ?? ''}/signalr`;
  const pathOf = (url = '') => new URL(url, 'http://localhost').pathname.slice(mount.length);
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${pathOf(request.url)}`);
    void family.handle(request, response, pathOf(request.url));
  });
  server.on('upgrade', (request, socket, head) => {
    requests.push(`WS ${pathOf(request.url)}`);
    void family.upgrade(request, socket, head, pathOf(request.url));
  });
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      now += Math.min(left, 1_000);
      beat();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const kill = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });
  return { address, port, hub, context, requests, pass, cut, kill };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** `test` with `log`, one plant's alarms, and `start`, which starts nodes on it that end with the test. */
export const test = base
  .extend('log', () => createPlantLog())
  .extend('start', ({ log }, { onCleanup }) => {
    const nodes: ClassicNode[] = [];
    onCleanup(async () => void (await Promise.all(nodes.map((node) => node.kill()))));
    return async (settings: NodeSettings = {}): Promise<ClassicNode> => {
      const node = await startNode({ log, ...settings });
      nodes.push(node);
      return node;
    };
  });
