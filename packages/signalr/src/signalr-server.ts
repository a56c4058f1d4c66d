import type { SecureContextOptions } from 'node:tls';
import { createClassicFamily } from './classic/classic-family.ts';
import { createConnectionTokens } from './connection-token.ts';
import { createCoreFamily } from './core/core-family.ts';
import { type DrainOptions, drainConnections } from './drain.ts';
import type { Counters, FamilyContext, FamilyEntrance, Log } from './family.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { createFramer } from './framed-message.ts';
import { startHeartbeat, type Timers } from './heartbeat.ts';
import type { Authenticate, Family, Hub, HubConnection, Transport } from './hub.ts';
import { Admission, defaultLimits, type Limits } from './limits.ts';
import { silentLog } from './log.ts';
import { createOrigins } from './origin.ts';
import { createWebSocketAcceptor } from './transports/web-socket-sink.ts';

export type SignalrServerOptions<User> = {
  readonly hub: Hub<User>;
  readonly authenticate: Authenticate<User>;
  /** Shared by all nodes, 16 characters at least. Of several the first seals and all open. */
  readonly secret: string | readonly string[];
  /** Where other nodes reach this one, such as `http://10.0.0.7:8080` or `https://node-1.example:8443`. */
  readonly nodeAddress: string;
  /** Whom to trust, and what to show, when other nodes are reached over https; asked for each request. */
  readonly nodeTls?: () => SecureContextOptions;
  /** Pages of these origins may connect, besides those of the same host. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly log?: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly timers?: Timers;
};

export type SignalrCounts = Counters & {
  /** Now, those before their handshake included. */
  readonly connections: number;
  readonly withoutHandshake: number;
  readonly broadcastsWaiting: number;
  /** Now, by family and transport. */
  readonly open: Readonly<Record<`${Family}.${Transport}`, number>>;
};

export type SignalrServer<User> = {
  readonly core: FamilyEntrance;
  readonly classic: FamilyEntrance;
  /** All that have joined. */
  connections(): ReadonlySet<HubConnection<User>>;
  counts(): SignalrCounts;
  readonly fanOut: FanOut;
  /** Lets nobody new in and sends everybody away, to come back elsewhere. */
  drain(options?: DrainOptions): Promise<void>;
  /** Ends at once. */
  close(): Promise<void>;
};

/** A hub for clients of both families. */
export function createSignalrServer<User>(options: SignalrServerOptions<User>): SignalrServer<User> {
  const context = contextOf(options);
  const { admission, connections, counters, heartbeat, log } = context;
  const fanOut = createFanOut({
    onError: (error) => log.error({ err: error }, 'hub message could not be made'),
  });
  const drain = async (how: DrainOptions = { overMs: 5_000 }) => {
    admission.drain();
    await drainConnections(connections, how);
  };
  return {
    core: createCoreFamily(context),
    classic: createClassicFamily(context),
    connections: () => connections,
    counts: () => ({
      ...counters,
      connections: admission.connections,
      withoutHandshake: admission.withoutHandshake,
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

function contextOf<User>(options: SignalrServerOptions<User>): FamilyContext<User> {
  const { hub, authenticate, secret, nodeAddress, allowedOrigins = [], clock, log = silentLog } = options;
  const { nodeTls = () => ({}) } = options;
  const warn = onceAMinute(clock, (fields) =>
    log.warn(fields, 'node not trusted: its certificate is not good'),
  );
  const limits = { ...defaultLimits, ...options.limits };
  const onError = (error: unknown) => log.error({ err: error }, 'hub heartbeat failed');
  return {
    hub,
    authenticate,
    secret,
    tokens: createConnectionTokens(secret),
    nodeAddress,
    ownerAt: (address) => ({
      address,
      tls: nodeTls(),
      onUntrusted: (error) => warn({ err: error, node: address }),
    }),
    origins: createOrigins(allowedOrigins),
    limits,
    admission: new Admission(limits, clock),
    heartbeat: startHeartbeat({ clock, timers: options.timers, onError }),
    framer: createFramer(hub.name),
    acceptWebSocket: createWebSocketAcceptor({ maxPayload: limits.bodyBytes }),
    connections: new Set(),
    counters: { negotiated: 0, opened: 0, closed: 0, tooSlow: 0, received: 0, forwarded: 0, adopted: 0 },
    log,
    clock,
  };
}

/** One node that is not what it should be could otherwise fill the log. */
function onceAMinute(clock: () => number, warn: (fields: object) => void): (fields: object) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (fields) => {
    if (clock() - warnedAt < 60_000) return;
    warnedAt = clock();
    warn(fields);
  };
}

function countOpen<User>(connections: ReadonlySet<HubConnection<User>>): SignalrCounts['open'] {
  const open = {
    'core.webSockets': 0,
    'core.serverSentEvents': 0,
    'core.longPolling': 0,
    'classic.webSockets': 0,
    'classic.serverSentEvents': 0,
    'classic.longPolling': 0,
  };
  for (const { family, transport } of connections) open[`${family}.${transport}`] += 1;
  return open;
}
