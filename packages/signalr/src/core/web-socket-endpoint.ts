import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { forwardUpgrade } from '../http/forward-request.ts';
import { type HttpResponse, textResponse } from '../http/http-response.ts';
import { authenticateRequest, refusalResponse } from '../runtime/authenticate-request.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import type { ConnectionClaims } from '../tokens/connection-token.ts';
import { WebSocketTransport } from '../transports/web-socket-transport.ts';
import type { ConnectionManager } from './connection-manager.ts';
import type { CoreConnection } from './core-connection.ts';
import { connectionNotFound, findConnection, locateConnection, mayForward } from './resolve-connection.ts';

export type Upgrade = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer };

/** The close code of a socket that was lost without a close frame. */
const abnormalClosure = 1006;

const hasWebSocket = textResponse(409, 'This connection has a WebSocket');

/** Opens the WebSocket of a connection, or returns the response that rejects it. */
export async function handleUpgrade<User>(
  context: ServerContext<User>,
  manager: ConnectionManager<User>,
  upgrade: Upgrade,
): Promise<HttpResponse | undefined> {
  const { request, socket, head } = upgrade;
  const location = locateConnection(context, request);
  if (location.kind === 'invalid') return connectionNotFound;
  if (location.kind === 'remote' && location.claims.useStatefulReconnect) {
    if (!mayForward(request)) return connectionNotFound;
    context.counters.forwarded += 1;
    const target = context.targetNodeAt(location.claims.ownerAddress);
    const result = await forwardUpgrade(target, request, socket, head);
    return result === 'responded' ? undefined : connectionNotFound;
  }
  if (location.kind !== 'local') {
    return openConnection(context, manager, upgrade, location.kind === 'none' ? undefined : location.claims);
  }
  const found = await findConnection(context, manager, request, location.claims);
  if ('refused' in found) return found.refused;
  return acceptWebSocket(context, found.connection, upgrade);
}

/**
 * Opens a connection without negotiation, or one that another node negotiated: a WebSocket needs no state of the
 * negotiating node, so any node can accept it.
 */
async function openConnection<User>(
  context: ServerContext<User>,
  manager: ConnectionManager<User>,
  upgrade: Upgrade,
  claims: ConnectionClaims | undefined,
): Promise<HttpResponse | undefined> {
  const authentication = await authenticateRequest(context, upgrade.request);
  if ('refused' in authentication) return authentication.refused;
  const { identity } = authentication;
  if (claims !== undefined) {
    if (identity.key !== claims.identityKey)
      return textResponse(403, 'The connection belongs to another user');
    if (manager.isOpen(claims.connectionId)) return hasWebSocket;
    context.counters.adopted += 1;
  } else {
    const refusal = context.admission.checkNegotiate(identity.key);
    if (refusal !== undefined) return refusalResponse(refusal);
  }
  const opened = manager.open(identity, claims);
  return 'status' in opened ? refusalResponse(opened) : acceptWebSocket(context, opened, upgrade);
}

function acceptWebSocket<User>(
  context: ServerContext<User>,
  connection: CoreConnection<User>,
  { request, socket, head }: Upgrade,
): HttpResponse | undefined {
  const bound = connection.boundTransportType;
  if (bound !== undefined && bound !== 'webSockets') {
    return textResponse(400, 'Cannot change transports mid-connection');
  }
  if (bound === 'webSockets' && !connection.canReconnect) return hasWebSocket;
  let isAccepted = false;
  context.acceptWebSocket(request, socket, head, (webSocket) => {
    isAccepted = true;
    attachWebSocket(connection, webSocket, socket);
  });
  // `ws` has already rejected a request that is not a valid upgrade.
  if (!isAccepted && bound === undefined) connection.end();
  return undefined;
}

function attachWebSocket<User>(connection: CoreConnection<User>, webSocket: WebSocket, socket: Duplex): void {
  const transport = new WebSocketTransport(webSocket, socket);
  webSocket.on('message', (data: Buffer) => {
    if (connection.transport === transport) connection.receive(data);
  });
  webSocket.on('close', (code) => connection.transportEnded(transport, code === abnormalClosure));
  if (connection.boundTransportType === undefined) connection.attachTransport('webSockets', transport);
  else connection.reconnect(transport);
}
