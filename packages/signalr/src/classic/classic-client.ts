import type { Identity, Refusal } from '../hub/hub.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import { createMessageRateLimit, type TokenBucket } from '../runtime/token-bucket.ts';
import type { ClassicConnection } from './classic-connection.ts';
import type { ClientState } from './groups-token.ts';
import type { EndReason } from './transports/classic-transport.ts';
import { ClassicLongPollingTransport } from './transports/long-polling-transport.ts';

/** A client known to this node. It outlives its transports, so that it can reconnect. */
export type ClassicClient<User> = {
  readonly id: string;
  readonly identityKey: string;
  readonly rateLimit: TokenBucket;
  /** Invocations without a result yet. */
  runningInvocations: number;
  state: ClientState | undefined;
  /** The cursor of its last transport. */
  resumeCursor: string | undefined;
  connection: ClassicConnection<User> | undefined;
};

export type ClassicClients<User> = {
  find(id: string): ClassicClient<User> | undefined;
  add(id: string, identity: Identity<User>): ClassicClient<User> | Refusal;
  remove(client: ClassicClient<User>, reason: EndReason): void;
};

export function createClients<User>(
  { admission, heartbeat, limits, clock }: ServerContext<User>,
  disconnectTimeoutMs: number,
): ClassicClients<User> {
  const entries = new Map<string, { client: ClassicClient<User>; stop(): void }>();

  const remove = (client: ClassicClient<User>, reason: EndReason) => {
    client.connection?.end(reason);
    entries.get(client.id)?.stop();
  };

  const add = (id: string, identity: Identity<User>): ClassicClient<User> | Refusal => {
    const refusal = admission.addConnection(identity.key);
    if (refusal !== undefined) return refusal;
    // The classic protocol has no handshake after the negotiation.
    admission.handshakeFinished();
    const client: ClassicClient<User> = {
      id,
      identityKey: identity.key,
      rateLimit: createMessageRateLimit(limits, clock()),
      runningInvocations: 0,
      state: undefined,
      resumeCursor: undefined,
      connection: undefined,
    };
    const onTimeout = () => remove(client, { kind: 'reconnect' });
    const target = { onHeartbeat: createHeartbeatHandler(client, disconnectTimeoutMs, onTimeout) };
    heartbeat.add(target);
    const stop = () => {
      if (!entries.delete(id)) return;
      heartbeat.remove(target);
      admission.removeConnection(identity.key);
    };
    entries.set(id, { client, stop });
    return client;
  };

  return { find: (id) => entries.get(id)?.client, add, remove };
}

/** Passes the heartbeat to the connection, and calls `onTimeout` when the client has not reconnected in time. */
function createHeartbeatHandler<User>(
  client: ClassicClient<User>,
  disconnectTimeoutMs: number,
  onTimeout: () => void,
): (now: number) => void {
  let disconnectedAt: number | undefined;
  return (now) => {
    client.connection?.onHeartbeat(now);
    if (isConnected(client)) disconnectedAt = undefined;
    else disconnectedAt ??= now;
    if (disconnectedAt !== undefined && now - disconnectedAt >= disconnectTimeoutMs) onTimeout();
  };
}

function isConnected<User>({ connection }: ClassicClient<User>): boolean {
  if (connection === undefined) return false;
  const { transport } = connection;
  return transport instanceof ClassicLongPollingTransport ? transport.hasPoll : connection.isOpen;
}

/**
 * The position of a client that reconnects without a cursor, as the client for Node.js does. Messages that it has not
 * confirmed are sent again.
 */
export function resumeCursorOf<User>({ connection, resumeCursor }: ClassicClient<User>): string | undefined {
  return connection?.transport.resumeCursor || resumeCursor;
}
