import { type HttpResponse, textResponse } from '../http/http-response.ts';
import type { Identity, TransportType } from '../hub/hub.ts';
import { refusalResponse } from '../runtime/authenticate-request.ts';
import type { ConnectionClaims } from '../tokens/connection-token.ts';
import type { ClassicClient } from './classic-client.ts';
import type { ClassicContext } from './classic-context.ts';
import { readConnectionData } from './connection-data.ts';
import type { RequestParameters } from './request-parameters.ts';

export type Refused = { readonly refused: HttpResponse };

/** The connection of a request. */
export type AuthorizedConnection = {
  readonly claims: ConnectionClaims;
  readonly transportType: TransportType;
};

/** Checks the connection token. It names the connection but does not authenticate: the caller must have negotiated it. */
export function authorizeConnection<User>(
  { server }: ClassicContext<User>,
  identity: Identity<User>,
  { connectionToken, transportType }: RequestParameters,
): AuthorizedConnection | Refused {
  const claims = connectionToken === undefined ? undefined : server.tokens.read(connectionToken);
  if (claims?.generation !== 'classic') return refuse(400, 'The connection token is missing or not valid.');
  if (claims.identityKey !== identity.key) return refuse(403, 'The connection belongs to another user.');
  if (transportType === undefined) return refuse(400, 'Protocol error: Unknown transport.');
  return { claims, transportType };
}

/** Checks that the client requests only this hub, and whether it subscribes to it. */
export function authorizeHubs<User>(
  { server }: ClassicContext<User>,
  { connectionData }: RequestParameters,
): { readonly isSubscribed: boolean } | Refused {
  const data = readConnectionData(connectionData, server.hub.name);
  return data.kind === 'refused' ? refuse(data.status, data.reason) : { isSubscribed: data.isSubscribed };
}

/** Returns the client, or adds it if its previous node is gone. */
export function findOrAddClient<User>(
  { clients }: ClassicContext<User>,
  identity: Identity<User>,
  { connectionId }: ConnectionClaims,
): { readonly client: ClassicClient<User> } | Refused {
  const client = clients.find(connectionId) ?? clients.add(connectionId, identity);
  return 'status' in client ? { refused: refusalResponse(client) } : { client };
}

function refuse(status: number, reason: string): Refused {
  return { refused: textResponse(status, reason) };
}
