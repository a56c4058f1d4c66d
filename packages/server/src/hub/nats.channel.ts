import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';

/** How servers hear of each other's alarms early. It may fail at any time: nothing depends on it but speed. */
export type Bus = {
  readonly isConnected: boolean;
  /** Never waits and never throws; what cannot be sent now is not sent. */
  publish(subject: string, text: string): void;
  /** One for each subject; the answer stops it. */
  subscribe(subject: string, hear: (text: string) => void): () => void;
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

/** Connects in the background, and again whenever the connection is lost; subscriptions outlive that. */
export function openNats(servers: readonly string[], log: Logger): Bus {
  const wanted = new Map<string, (text: string) => void>();
  const running = new Map<string, () => void>();
  let connection: NatsConnection | undefined;
  let isConnected = false;
  let isClosed = false;

  const listen = (subject: string, hear: (text: string) => void) => {
    if (!connection) return;
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) hear(message.string());
      },
    });
    running.set(subject, () => subscription.unsubscribe());
  };

  const begin = async () => {
    const opened = await open(servers, () => isClosed, log);
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
  servers: readonly string[],
  isClosed: () => boolean,
  log: Logger,
): Promise<NatsConnection | undefined> {
  for (let tries = 0; !isClosed(); tries++) {
    try {
      return await connect({
        ...credentialsOf(servers),
        servers: servers.map((server) => new URL(server).host),
        ...(servers.some((server) => server.startsWith('tls:')) && { tls: {} }),
        name: 'tocsin',
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

/** Of the first URL that has any: a name and a password, or a token alone. */
function credentialsOf(servers: readonly string[]): { user?: string; pass?: string; token?: string } {
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
