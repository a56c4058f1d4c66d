import { type Answer, textAnswer } from '../answer.ts';
import type { ConnectionClaims } from '../connection-token.ts';
import { refusalAnswer } from '../gate.ts';
import type { Identity, Transport } from '../hub.ts';
import type { ClassicClient } from './classic-client.ts';
import type { Desk } from './classic-desk.ts';
import type { ClassicRequest } from './classic-request.ts';
import { readConnectionData } from './connection-data.ts';

export type Refused = { readonly refused: Answer };

/** A request of a connection, by the one whose connection it is. */
export type Admitted = { readonly claims: ConnectionClaims; readonly transport: Transport };

/** The token says which connection, and is no proof of who asks: that must be the one who negotiated. */
export function admit<User>(
  { context }: Desk<User>,
  identity: Identity<User>,
  { connectionToken, transport }: ClassicRequest,
): Admitted | Refused {
  const claims = connectionToken === undefined ? undefined : context.tokens.open(connectionToken);
  if (claims?.family !== 'classic') return refused(400, 'The connection token is missing or not valid.');
  if (claims.identityKey !== identity.key) return refused(403, 'The connection is of another user.');
  if (transport === undefined) return refused(400, 'Protocol error: Unknown transport.');
  return { claims, transport };
}

/** Whether the client wants to hear of the hub. */
export function admitHubs<User>(
  { context }: Desk<User>,
  { connectionData }: ClassicRequest,
): { readonly isListed: boolean } | Refused {
  const data = readConnectionData(connectionData, context.hub.name);
  return data.kind === 'refused' ? refused(data.status, data.reason) : { isListed: data.listed };
}

/** What is known of the client here; a client of another node that is gone is new here. */
export function admitClient<User>(
  { clients }: Desk<User>,
  identity: Identity<User>,
  { connectionId }: ConnectionClaims,
): { readonly client: ClassicClient<User> } | Refused {
  const client = clients.find(connectionId) ?? clients.open(connectionId, identity);
  return 'status' in client ? { refused: refusalAnswer(client) } : { client };
}

function refused(status: number, reason: string): Refused {
  return { refused: textAnswer(status, reason) };
}
