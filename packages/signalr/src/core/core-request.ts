import type { IncomingMessage } from 'node:http';
import { type Answer, textAnswer } from '../answer.ts';
import type { ConnectionClaims } from '../connection-token.ts';
import type { FamilyContext } from '../family.ts';
import { wasForwarded } from '../forwarding.ts';
import { identify, refusalAnswer } from '../gate.ts';
import type { Identity } from '../hub.ts';
import type { ConnectionTable } from './connection-table.ts';
import type { CoreConnection } from './core-connection.ts';

export const gone = textAnswer(404, 'No Connection with that ID');

/** Where a request belongs. */
export type Place =
  | { readonly kind: 'none' }
  | { readonly kind: 'here'; readonly claims: ConnectionClaims }
  | { readonly kind: 'elsewhere'; readonly claims: ConnectionClaims }
  | { readonly kind: 'refused'; readonly answer: Answer };

export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? '';
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

/** By the token in `id`. Without one: `none`. */
export function placeOf<User>(context: FamilyContext<User>, request: IncomingMessage): Place {
  const token = queryOf(request).get('id');
  if (token === null || token === '') return { kind: 'none' };
  const claims = context.tokens.open(token);
  if (claims?.family !== 'core') return { kind: 'refused', answer: gone };
  if (claims.owner === context.nodeAddress) return { kind: 'here', claims };
  return { kind: 'elsewhere', claims };
}

/** A request that has come round already goes no further. */
export function mayForward(request: IncomingMessage): boolean {
  return !wasForwarded(request);
}

export type Found<User> =
  | { readonly connection: CoreConnection<User>; readonly identity: Identity<User> }
  | { readonly refused: Answer };

/** The connection that the request is for, if it is the caller's. */
export async function findConnection<User>(
  context: FamilyContext<User>,
  table: ConnectionTable<User>,
  request: IncomingMessage,
  claims: ConnectionClaims,
): Promise<Found<User>> {
  const entry = await identify(context, request);
  if ('refused' in entry) return entry;
  if (entry.identity.key !== claims.identityKey) return { refused: textAnswer(403, 'Not your connection') };
  const connection = table.find(claims.connectionId, entry.identity);
  if (connection === undefined) return { refused: gone };
  if ('status' in connection) return { refused: refusalAnswer(connection) };
  connection.renew(entry.identity);
  return { connection, identity: entry.identity };
}
