import type { IncomingMessage, ServerResponse } from 'node:http';
import { forwardRequest } from '../http/forward-request.ts';
import { type HttpResponse, sendResponse, textResponse } from '../http/http-response.ts';
import { readBody } from '../http/request-body.ts';
import { authenticateRequest, refusalResponse } from '../runtime/authenticate-request.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import { LongPollingTransport } from '../transports/long-polling-transport.ts';
import { ServerSentEventsTransport } from '../transports/server-sent-events-transport.ts';
import type { ConnectionManager } from './connection-manager.ts';
import type { CoreConnection } from './core-connection.ts';
import { negotiateResponse, parseNegotiateRequest } from './negotiate.ts';
import {
  connectionNotFound,
  findConnection,
  locateConnection,
  mayForward,
  queryOf,
} from './resolve-connection.ts';

/** One request whose origin has been checked. */
export type HttpExchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Sent with every response. */
  readonly corsHeaders: Readonly<Record<string, string>>;
};

type HttpMethod = 'GET' | 'POST' | 'DELETE';

/** Firefox considers a stream open only after its first bytes. */
const firstBytes = Buffer.from(':\r\n');

const accepted: HttpResponse = { status: 202, headers: { 'content-type': 'text/plain' } };
const received: HttpResponse = { status: 200, headers: { 'content-type': 'text/plain' } };
/** Closes the socket instead of reading the rest of the body. */
const tooLarge: HttpResponse = {
  status: 413,
  body: 'The body is too large',
  headers: { 'content-type': 'text/plain', connection: 'close' },
};
const otherTransport = textResponse(400, 'Cannot change transports mid-connection');
const methodNotAllowed = textResponse(405, 'Method not allowed');

/** Undefined if the response stays open or has been sent. */
type EndpointResult = HttpResponse | undefined;

export async function negotiate<User>(
  context: ServerContext<User>,
  manager: ConnectionManager<User>,
  { request }: HttpExchange,
): Promise<HttpResponse> {
  if (request.method !== 'POST') return methodNotAllowed;
  const authentication = await authenticateRequest(context, request);
  if ('refused' in authentication) return authentication.refused;
  const { identity } = authentication;
  const refusal = context.admission.checkNegotiate(identity.key);
  if (refusal !== undefined) return refusalResponse(refusal);
  const negotiation = parseNegotiateRequest(queryOf(request));
  if ('error' in negotiation) return { ...received, body: JSON.stringify(negotiation) };
  const claims = manager.negotiate(identity, negotiation.useStatefulReconnect);
  const { connectionId } = claims;
  return negotiateResponse(negotiation, { connectionId, connectionToken: context.tokens.issue(claims) });
}

/** Handles a request on the hub's own path: a poll, an event stream, sent messages, or the end of a connection. */
export async function handleTransportRequest<User>(
  context: ServerContext<User>,
  manager: ConnectionManager<User>,
  exchange: HttpExchange,
): Promise<EndpointResult> {
  const { request, response } = exchange;
  const method = parseMethod(request);
  if (method === undefined) return methodNotAllowed;
  const location = locateConnection(context, request);
  if (location.kind === 'invalid') return connectionNotFound;
  if (location.kind === 'none') return refuseWithoutId(context, request);
  if (location.kind === 'remote' && !manager.isOpen(location.claims.connectionId)) {
    if (!mayForward(request)) return connectionNotFound;
    context.counters.forwarded += 1;
    const target = context.targetNodeAt(location.claims.ownerAddress);
    const result = await forwardRequest(target, request, response);
    return result === 'responded' ? undefined : connectionNotFound;
  }
  const found = await findConnection(context, manager, request, location.claims);
  if ('refused' in found) return found.refused;
  return await handlers[method](context, found.connection, exchange);
}

/** Authenticates first, so that anonymous callers always get a 401. */
async function refuseWithoutId<User>(
  context: ServerContext<User>,
  request: IncomingMessage,
): Promise<HttpResponse> {
  const authentication = await authenticateRequest(context, request);
  return 'refused' in authentication ? authentication.refused : textResponse(400, 'Connection ID required');
}

function parseMethod({ method }: IncomingMessage): HttpMethod | undefined {
  return method === 'GET' || method === 'POST' || method === 'DELETE' ? method : undefined;
}

type TransportHandler = <User>(
  context: ServerContext<User>,
  connection: CoreConnection<User>,
  exchange: HttpExchange,
) => EndpointResult | Promise<EndpointResult>;

const handlers: Record<HttpMethod, TransportHandler> = {
  GET: (context, connection, exchange) => {
    const { accept } = exchange.request.headers;
    const wantsStream = accept?.toLowerCase().includes('text/event-stream') === true;
    return wantsStream ? openEventStream(connection, exchange) : poll(context, connection, exchange);
  },
  POST: async (context, connection, { request }) => {
    if (connection.boundTransportType === 'webSockets')
      return textResponse(405, 'This connection has a WebSocket');
    const body = await readBody(request, context.limits.maxRequestBodyBytes);
    if (body === 'broken') return textResponse(400, 'The body ended early');
    if (body === 'too-large') return tooLarge;
    if (!connection.isOpen) return connectionNotFound;
    return connection.receive(body)
      ? received
      : textResponse(413, 'Too many bytes before the transport was opened');
  },
  DELETE: (_context, connection) => {
    if (connection.boundTransportType !== 'longPolling')
      return textResponse(400, 'This connection does not use long polling');
    connection.end();
    return accepted;
  },
};

function openEventStream<User>(
  connection: CoreConnection<User>,
  { response, corsHeaders }: HttpExchange,
): EndpointResult {
  const bound = connection.boundTransportType;
  if (bound === 'serverSentEvents') return textResponse(409, 'This connection has an event stream');
  if (bound !== undefined) return otherTransport;
  const transport = new ServerSentEventsTransport(response, corsHeaders, firstBytes);
  response.on('close', () => connection.transportEnded(transport, false));
  connection.attachTransport('serverSentEvents', transport);
  return undefined;
}

function poll<User>(
  { clock }: ServerContext<User>,
  connection: CoreConnection<User>,
  { response, corsHeaders }: HttpExchange,
): EndpointResult {
  const bound = connection.boundTransportType;
  if (bound !== undefined && bound !== 'longPolling') return otherTransport;
  const now = clock();
  if (connection.transport instanceof LongPollingTransport) {
    connection.transport.poll({ response, headers: corsHeaders }, now);
    return undefined;
  }
  const transport = new LongPollingTransport(
    () => connection.contentType,
    () => connection.end(),
    now,
  );
  transport.poll({ response, headers: corsHeaders }, now);
  connection.attachTransport('longPolling', transport);
  return undefined;
}

export function sendResult({ response, corsHeaders }: HttpExchange, result: EndpointResult): void {
  if (result !== undefined) sendResponse(response, result, corsHeaders);
}
