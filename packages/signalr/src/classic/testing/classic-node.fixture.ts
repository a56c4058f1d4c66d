import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test as base } from 'vitest';
import { createCorsPolicy } from '../../http/cors.ts';
import type { Authenticate } from '../../hub/hub.ts';
import { AdmissionControl } from '../../runtime/admission-control.ts';
import { startHeartbeat } from '../../runtime/heartbeat.ts';
import { defaultLimits, type Limits } from '../../runtime/limits.ts';
import { createFramer } from '../../runtime/message-framer.ts';
import type { ServerContext } from '../../runtime/server-context.ts';
import { createConnectionTokens } from '../../tokens/connection-token.ts';
import { createWebSocketAcceptor } from '../../transports/web-socket-transport.ts';
import type { ClassicOptions } from '../classic-context.ts';
import { createClassicEndpoint } from '../classic-endpoint.ts';
import {
  type AlarmLog,
  createAlarmLog,
  createTestHub,
  type TestHub,
  type TestUser,
} from './alarm-log.fixture.ts';

export type ClassicNode = {
  /** Such as `http://127.0.0.1:4711`. The classic endpoint is mounted at `/signalr`. */
  readonly address: string;
  readonly port: number;
  readonly hub: TestHub;
  readonly context: ServerContext<TestUser>;
  /** The requests so far, as method and path. */
  readonly requests: readonly string[];
  /** Advances the clock of the server; pending writes are sent meanwhile. */
  advance(ms: number): Promise<void>;
  /** Resets all sockets. */
  resetSockets(): void;
  /** Resets all sockets and stops listening. */
  kill(): Promise<void>;
};

export type NodeSettings = ClassicOptions & {
  readonly log?: AlarmLog;
  readonly limits?: Partial<Limits>;
  readonly origins?: readonly string[];
  readonly port?: number;
  readonly base?: string;
};

/** Users by token. The last token expires soon. */
const users: Record<string, string> = { 'anna-token': 'anna', 'bert-token': 'bert', 'short-token': 'anna' };

function authenticateBy(clock: () => number): Authenticate<TestUser> {
  return async (request) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const header = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const token = header ?? query.get('access_token') ?? '';
    const name = users[token];
    if (name === undefined) return { status: 401, reason: 'a token is needed' };
    const expiresAt = token === 'short-token' ? expiryOf(clock()) : undefined;
    return { user: { name }, key: `user:${name}`, expiresAt };
  };
}

/** The end of the current minute. */
function expiryOf(now: number): number {
  return Math.floor(now / 60_000) * 60_000 + 60_000;
}

async function startNode(settings: NodeSettings = {}): Promise<ClassicNode> {
  let now = 0;
  let runHeartbeat: () => void = () => undefined;
  const clock = () => now;
  const hub = createTestHub(settings.log ?? createAlarmLog());
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
  const context: ServerContext<TestUser> = {
    hub,
    authenticate: authenticateBy(clock),
    secret,
    tokens: createConnectionTokens(secret),
    nodeAddress: address,
    targetNodeAt: (owner) => ({ address: owner, tls: {}, onUntrusted: () => undefined }),
    cors: createCorsPolicy(settings.origins ?? []),
    limits,
    admission: new AdmissionControl(limits, clock),
    heartbeat: startHeartbeat({
      clock,
      timers: {
        every: (_, run) => {
          runHeartbeat = run;
          return () => undefined;
        },
      },
      onError: (error) => {
        throw error;
      },
    }),
    framer: createFramer(hub.name),
    acceptWebSocket: createWebSocketAcceptor({ maxPayload: limits.maxRequestBodyBytes }),
    connections: new Set(),
    counters: { negotiated: 0, opened: 0, closed: 0, tooSlow: 0, received: 0, forwarded: 0, adopted: 0 },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    clock,
  };
  const endpoint = createClassicEndpoint(context, settings);
  const mount = `${settings.base ?? ''}/signalr`;
  const pathOf = (url = '') => new URL(url, 'http://localhost').pathname.slice(mount.length);
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${pathOf(request.url)}`);
    void endpoint.handle(request, response, pathOf(request.url));
  });
  server.on('upgrade', (request, socket, head) => {
    requests.push(`WS ${pathOf(request.url)}`);
    void endpoint.upgrade(request, socket, head, pathOf(request.url));
  });
  const resetSockets = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const advance = async (ms: number) => {
    for (let remaining = ms; remaining > 0; remaining -= 1_000) {
      now += Math.min(remaining, 1_000);
      runHeartbeat();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const kill = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      resetSockets();
    });
  return { address, port, hub, context, requests, advance, resetSockets, kill };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** `test` with an alarm log `log` and with `start`, which starts nodes that use the log and stop with the test. */
export const test = base
  .extend('log', () => createAlarmLog())
  .extend('start', ({ log }, { onCleanup }) => {
    const nodes: ClassicNode[] = [];
    onCleanup(async () => void (await Promise.all(nodes.map((node) => node.kill()))));
    return async (settings: NodeSettings = {}): Promise<ClassicNode> => {
      const node = await startNode({ log, ...settings });
      nodes.push(node);
      return node;
    };
  });
