import type { IncomingMessage } from 'node:http';
import { wasForwarded } from '../http/forward-request.ts';
import { type HttpResponse, textResponse } from '../http/http-response.ts';
import type { Identity } from '../hub/hub.ts';
import { authenticateRequest, refusalResponse } from '../runtime/authenticate-request.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import type { ConnectionClaims } from '../tokens/connection-token.ts';
import type { ConnectionManager } from './connection-manager.ts';
import type { CoreConnection } from './core-connection.ts';

export const connectionNotFound = textResponse(404, 'No Connection with that ID');

/** The node that owns the connection of a request, according to its connection token. */
export type ConnectionLocation =
  /** The request has no token. */
  | { readonly kind: 'none' }
  | { readonly kind: 'local'; readonly claims: ConnectionClaims }
  | { readonly kind: 'remote'; readonly claims: ConnectionClaims }
  | { readonly kind: 'invalid' };

export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? '';
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

export function locateConnection<User>(
  context: ServerContext<User>,
  request: IncomingMessage,
): ConnectionLocation {
  const token = queryOf(request).get('id');
  if (token === null || token === '') return { kind: 'none' };
  const claims = context.tokens.read(token);
  if (claims?.generation !== 'core') return { kind: 'invalid' };
  if (claims.ownerAddress === context.nodeAddress) return { kind: 'local', claims };
  return { kind: 'remote', claims };
}

/** A forwarded request is not forwarded again. */
export function mayForward(request: IncomingMessage): boolean {
  return !wasForwarded(request);
}

export type FoundConnection<User> =
  | { readonly connection: CoreConnection<User>; readonly identity: Identity<User> }
  | { readonly refused: HttpResponse };

/** Authenticates the request and returns its connection, if it belongs to the caller. */
export async function findConnection<User>(
  context: ServerContext<User>,
  manager: ConnectionManager<User>,
  request: IncomingMessage,
  claims: ConnectionClaims,
): Promise<FoundConnection<User>> {
  const authentication = await authenticateRequest(context, request);
  if ('refused' in authentication) return authentication;
  const { identity } = authentication;
  if (identity.key !== claims.identityKey)
    return { refused: textResponse(403, 'The connection belongs to another user') };
  const connection = manager.find(claims.connectionId, identity);
  if (connection === undefined) return { refused: connectionNotFound };
  if ('status' in connection) return { refused: refusalResponse(connection) };
  connection.renewIdentity(identity);
  return { connection, identity };
}
