import type { SecureContextOptions } from 'node:tls';
import { createSignalRServer, type FanOut, type SignalRServer } from '@tocsin/signalr';
import type { Registry } from 'prom-client';
import { createSemaphore } from '../common/semaphore.ts';
import type { Authenticate } from '../http/authorization.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { installationSecret } from '../identity/tokens/installation-secrets.ts';
import { newSecret } from '../identity/tokens/secret.ts';
import type { JournalEntry } from '../journal/journal.store.ts';
import { coalesceReads } from '../postgres/coalesce-reads.ts';
import type { Database } from '../postgres/database.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { type Credential, readAccess } from './access/access-status.store.ts';
import { authenticateHub } from './access/authenticate-hub.ts';
import { checkAccess, closeReasonOf, credentialOf } from './access/check-access.ts';
import type { HubUser } from './access/hub-user.ts';
import { AlarmHub } from './alarm.hub.ts';
import {
  listTenantsWithCallEvents,
  readCallEvents,
  readCallEventsPosition,
} from './call-events/call-event-feed.store.ts';
import { CallEventFeed } from './call-events/call-event-feed.ts';
import { AlarmFeed, type AlarmFeedParts } from './feed/alarm-feed.ts';
import {
  type KnownEntry,
  type RememberedJournal,
  readEnds,
  readFeed,
  readFork,
  readJournalStates,
  readOldestOf,
} from './feed/feed.store.ts';
import { createHubMetrics, watchHub } from './feed/hub-metrics.ts';
import type { JournalRange } from './feed/journal-pages.ts';
import { readTagReach } from './feed/tag-reach.store.ts';
import type { HubEndpoints } from './hub.routes.ts';
import { type NatsAccess, noBus, openNats } from './nodes/nats.channel.ts';
import { openNodeMessages } from './nodes/node-messages.ts';
import type { CallEventsPosition } from './subscriptions/call-event.ts';

export type HubSettings = {
  readonly authenticate: Authenticate;
  readonly registry: Registry;
  /** NATS, which connects the servers of the installation; undefined for a single server. */
  readonly nats: NatsAccess | undefined;
  /** TLS options for requests to other servers. */
  readonly nodeTls: (() => SecureContextOptions) | undefined;
  readonly origins: readonly string[];
  readonly connections: number;
  readonly connectionsPerCaller: number;
  readonly requestsPerSecond: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
};

export type AlarmHubServer = {
  /** The writer calls this with the entries that it has committed. */
  onCommitted(tenantId: number, entries: readonly JournalEntry[]): void;
  /** Called when call events, which include sounds, were committed. */
  onCallEvents(tenantId: number): void;
  endpoints(): HubEndpoints;
  /** Accepts connections, once the address at which other servers reach this one is known. */
  start(nodeAddress: string): void;
  /** Closes the connections whose rights have ended or changed. */
  checkAccess(): Promise<void>;
  /** Closes all connections, so that clients reconnect to another server. */
  drain(overMs: number): Promise<void>;
  close(): Promise<void>;
};

/** Credentials or tenants that are read in one query. */
const maxPerQuery = 2_000;
/** Journals that are read at a time for entries of other servers, so that a burst leaves database connections for others. */
const maxNewEntryReads = 3;

/** Builds the hub and its feeds. */
export async function openHub(runtime: Runtime, settings: HubSettings): Promise<AlarmHubServer> {
  const { database, log } = runtime;
  const { registry, nats, clock } = settings;
  const secret = await installationSecret(runtime, 'hub', newSecret());
  const metrics = createHubMetrics(registry);
  const bus = nats === undefined ? noBus : openNats(nats, log);
  const nodeMessages = openNodeMessages(bus, secret, {
    log,
    onRefused: () => metrics.nodeMessagesRefused.inc(),
  });
  let server: SignalRServer<HubUser> | undefined;

  const fanOut: Pick<FanOut, 'broadcast'> = {
    broadcast: (connections, messageFor) => requireOpen(server).fanOut.broadcast(connections, messageFor),
  };
  const { feed, callEvents } = openFeeds(database, { nodeMessages, fanOut, metrics, log, clock });
  const readAccessNow = (credentials: readonly Credential[]) => readAccess(database, credentials);
  const readAccessOf = coalesceReads(readAccessNow, { maxBatchSize: maxPerQuery });
  const hub = new AlarmHub({
    feed,
    callEvents,
    readOldest: coalesceReads(oldestReader(database), { maxBatchSize: maxPerQuery }),
    closeReason: async (connection) =>
      closeReasonOf(connection.identity.user.principal, await readAccessOf(credentialOf(connection))),
    log,
  });
  watchHub(registry, {
    open: () => server?.counts().open ?? {},
    slowConsumers: () => server?.counts().tooSlow ?? 0,
    forwarded: () => server?.counts().forwarded ?? 0,
    tenants: () => feed.tenants,
    behind: () => feed.behind,
    natsConnected: () => bus.isConnected,
  });

  return {
    onCommitted: (tenantId, entries) => {
      feed.onCommitted(tenantId, entries);
      if (entries.some(endsCalls)) callEvents.onCallEvents(tenantId);
    },
    onCallEvents: callEvents.onCallEvents,
    endpoints: () => server,
    start: (nodeAddress) => {
      server = openEndpoints(hub, settings, { secret, nodeAddress, log });
    },
    checkAccess: () =>
      checkAccess({
        connections: () => hub.connections,
        readAccess: readAccessNow,
        onClosed: () => metrics.revoked.inc(),
      }),
    drain: async (overMs) => server?.drain({ overMs }),
    close: async () => {
      await server?.close();
      feed.close();
      callEvents.close();
      await bus.close();
    },
  };
}

const oldestReader = (database: Database) => (tenantIds: readonly number[]) =>
  readOldestOf(database, tenantIds);

/** Acknowledging or resetting an alarm ends the calls for it. */
const endsCalls = ({ kind }: JournalEntry) => kind === 'acknowledged' || kind === 'reset';

function openFeeds(
  database: Database,
  parts: Omit<AlarmFeedParts, 'journal'>,
): { feed: AlarmFeed; callEvents: CallEventFeed } {
  const newEntryReads = createSemaphore(maxNewEntryReads);
  const journal = {
    read: (tenantId: number, range: JournalRange) => readFeed(database, tenantId, range),
    readNew: (tenantId: number, range: JournalRange) =>
      newEntryReads.run(() => readFeed(database, tenantId, range)),
    readEnds: (tenantIds: readonly number[]) => readEnds(database, tenantIds),
    readReach: (tenantId: number, tagIds: readonly number[]) => readTagReach(database, tenantId, tagIds),
    readStates: (known: readonly KnownEntry[]) => readJournalStates(database, known),
    readFork: (tenantId: number, remembered: RememberedJournal) => readFork(database, tenantId, remembered),
  };
  const source = {
    readPosition: () => readCallEventsPosition(database),
    read: (tenantId: number, position: CallEventsPosition) => readCallEvents(database, tenantId, position),
    listTenants: (positions: readonly { tenantId: number; since: number }[]) =>
      listTenantsWithCallEvents(database, positions),
  };
  return { feed: new AlarmFeed({ journal, ...parts }), callEvents: new CallEventFeed({ source, ...parts }) };
}

function openEndpoints(
  hub: AlarmHub,
  settings: HubSettings,
  { secret, nodeAddress, log }: { secret: string; nodeAddress: string; log: Runtime['log'] },
): SignalRServer<HubUser> {
  const { authenticate, nodeTls, origins, connections, connectionsPerCaller, requestsPerSecond, clock } =
    settings;
  const buckets = new TokenBuckets(requestsPerSecond, clock);
  return createSignalRServer({
    hub,
    authenticate: authenticateHub({ authenticate, buckets }),
    secret,
    nodeAddress,
    ...(nodeTls && { nodeTls }),
    allowedOrigins: origins,
    limits: {
      maxConnections: connections,
      maxConnectionsPerIdentity: connectionsPerCaller,
      // All clients of a caller may have to reconnect at once, twice.
      maxNegotiatesPerMinute: Math.max(600, 2 * connectionsPerCaller),
    },
    log,
    clock,
  });
}

function requireOpen(server: SignalRServer<HubUser> | undefined): SignalRServer<HubUser> {
  if (!server) throw new Error('the hub has not started');
  return server;
}
