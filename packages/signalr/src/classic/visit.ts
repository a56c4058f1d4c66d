import type { IncomingMessage, ServerResponse } from 'node:http';
import { textAnswer } from '../answer.ts';
import { forwardRequest, wasForwarded } from '../forwarding.ts';
import type { Identity } from '../hub.ts';
import { type Admitted, admit, type Refused } from './admit.ts';
import type { Desk } from './classic-desk.ts';
import type { Reply } from './classic-reply.ts';
import { type ClassicRequest, readRequest } from './classic-request.ts';

/** One request, by somebody who is known. */
export type Visit<User> = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly identity: Identity<User>;
  readonly query: ClassicRequest;
  readonly reply: Reply;
};

/** A request of a connection, with what its form says. */
export type ConnectionVisit<User> = Visit<User> & Admitted & { readonly fields: ClassicRequest };

/**
 * Reads a request of a connection, unless the connection lives on another node: that answers then. When it is gone
 * the client goes on here, from its cursor.
 */
export async function receive<User>(
  desk: Desk<User>,
  visit: Visit<User>,
): Promise<ConnectionVisit<User> | Refused | 'answered'> {
  const admitted = admit(desk, visit.identity, visit.query);
  if ('refused' in admitted) return admitted;
  if (await isAnsweredElsewhere(desk, visit, admitted)) return 'answered';
  const fields = await readRequest(visit.request);
  if (fields === 'too-large') return { refused: textAnswer(413, 'The form is too large.') };
  if (fields === 'broken') return { refused: textAnswer(400, 'The form is not whole.') };
  return { ...visit, ...admitted, fields };
}

async function isAnsweredElsewhere<User>(
  { context, clients }: Desk<User>,
  { request, response }: Visit<User>,
  { claims, transport }: Admitted,
): Promise<boolean> {
  const isOurs = claims.owner === context.nodeAddress || clients.find(claims.connectionId) !== undefined;
  if (isOurs || transport === 'webSockets' || wasForwarded(request)) return false;
  const forwarded = await forwardRequest(context.ownerAt(claims.owner), request, response);
  if (forwarded === 'unreachable') return false;
  context.counters.forwarded += 1;
  return true;
}
