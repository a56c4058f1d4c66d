import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, sendAnswer, textAnswer } from '../answer.ts';
import type { FamilyContext } from '../family.ts';
import { forwardRequest } from '../forwarding.ts';
import { identify, refusalAnswer } from '../gate.ts';
import { readBody } from '../request-body.ts';
import { EventStreamSink } from '../transports/event-stream-sink.ts';
import { LongPollSink } from '../transports/long-poll-sink.ts';
import type { ConnectionTable } from './connection-table.ts';
import type { CoreConnection } from './core-connection.ts';
import { findConnection, gone, mayForward, placeOf, queryOf } from './core-request.ts';
import { negotiationAnswer, readNegotiation } from './negotiate.ts';

/** One request that has passed the origin check. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** To be sent with every answer. */
  readonly cors: Readonly<Record<string, string>>;
};

type Verb = 'GET' | 'POST' | 'DELETE';

/** Firefox counts a stream as open after its first bytes. */
const streamOpening = Buffer.from(':\r\n');

const accepted: Answer = { status: 202, headers: { 'content-type': 'text/plain' } };
const received: Answer = { status: 200, headers: { 'content-type': 'text/plain' } };
const closing = { 'content-type': 'text/plain', connection: 'close' };
/** The rest of the body is not waited for. */
const tooLarge: Answer = { status: 413, body: 'The body is too large', headers: closing };
const otherTransport = textAnswer(400, 'Cannot change transports mid-connection');
const notAllowed = textAnswer(405, 'Method not allowed');

/** Undefined when the answer stays open or was sent. */
type Outcome = Answer | undefined;

export async function negotiate<User>(
  context: FamilyContext<User>,
  table: ConnectionTable<User>,
  { request }: Exchange,
): Promise<Answer> {
  if (request.method !== 'POST') return notAllowed;
  const entry = await identify(context, request);
  if ('refused' in entry) return entry.refused;
  const refusal = context.admission.mayNegotiate(entry.identity.key);
  if (refusal !== undefined) return refusalAnswer(refusal);
  const negotiation = readNegotiation(queryOf(request));
  if ('error' in negotiation) return { ...received, body: JSON.stringify(negotiation) };
  const claims = table.negotiate(entry.identity, negotiation.stateful);
  const { connectionId } = claims;
  return negotiationAnswer(negotiation, { connectionId, connectionToken: context.tokens.seal(claims) });
}

/** A request on the hub's own path: a poll, an event stream, something sent, or the end. */
export async function exchange<User>(
  context: FamilyContext<User>,
  table: ConnectionTable<User>,
  each: Exchange,
): Promise<Outcome> {
  const { request, response } = each;
  const verb = verbOf(request);
  if (verb === undefined) return notAllowed;
  const place = placeOf(context, request);
  if (place.kind === 'refused') return place.answer;
  if (place.kind === 'none') return withoutId(context, request);
  if (place.kind === 'elsewhere' && !table.isOpen(place.claims.connectionId)) {
    if (!mayForward(request)) return gone;
    context.counters.forwarded += 1;
    return (await forwardRequest(context.ownerAt(place.claims.owner), request, response)) === 'answered'
      ? undefined
      : gone;
  }
  const found = await findConnection(context, table, request, place.claims);
  if ('refused' in found) return found.refused;
  return await serve[verb](context, found.connection, each);
}

/** Who is not known learns nothing more. */
async function withoutId<User>(context: FamilyContext<User>, request: IncomingMessage): Promise<Answer> {
  const entry = await identify(context, request);
  return 'refused' in entry ? entry.refused : textAnswer(400, 'Connection ID required');
}

function verbOf({ method }: IncomingMessage): Verb | undefined {
  return method === 'GET' || method === 'POST' || method === 'DELETE' ? method : undefined;
}

type Serve = <User>(
  context: FamilyContext<User>,
  connection: CoreConnection<User>,
  exchange: Exchange,
) => Outcome | Promise<Outcome>;

const serve: Record<Verb, Serve> = {
  GET: (context, connection, each) => {
    const wantsStream = each.request.headers.accept?.toLowerCase().includes('text/event-stream') === true;
    return wantsStream ? openStream(connection, each) : poll(context, connection, each);
  },
  POST: async (context, connection, { request }) => {
    if (connection.boundTransport === 'webSockets') return textAnswer(405, 'This connection has a WebSocket');
    const body = await readBody(request, context.limits.bodyBytes);
    if (body === 'broken') return textAnswer(400, 'The body ended early');
    if (body === 'too-large') return tooLarge;
    if (!connection.isOpen) return gone;
    return connection.receive(body) ? received : textAnswer(413, 'Too much was sent before the transport');
  },
  DELETE: (_context, connection) => {
    if (connection.boundTransport !== 'longPolling') return textAnswer(400, 'This connection is not polled');
    connection.end();
    return accepted;
  },
};

function openStream<User>(connection: CoreConnection<User>, { response, cors }: Exchange): Outcome {
  const bound = connection.boundTransport;
  if (bound === 'serverSentEvents') return textAnswer(409, 'This connection has an event stream');
  if (bound !== undefined) return otherTransport;
  const sink = new EventStreamSink(response, cors, streamOpening);
  response.on('close', () => connection.transportEnded(sink, false));
  connection.bind('serverSentEvents', sink);
  return undefined;
}

function poll<User>(
  { clock }: FamilyContext<User>,
  connection: CoreConnection<User>,
  { response, cors }: Exchange,
): Outcome {
  const bound = connection.boundTransport;
  if (bound !== undefined && bound !== 'longPolling') return otherTransport;
  const now = clock();
  if (connection.sink instanceof LongPollSink) {
    connection.sink.poll({ response, headers: cors }, now);
    return undefined;
  }
  const sink = new LongPollSink(
    () => connection.contentType,
    () => connection.end(),
    now,
  );
  sink.poll({ response, headers: cors }, now);
  connection.bind('longPolling', sink);
  return undefined;
}

export function finish({ response, cors }: Exchange, answer: Outcome): void {
  if (answer !== undefined) sendAnswer(response, answer, cors);
}
