import type { SecureContextOptions } from 'node:tls';
import { createSignalrServer, type FanOut, type SignalrServer } from '@tocsin/signalr';
import type { Registry } from 'prom-client';
import type { Authenticate } from '../http/authorization.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { installationSecret } from '../identity/installation-secrets.ts';
import { newSecret } from '../identity/secret.ts';
import type { JournalEntry } from '../journal/journal.store.ts';
import { askTogether } from '../postgres/ask-together.ts';
import type { Database } from '../postgres/database.ts';
import type { Runtime } from '../runtime.ts';
import { AlarmHub } from './alarm.hub.ts';
import { AlarmFeed, type AlarmFeedParts } from './alarm-feed.ts';
import { authenticateHub } from './authenticate-hub.ts';
import {
  type KnownPlace,
  type Remembered,
  readEnds,
  readFeed,
  readFork,
  readOldestOf,
  readPlaces,
} from './feed.store.ts';
import { fewAtOnce } from './few-at-once.ts';
import { createHintExchange } from './hint-exchange.ts';
import type { HubDoors } from './hub.routes.ts';
import { createHubMetrics, watchHub } from './hub-metrics.ts';
import type { HubUser } from './hub-user.ts';
import type { JournalRange } from './journal-pages.ts';
import { type NatsAccess, noBus, openNats } from './nats.channel.ts';
import { readRights, type Standing } from './standing.store.ts';
import { readTagReach } from './tag-reach.store.ts';
import type { TidingsPlace } from './tiding.ts';
import { listTenantsWithTidings, readTidings, readTidingsPlace } from './tiding-feed.store.ts';
import { TidingFeed } from './tiding-feed.ts';
import { refusalOf, standingOf, watchRights } from './watch-rights.ts';

export type HubSettings = {
  readonly authenticate: Authenticate;
  readonly registry: Registry;
  /** NATS, through which other servers are heard; undefined when this one is alone. */
  readonly nats: NatsAccess | undefined;
  /** How other servers are asked over https. */
  readonly nodeTls: (() => SecureContextOptions) | undefined;
  readonly origins: readonly string[];
  readonly connections: number;
  readonly connectionsPerCaller: number;
  readonly requestsPerSecond: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
};

export type AlarmHubServer = {
  /** For the writer: what it has committed. */
  onCommitted(tenantId: number, entries: readonly JournalEntry[]): void;
  /** For whoever has committed that something became of a call, or that a sound is to be played. */
  onTold(tenantId: number): void;
  doors(): HubDoors;
  /** Opens the doors, once it is known where other servers reach this one. */
  begin(nodeAddress: string): void;
  /** Looks again who may still listen. */
  watchRights(): Promise<void>;
  /** Sends all clients away, to come back elsewhere. */
  drain(overMs: number): Promise<void>;
  close(): Promise<void>;
};

/** Identities looked at in one question. */
const mostTogether = 2_000;
/** Journals read at a time for hints of other servers, so that a storm leaves connections to everybody else. */
const mostReading = 3;

/** The hub with all that stands behind it. */
export async function openHub(runtime: Runtime, settings: HubSettings): Promise<AlarmHubServer> {
  const { database, log } = runtime;
  const { registry, nats, clock } = settings;
  const secret = await installationSecret(runtime, 'hub', newSecret());
  const metrics = createHubMetrics(registry);
  const bus = nats === undefined ? noBus : openNats(nats, log);
  const hints = createHintExchange(bus, secret, { log, onRefused: () => metrics.hintsRefused.inc() });
  let server: SignalrServer<HubUser> | undefined;

  const fanOut: Pick<FanOut, 'broadcast'> = {
    broadcast: (connections, messageFor) => requireOpen(server).fanOut.broadcast(connections, messageFor),
  };
  const { feed, tidings } = openFeeds(database, { hints, fanOut, metrics, log, clock });
  const askRights = (standings: readonly Standing[]) => readRights(database, standings);
  const askRight = askTogether(askRights, mostTogether);
  const hub = new AlarmHub({
    feed,
    tidings,
    readOldest: askTogether(
      (tenantIds: readonly number[]) => readOldestOf(database, tenantIds),
      mostTogether,
    ),
    refusal: async (connection) =>
      refusalOf(connection.identity.user.principal, await askRight(standingOf(connection))),
    log,
  });
  watchHub(registry, {
    open: () => server?.counts().open ?? {},
    slowConsumers: () => server?.counts().tooSlow ?? 0,
    forwarded: () => server?.counts().forwarded ?? 0,
    tenants: () => feed.tenants,
    natsConnected: () => bus.isConnected,
  });

  return {
    onCommitted: (tenantId, entries) => {
      feed.onCommitted(tenantId, entries);
      if (entries.some(endsCalls)) tidings.onTold(tenantId);
    },
    onTold: tidings.onTold,
    doors: () => server,
    begin: (nodeAddress) => {
      server = openDoors(hub, settings, { secret, nodeAddress, log });
    },
    watchRights: () =>
      watchRights({
        connections: () => hub.connections,
        readRights: askRights,
        onClosed: () => metrics.revoked.inc(),
      }),
    drain: async (overMs) => server?.drain({ overMs }),
    close: async () => {
      await server?.close();
      feed.close();
      tidings.close();
      await bus.close();
    },
  };
}

/** Who takes an alarm, or says that it is over, ends the calling for it. */
const endsCalls = ({ kind }: JournalEntry) => kind === 'acknowledged' || kind === 'reset';

function openFeeds(
  database: Database,
  parts: Omit<AlarmFeedParts, 'journal'>,
): { feed: AlarmFeed; tidings: TidingFeed } {
  const journal = {
    read: (tenantId: number, range: JournalRange) => readFeed(database, tenantId, range),
    readNew: fewAtOnce(mostReading, (tenantId: number, range: JournalRange) =>
      readFeed(database, tenantId, range),
    ),
    readEnds: (tenantIds: readonly number[]) => readEnds(database, tenantIds),
    readReach: (tenantId: number, tagIds: readonly number[]) => readTagReach(database, tenantId, tagIds),
    readPlaces: (known: readonly KnownPlace[]) => readPlaces(database, known),
    readFork: (tenantId: number, remembered: Remembered) => readFork(database, tenantId, remembered),
  };
  const source = {
    readPlace: () => readTidingsPlace(database),
    read: (tenantId: number, place: TidingsPlace) => readTidings(database, tenantId, place),
    listTenants: (places: readonly { tenantId: number; since: number }[]) =>
      listTenantsWithTidings(database, places),
  };
  return { feed: new AlarmFeed({ journal, ...parts }), tidings: new TidingFeed({ source, ...parts }) };
}

function openDoors(
  hub: AlarmHub,
  settings: HubSettings,
  { secret, nodeAddress, log }: { secret: string; nodeAddress: string; log: Runtime['log'] },
): SignalrServer<HubUser> {
  const { authenticate, nodeTls, origins, connections, connectionsPerCaller, requestsPerSecond, clock } =
    settings;
  const buckets = new TokenBuckets(requestsPerSecond, clock);
  return createSignalrServer({
    hub,
    authenticate: authenticateHub({ authenticate, buckets }),
    secret,
    nodeAddress,
    ...(nodeTls && { nodeTls }),
    allowedOrigins: origins,
    limits: {
      connections,
      connectionsPerIdentity: connectionsPerCaller,
      // All clients of a caller may have to come back at once, and once more.
      negotiatesPerMinute: Math.max(600, 2 * connectionsPerCaller),
    },
    log,
    clock,
  });
}

function requireOpen(server: SignalrServer<HubUser> | undefined): SignalrServer<HubUser> {
  if (!server) throw new Error('the hub has not begun');
  return server;
}
