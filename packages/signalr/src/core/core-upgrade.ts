import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { type Answer, textAnswer } from '../answer.ts';
import type { ConnectionClaims } from '../connection-token.ts';
import type { FamilyContext } from '../family.ts';
import { forwardUpgrade } from '../forwarding.ts';
import { identify, refusalAnswer } from '../gate.ts';
import { WebSocketSink } from '../transports/web-socket-sink.ts';
import type { ConnectionTable } from './connection-table.ts';
import type { CoreConnection } from './core-connection.ts';
import { findConnection, gone, mayForward, placeOf } from './core-request.ts';

export type Upgrade = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer };

/** No close frame came: the socket was cut. */
const abnormalClosure = 1006;

/** Opens the WebSocket of a connection, or answers why not. */
export async function upgradeCore<User>(
  context: FamilyContext<User>,
  table: ConnectionTable<User>,
  upgrade: Upgrade,
): Promise<Answer | undefined> {
  const { request, socket, head } = upgrade;
  const place = placeOf(context, request);
  if (place.kind === 'refused') return place.answer;
  if (place.kind === 'elsewhere' && place.claims.stateful) {
    if (!mayForward(request)) return gone;
    context.counters.forwarded += 1;
    const forwarded = await forwardUpgrade(context.ownerAt(place.claims.owner), request, socket, head);
    return forwarded === 'answered' ? undefined : gone;
  }
  if (place.kind !== 'here') {
    return openNew(context, table, upgrade, place.kind === 'none' ? undefined : place.claims);
  }
  const found = await findConnection(context, table, request, place.claims);
  if ('refused' in found) return found.refused;
  return take(context, found.connection, upgrade);
}

/** Without negotiation, or negotiated at another node: a socket carries all there is, so it may be had anywhere. */
async function openNew<User>(
  context: FamilyContext<User>,
  table: ConnectionTable<User>,
  upgrade: Upgrade,
  claims: ConnectionClaims | undefined,
): Promise<Answer | undefined> {
  const entry = await identify(context, upgrade.request);
  if ('refused' in entry) return entry.refused;
  if (claims !== undefined) {
    if (entry.identity.key !== claims.identityKey) return textAnswer(403, 'Not your connection');
    if (table.isOpen(claims.connectionId)) return hasSocket;
    context.counters.adopted += 1;
  } else {
    const refusal = context.admission.mayNegotiate(entry.identity.key);
    if (refusal !== undefined) return refusalAnswer(refusal);
  }
  const opened = table.open(entry.identity, claims);
  return 'status' in opened ? refusalAnswer(opened) : take(context, opened, upgrade);
}

const hasSocket = textAnswer(409, 'This connection has a WebSocket');

function take<User>(
  { acceptWebSocket }: FamilyContext<User>,
  connection: CoreConnection<User>,
  { request, socket, head }: Upgrade,
): Answer | undefined {
  const bound = connection.boundTransport;
  if (bound !== undefined && bound !== 'webSockets') {
    return textAnswer(400, 'Cannot change transports mid-connection');
  }
  if (bound === 'webSockets' && !connection.canResume) return hasSocket;
  let taken = false;
  acceptWebSocket(request, socket, head, (webSocket) => {
    taken = true;
    carry(connection, webSocket, socket);
  });
  // A request that is not a proper upgrade has been answered by then.
  if (!taken && bound === undefined) connection.end();
  return undefined;
}

function carry<User>(connection: CoreConnection<User>, webSocket: WebSocket, socket: Duplex): void {
  const sink = new WebSocketSink(webSocket, socket);
  webSocket.on('message', (data: Buffer) => {
    if (connection.sink === sink) connection.receive(data);
  });
  webSocket.on('close', (code) => connection.transportEnded(sink, code === abnormalClosure));
  if (connection.boundTransport === undefined) connection.bind('webSockets', sink);
  else connection.resume(sink);
}
