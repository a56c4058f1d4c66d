import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { Logger } from 'pino';

/** What somebody has published; its text is read only when it is asked for. */
export type BusMessage = {
  /** In bytes. */
  readonly length: number;
  text(): string;
};

/**
 * How servers hear early that there is more to read. It may fail at any time, and anybody may publish on it: nothing
 * depends on it but speed.
 */
export type Bus = {
  readonly isConnected: boolean;
  /** Never waits and never throws; what cannot be sent now is not sent. */
  publish(subject: string, text: string): void;
  /** One for each subject; the answer stops it. */
  subscribe(subject: string, hear: (message: BusMessage) => void): () => void;
  close(): Promise<void>;
};

const reconnectMs = 1_000;

/** A server that runs alone hears itself. */
export const noBus: Bus = {
  isConnected: false,
  publish: () => undefined,
  subscribe: () => () => undefined,
  close: () => Promise.resolve(),
};

/** Where NATS is, and what opens it: a credentials file (JWT and seed), or what the URLs say. */
export type NatsAccess = {
  readonly servers: readonly string[];
  readonly credentials: string | undefined;
  /** Whom to trust where a URL begins with `tls:`; by default the CAs that Node.js knows. */
  readonly ca: string | undefined;
};

/** Connects in the background, and again whenever the connection is lost; subscriptions outlive that. */
export function openNats(access: NatsAccess, log: Logger): Bus {
  const wanted = new Map<string, (message: BusMessage) => void>();
  const running = new Map<string, () => void>();
  let connection: NatsConnection | undefined;
  let isConnected = false;
  let isClosed = false;

  const listen = (subject: string, hear: (message: BusMessage) => void) => {
    if (!connection) return;
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) hear({ length: message.data.length, text: () => message.string() });
      },
    });
    running.set(subject, () => subscription.unsubscribe());
  };

  const begin = async () => {
    const opened = await open(access, () => isClosed, log);
    connection = opened;
    if (!opened) return;
    isConnected = true;
    log.info({ server: opened.getServer() }, 'connected to NATS');
    for (const [subject, hear] of wanted) listen(subject, hear);
    void watch(opened, (state) => {
      if (state !== isConnected) log.warn({ connected: state }, 'connection to NATS changed');
      isConnected = state;
    });
  };
  const opening = begin();

  return {
    get isConnected() {
      return isConnected;
    },
    publish: (subject, text) => {
      // While the connection is down messages would pile up; the journal has them all.
      if (!isConnected || !connection || connection.isClosed()) return;
      try {
        connection.publish(subject, text);
      } catch (error) {
        log.debug({ err: error }, 'not published on NATS');
      }
    },
    subscribe: (subject, hear) => {
      wanted.set(subject, hear);
      listen(subject, hear);
      return () => {
        wanted.delete(subject);
        running.get(subject)?.();
        running.delete(subject);
      };
    },
    close: async () => {
      isClosed = true;
      isConnected = false;
      await opening;
      await connection?.close();
    },
  };
}

/** Tries until it succeeds or is not wanted any more. */
async function open(
  access: NatsAccess,
  isClosed: () => boolean,
  log: Logger,
): Promise<NatsConnection | undefined> {
  for (let tries = 0; !isClosed(); tries++) {
    try {
      return await connect({
        ...credentialsOf(access),
        servers: access.servers.map((server) => new URL(server).host),
        // Once it is asked for, a server that offers no TLS is refused.
        ...(access.servers.some((server) => server.startsWith('tls:')) && {
          tls: access.ca === undefined ? {} : { ca: access.ca },
        }),
        name: 'tocsin',
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

/** Those of the settings, or of the first URL that has any: a name and a password, or a token alone. */
function credentialsOf({ servers, credentials }: NatsAccess): ConnectionOptions {
  if (credentials !== undefined) return { authenticator: credsAuthenticator(Buffer.from(credentials)) };
  const url = servers.map((server) => new URL(server)).find(({ username }) => username !== '');
  if (!url) return {};
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return pass === '' ? { token: user } : { user, pass };
}

async function watch(connection: NatsConnection, tell: (isConnected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') tell(false);
    else if (status.type === 'reconnect') tell(true);
  }
  tell(false);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
