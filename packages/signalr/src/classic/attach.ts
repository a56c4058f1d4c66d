import type { FamilyContext } from '../family.ts';
import type { Identity, Transport } from '../hub.ts';
import type { Carrier } from './carrier.ts';
import type { ClassicClient } from './classic-client.ts';
import { ClassicConnection } from './classic-connection.ts';
import { type GroupsTokens, latest } from './groups-token.ts';

/** A new way to a client, and what the client said when it opened it. */
export type Way<User> = {
  readonly identity: Identity<User>;
  readonly transport: Transport;
  readonly carrier: Carrier;
  readonly isListed: boolean;
  /** Where the client is; undefined when it is new. */
  readonly cursor: string | undefined;
  readonly groupsToken: string | undefined;
  /** Says where the client begins, before any message, and gives it a token if it has not the right one. */
  greet(cursor: string, groupsToken: string | undefined): void;
};

export type Attached<User> = {
  readonly connection: ClassicConnection<User>;
  /** Whether the client is there; false when it was closed before it began. */
  readonly begun: Promise<boolean>;
};

/** A client must be somewhere even when it hears nothing, or it would never stop connecting. */
const nowhere = '-';

/** Makes the way the client's only one, and joins the hub where the client is. */
export function attach<User>(
  context: FamilyContext<User>,
  groups: GroupsTokens,
  client: ClassicClient<User>,
  way: Way<User>,
): Attached<User> {
  const connection = connectionOf(context, groups, client, way);
  client.connection?.end({ kind: 'replaced' });
  client.connection = connection;
  const begun = begin({ context, groups, client, way, connection }).catch((error: unknown) => {
    context.log.error({ err: error, connectionId: client.id }, 'hub client could not begin');
    connection.end({ kind: 'reconnect' });
    return false;
  });
  return { connection, begun };
}

/** A connection of the client that has joined nothing. */
export function connectionOf<User>(
  context: FamilyContext<User>,
  groups: GroupsTokens,
  client: ClassicClient<User>,
  {
    identity,
    transport,
    carrier,
    isListed,
  }: Pick<Way<User>, 'identity' | 'transport' | 'carrier' | 'isListed'>,
): ClassicConnection<User> {
  const connection: ClassicConnection<User> = new ClassicConnection({
    context,
    id: client.id,
    identity,
    transport,
    carrier,
    isListed,
    keepState: (state) => {
      client.kept = { state, version: (client.kept?.version ?? 0) + 1 };
      connection.tellGroups(groups.seal(client.id, client.kept));
    },
    onEnd: () => {
      if (client.connection === connection && carrier.place !== '') client.place = carrier.place;
      if (context.connections.delete(connection)) context.counters.closed += 1;
    },
  });
  return connection;
}

type Beginning<User> = {
  readonly context: FamilyContext<User>;
  readonly groups: GroupsTokens;
  readonly client: ClassicClient<User>;
  readonly way: Way<User>;
  readonly connection: ClassicConnection<User>;
};

async function begin<User>({ context, groups, client, way, connection }: Beginning<User>): Promise<boolean> {
  const { groupsToken } = way;
  const brought = groupsToken === undefined ? undefined : groups.open(client.id, groupsToken);
  client.kept = latest(client.kept, brought);
  const from = way.cursor;
  const cursor = way.isListed
    ? await connection.join({
        cursor: from,
        state: client.kept?.state,
        hasState: client.kept?.version === brought?.version,
      })
    : (from ?? nowhere);
  if (cursor === undefined || !connection.isOpen) return false;
  context.connections.add(connection);
  context.counters.opened += 1;
  way.carrier.begin(cursor);
  const { kept } = client;
  const isNews = kept !== undefined && kept.version !== brought?.version;
  way.greet(cursor, isNews ? groups.seal(client.id, kept) : undefined);
  connection.begin();
  return true;
}
