import type { Identity, TransportType } from '../hub/hub.ts';
import type { ClassicClient } from './classic-client.ts';
import { ClassicConnection } from './classic-connection.ts';
import type { ClassicContext } from './classic-context.ts';
import { latestState } from './groups-token.ts';
import type { ClassicTransport } from './transports/classic-transport.ts';

/** A transport that a client has opened, with the parameters of its request. */
export type TransportRequest<User> = {
  readonly identity: Identity<User>;
  readonly transportType: TransportType;
  readonly transport: ClassicTransport;
  readonly isSubscribed: boolean;
  /** The last position of the client; undefined for a new one. */
  readonly cursor: string | undefined;
  readonly groupsToken: string | undefined;
  /** Sends the start position before any message, and a groups token if the client's is outdated. */
  sendInit(cursor: string, groupsToken: string | undefined): void;
};

export type AttachedTransport<User> = {
  readonly connection: ClassicConnection<User>;
  /** Resolves to false if the connection was closed before it started. */
  readonly started: Promise<boolean>;
};

/** A client that has not subscribed needs a cursor too, because without one it never finishes connecting. */
const noCursor = '-';

/** Replaces the client's transport and connects it to the hub at the client's position. */
export function attachTransport<User>(
  context: ClassicContext<User>,
  client: ClassicClient<User>,
  request: TransportRequest<User>,
): AttachedTransport<User> {
  const connection = createConnection(context, client, request);
  client.connection?.end({ kind: 'replaced' });
  client.connection = connection;
  const started = start(context, client, request, connection).catch((error: unknown) => {
    const { log } = context.server;
    log.error({ err: error, connectionId: client.id }, 'hub client could not be connected');
    connection.end({ kind: 'reconnect' });
    return false;
  });
  return { connection, started };
}

/** Creates a connection that is not yet connected to the hub. */
export function createConnection<User>(
  { server, groupsTokens }: ClassicContext<User>,
  client: ClassicClient<User>,
  request: Pick<TransportRequest<User>, 'identity' | 'transportType' | 'transport' | 'isSubscribed'>,
): ClassicConnection<User> {
  const { identity, transportType, transport, isSubscribed } = request;
  const connection: ClassicConnection<User> = new ClassicConnection({
    context: server,
    id: client.id,
    identity,
    transportType,
    transport,
    isSubscribed,
    keepState: (state) => {
      client.state = { value: state, version: (client.state?.version ?? 0) + 1 };
      connection.sendGroupsToken(groupsTokens.issue(client.id, client.state));
    },
    onEnd: () => {
      const { resumeCursor } = transport;
      if (client.connection === connection && resumeCursor !== '') client.resumeCursor = resumeCursor;
      if (server.connections.delete(connection)) server.counters.closed += 1;
    },
  });
  return connection;
}

async function start<User>(
  { server, groupsTokens }: ClassicContext<User>,
  client: ClassicClient<User>,
  request: TransportRequest<User>,
  connection: ClassicConnection<User>,
): Promise<boolean> {
  const { groupsToken, cursor: clientCursor } = request;
  const clientState = groupsToken === undefined ? undefined : groupsTokens.read(client.id, groupsToken);
  client.state = latestState(client.state, clientState);
  const cursor = request.isSubscribed
    ? await connection.connectToHub({
        cursor: clientCursor,
        state: client.state?.value,
        hasState: client.state?.version === clientState?.version,
      })
    : (clientCursor ?? noCursor);
  if (cursor === undefined || !connection.isOpen) return false;
  server.connections.add(connection);
  server.counters.opened += 1;
  request.transport.start(cursor);
  const { state } = client;
  const isOutdated = state !== undefined && state.version !== clientState?.version;
  request.sendInit(cursor, isOutdated ? groupsTokens.issue(client.id, state) : undefined);
  connection.start();
  return true;
}
