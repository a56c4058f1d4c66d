import type { IncomingMessage, ServerResponse } from 'node:http';
import { forwardRequest, wasForwarded } from '../http/forward-request.ts';
import { textResponse } from '../http/http-response.ts';
import type { Identity } from '../hub/hub.ts';
import { type AuthorizedConnection, authorizeConnection, type Refused } from './authorize-request.ts';
import type { ClassicContext } from './classic-context.ts';
import { type RequestParameters, readParameters } from './request-parameters.ts';
import type { Reply } from './transports/json-reply.ts';

export type AuthenticatedRequest<User> = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly identity: Identity<User>;
  /** The parameters of the URL. */
  readonly query: RequestParameters;
  readonly reply: Reply;
};

/** A request for a connection. `parameters` includes those of the form. */
export type ConnectionRequest<User> = AuthenticatedRequest<User> &
  AuthorizedConnection & { readonly parameters: RequestParameters };

/**
 * Authorizes a request for a connection and reads its form. The request is forwarded if another node owns the
 * connection. If that node is gone, the client continues on this one from its cursor.
 */
export async function readConnectionRequest<User>(
  context: ClassicContext<User>,
  authenticated: AuthenticatedRequest<User>,
): Promise<ConnectionRequest<User> | Refused | 'responded'> {
  const authorized = authorizeConnection(context, authenticated.identity, authenticated.query);
  if ('refused' in authorized) return authorized;
  if (await forwardToOwner(context, authenticated, authorized)) return 'responded';
  const parameters = await readParameters(authenticated.request);
  if (parameters === 'too-large') return { refused: textResponse(413, 'The form is too large.') };
  if (parameters === 'broken') return { refused: textResponse(400, 'The form is incomplete.') };
  return { ...authenticated, ...authorized, parameters };
}

/** Returns whether the owner has responded. */
async function forwardToOwner<User>(
  { server, clients }: ClassicContext<User>,
  { request, response }: AuthenticatedRequest<User>,
  { claims, transportType }: AuthorizedConnection,
): Promise<boolean> {
  const isLocal =
    claims.ownerAddress === server.nodeAddress || clients.find(claims.connectionId) !== undefined;
  if (isLocal || transportType === 'webSockets' || wasForwarded(request)) return false;
  const result = await forwardRequest(server.targetNodeAt(claims.ownerAddress), request, response);
  if (result === 'unreachable') return false;
  server.counters.forwarded += 1;
  return true;
}
