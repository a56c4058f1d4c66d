import {
  AuthorizationError,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  PermissionViolationError,
  type Subscription,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import type { Logger } from 'pino';

/** A received message. Its text is decoded only on demand. */
export type BusMessage = {
  /** In bytes. */
  readonly length: number;
  text(): string;
};

/**
 * Lets servers learn early that there is more to read. It may fail at any time, and anybody may publish on it: only speed
 * depends on it.
 */
export type Bus = {
  readonly isConnected: boolean;
  /** Never waits and never throws. A message that cannot be sent now is dropped. */
  publish(subject: string, text: string): void;
  /** One subscription for each subject, until the returned function is called. */
  subscribe(subject: string, onMessage: (message: BusMessage) => void): () => void;
  close(): Promise<void>;
};

const reconnectMs = 1_000;

/** The first part of every subject of the servers. */
export const subjectPrefix = 'tocsin';

/** For a server that runs alone. */
export const noBus: Bus = {
  isConnected: false,
  publish: () => undefined,
  subscribe: () => () => undefined,
  close: () => Promise.resolve(),
};

/** Addresses of NATS, and a credentials file (JWT and seed); without one the URLs may hold credentials. */
export type NatsAccess = {
  readonly servers: readonly string[];
  readonly credentials: string | undefined;
  /** Trusted CA for `tls:` URLs; by default the CAs of Node.js. */
  readonly ca: string | undefined;
};

/** Connects in the background, and again whenever the connection is lost; subscriptions outlive that. */
export function openNats(access: NatsAccess, log: Logger): Bus {
  const subscriptions = createSubscriptions();
  let connection: NatsConnection | undefined;
  let isConnected = false;
  let isClosed = false;

  const start = async () => {
    connection = await open(access, () => isClosed, log);
    if (!connection) return;
    isConnected = true;
    log.info({ server: connection.getServer() }, 'connected to NATS');
    subscriptions.attach(connection);
    void watch(connection, (state) => {
      if (state !== isConnected) log.warn({ connected: state }, 'connection to NATS changed');
      isConnected = state;
    });
  };
  const opening = start();

  return {
    get isConnected() {
      return isConnected;
    },
    publish: (subject, text) => {
      // NATS would buffer messages while it is disconnected; they are not needed, because the journal has everything.
      if (!isConnected || !connection || connection.isClosed()) return;
      try {
        connection.publish(subject, text);
      } catch (error) {
        log.debug({ err: error }, 'not published on NATS');
      }
    },
    subscribe: subscriptions.add,
    close: async () => {
      isClosed = true;
      isConnected = false;
      await opening;
      await connection?.close();
    },
  };
}

type OnMessage = (message: BusMessage) => void;

/** Subscriptions that may be made before there is a connection. */
function createSubscriptions(): { attach(connection: NatsConnection): void; add: Bus['subscribe'] } {
  const listeners = new Map<string, OnMessage>();
  const running = new Map<string, Subscription>();
  let connection: NatsConnection | undefined;

  const listen = (subject: string, onMessage: OnMessage) => {
    if (!connection) return;
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) onMessage({ length: message.data.length, text: () => message.string() });
      },
    });
    running.set(subject, subscription);
  };
  return {
    attach: (opened) => {
      connection = opened;
      for (const [subject, onMessage] of listeners) listen(subject, onMessage);
    },
    add: (subject, onMessage) => {
      listeners.set(subject, onMessage);
      listen(subject, onMessage);
      return () => {
        listeners.delete(subject);
        running.get(subject)?.unsubscribe();
        running.delete(subject);
      };
    },
  };
}

/** Retries until it succeeds or the bus is closed. */
async function open(
  access: NatsAccess,
  isClosed: () => boolean,
  log: Logger,
): Promise<NatsConnection | undefined> {
  for (let tries = 0; !isClosed(); tries++) {
    try {
      return await connect({
        ...placeOf(access),
        noEcho: true,
        maxReconnectAttempts: -1,
        reconnectTimeWait: reconnectMs,
        timeout: 5_000,
        pingInterval: 10_000,
        maxPingOut: 2,
      });
    } catch (error) {
      if (tries === 0) log.warn({ err: error }, 'NATS cannot be reached, trying again');
      await pause(reconnectMs);
    }
  }
  return undefined;
}

/** The outcome of one attempt to connect. */
export type NatsTrial =
  | { readonly kind: 'accepted'; readonly server: string }
  | { readonly kind: 'refused' | 'forbidden' | 'unreachable'; readonly reason: string };

/** Connects once, as the server does, and subscribes to the subjects of the servers. */
export async function tryNats(access: NatsAccess, timeoutMs: number): Promise<NatsTrial> {
  let connection: NatsConnection | undefined;
  try {
    connection = await connect({ ...placeOf(access), reconnect: false, timeout: timeoutMs });
    await requirePermission(connection);
    return { kind: 'accepted', server: connection.getServer() };
  } catch (error) {
    return { kind: kindOf(error), reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await connection?.close();
  }
}

function kindOf(error: unknown): 'refused' | 'forbidden' | 'unreachable' {
  if (error instanceof PermissionViolationError) return 'forbidden';
  const isRefused = error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError;
  return isRefused ? 'refused' : 'unreachable';
}

/** NATS reports a missing permission after the subscription. */
async function requirePermission(connection: NatsConnection): Promise<void> {
  let fault: Error | undefined;
  connection.subscribe(`${subjectPrefix}.>`, {
    callback: (error) => {
      fault ??= error ?? undefined;
    },
  });
  await connection.flush();
  if (fault !== undefined) throw fault;
}

function placeOf(access: NatsAccess): ConnectionOptions {
  return {
    ...credentialsOf(access),
    servers: access.servers.map((server) => new URL(server).host),
    // With this option a server without TLS is refused.
    ...(access.servers.some((server) => server.startsWith('tls:')) && {
      tls: access.ca === undefined ? {} : { ca: access.ca },
    }),
    name: 'tocsin',
  };
}

/** The credentials file, or those in the first URL that has any: user and password, or a token alone. */
function credentialsOf({ servers, credentials }: NatsAccess): ConnectionOptions {
  if (credentials !== undefined) return { authenticator: credsAuthenticator(Buffer.from(credentials)) };
  const url = servers.map((server) => new URL(server)).find(({ username }) => username !== '');
  if (!url) return {};
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return pass === '' ? { token: user } : { user, pass };
}

async function watch(connection: NatsConnection, onChange: (isConnected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') onChange(false);
    else if (status.type === 'reconnect') onChange(true);
  }
  onChange(false);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
