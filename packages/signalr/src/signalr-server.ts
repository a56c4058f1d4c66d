import type { SecureContextOptions } from 'node:tls';
import { createClassicEndpoint } from './classic/classic-endpoint.ts';
import { createCoreEndpoint } from './core/core-endpoint.ts';
import { createCorsPolicy } from './http/cors.ts';
import type { Authenticate, Hub, HubConnection, SignalRGeneration, TransportType } from './hub/hub.ts';
import { type Log, silentLog } from './hub/log.ts';
import { AdmissionControl } from './runtime/admission-control.ts';
import type { Counters } from './runtime/counters.ts';
import { type DrainOptions, drainConnections } from './runtime/drain-connections.ts';
import { createFanOut, type FanOut } from './runtime/fan-out.ts';
import { startHeartbeat, type Timers } from './runtime/heartbeat.ts';
import type { HubEndpoint } from './runtime/hub-endpoint.ts';
import { defaultLimits, type Limits } from './runtime/limits.ts';
import { createFramer } from './runtime/message-framer.ts';
import type { ServerContext } from './runtime/server-context.ts';
import { createConnectionTokens } from './tokens/connection-token.ts';
import { createWebSocketAcceptor } from './transports/web-socket-transport.ts';

export type SignalRServerOptions<User> = {
  readonly hub: Hub<User>;
  readonly authenticate: Authenticate<User>;
  /** Shared by all nodes, at least 16 characters. Of several, the first encrypts tokens and all decrypt them. */
  readonly secret: string | readonly string[];
  /** The address at which other nodes reach this one, such as `http://10.0.0.7:8080` or `https://node-1.example:8443`. */
  readonly nodeAddress: string;
  /** The trusted CA and the own certificate for https between nodes. Called for each forwarded request. */
  readonly nodeTls?: () => SecureContextOptions;
  /** Origins whose pages may connect, besides the origin of the server itself. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly log?: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly timers?: Timers;
};

export type SignalRCounts = Counters & {
  /** Current connections, including those with a pending handshake. */
  readonly connections: number;
  readonly pendingHandshakes: number;
  readonly broadcastsWaiting: number;
  /** Current connections by generation and transport. */
  readonly open: Readonly<Record<`${SignalRGeneration}.${TransportType}`, number>>;
};

export type SignalRServer<User> = {
  readonly core: HubEndpoint;
  readonly classic: HubEndpoint;
  /** All connections after their handshake. */
  connections(): ReadonlySet<HubConnection<User>>;
  counts(): SignalRCounts;
  readonly fanOut: FanOut;
  /** Refuses new connections and closes the current ones, so that clients reconnect to another node. */
  drain(options?: DrainOptions): Promise<void>;
  /** Closes all connections at once and stops the heartbeat. */
  close(): Promise<void>;
};

/** Creates a server for ASP.NET Core SignalR and ASP.NET SignalR 2 clients of one hub. */
export function createSignalRServer<User>(options: SignalRServerOptions<User>): SignalRServer<User> {
  const context = createContext(options);
  const { admission, connections, counters, heartbeat, log } = context;
  const fanOut = createFanOut({
    onError: (error) => log.error({ err: error }, 'hub message could not be created'),
  });
  const drain = async (drainOptions: DrainOptions = { overMs: 5_000 }) => {
    admission.drain();
    await drainConnections(connections, drainOptions);
  };
  return {
    core: createCoreEndpoint(context),
    classic: createClassicEndpoint(context),
    connections: () => connections,
    counts: () => ({
      ...counters,
      connections: admission.connections,
      pendingHandshakes: admission.pendingHandshakes,
      broadcastsWaiting: fanOut.waiting,
      open: countOpen(connections),
    }),
    fanOut,
    drain,
    close: async () => {
      await drain({ overMs: 0 });
      heartbeat.stop();
    },
  };
}

function createContext<User>(options: SignalRServerOptions<User>): ServerContext<User> {
  const { hub, authenticate, secret, nodeAddress, allowedOrigins = [], clock, log = silentLog } = options;
  const { nodeTls = () => ({}) } = options;
  const warn = oncePerMinute(clock, (fields) =>
    log.warn(fields, 'node not trusted: its certificate is invalid'),
  );
  const limits = { ...defaultLimits, ...options.limits };
  const onError = (error: unknown) => log.error({ err: error }, 'hub heartbeat failed');
  return {
    hub,
    authenticate,
    secret,
    tokens: createConnectionTokens(secret),
    nodeAddress,
    targetNodeAt: (address) => ({
      address,
      tls: nodeTls(),
      onUntrusted: (error) => warn({ err: error, node: address }),
    }),
    cors: createCorsPolicy(allowedOrigins),
    limits,
    admission: new AdmissionControl(limits, clock),
    heartbeat: startHeartbeat({ clock, timers: options.timers, onError }),
    framer: createFramer(hub.name),
    acceptWebSocket: createWebSocketAcceptor({ maxPayload: limits.maxRequestBodyBytes }),
    connections: new Set(),
    counters: { negotiated: 0, opened: 0, closed: 0, tooSlow: 0, received: 0, forwarded: 0, adopted: 0 },
    log,
    clock,
  };
}

/** Limits the warning to once a minute, so that one untrusted node cannot fill the log. */
function oncePerMinute(clock: () => number, warn: (fields: object) => void): (fields: object) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (fields) => {
    if (clock() - warnedAt < 60_000) return;
    warnedAt = clock();
    warn(fields);
  };
}

function countOpen<User>(connections: ReadonlySet<HubConnection<User>>): SignalRCounts['open'] {
  const open = {
    'core.webSockets': 0,
    'core.serverSentEvents': 0,
    'core.longPolling': 0,
    'classic.webSockets': 0,
    'classic.serverSentEvents': 0,
    'classic.longPolling': 0,
  };
  for (const { generation, transportType } of connections) open[`${generation}.${transportType}`] += 1;
  return open;
}
