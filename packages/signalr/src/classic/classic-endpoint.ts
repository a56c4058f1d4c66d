import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { preflightResponse } from '../http/cors.ts';
import { type HttpResponse, rejectUpgrade, sendResponse, textResponse } from '../http/http-response.ts';
import { authenticateRequest, refusalResponse } from '../runtime/authenticate-request.ts';
import type { HubEndpoint } from '../runtime/hub-endpoint.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import { authorizeHubs, type Refused } from './authorize-request.ts';
import { type ClassicContext, type ClassicOptions, createClassicContext } from './classic-context.ts';
import { connectionEndpoints } from './connection-endpoints.ts';
import { type AuthenticatedRequest, readConnectionRequest } from './connection-request.ts';
import { proxyScript } from './javascript-proxy.ts';
import { negotiateResponse } from './negotiate.ts';
import { readQuery, urlOf } from './request-parameters.ts';
import { openWebSocket } from './streaming-endpoints.ts';
import { isCallbackName, replyJson } from './transports/json-reply.ts';

const originNotAllowed = textResponse(403, 'This origin is not allowed.');
const notFound = textResponse(404, 'Not found.');

/** Serves ASP.NET SignalR 2 clients, including the JavaScript proxy for pages. */
export function createClassicEndpoint<User>(
  server: ServerContext<User>,
  options: ClassicOptions = {},
): HubEndpoint {
  const context = createClassicContext(server, options);
  const onError = (error: unknown): HttpResponse => {
    server.log.error({ err: error }, 'hub request failed');
    return textResponse(500, 'The server failed');
  };
  return {
    handle: async (request, response, path) => {
      const refused = await handleRequest(context, request, response, endpointOf(path)).catch(onError);
      if (refused !== undefined) sendResponse(response, refused);
    },
    upgrade: async (request, socket, head, path) => {
      // A client that disconnects during the upgrade is not an error of the server.
      socket.on('error', () => socket.destroy());
      const refused = await handleUpgrade(context, [request, socket, head], endpointOf(path)).catch(onError);
      if (refused !== undefined) rejectUpgrade(socket, refused);
    },
  };
}

function endpointOf(path: string): string {
  return path.toLowerCase().replace(/^\/+|\/+$/g, '');
}

async function handleRequest<User>(
  context: ClassicContext<User>,
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: string,
): Promise<HttpResponse | undefined> {
  const corsHeaders = context.server.cors(request);
  if (corsHeaders === undefined) return originNotAllowed;
  for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
  if (request.method === 'OPTIONS') return preflightResponse(request);
  if (request.method !== 'GET' && request.method !== 'POST') return textResponse(405, 'Only GET and POST.');
  if (endpoint === 'hubs' || endpoint === 'js') return proxyScriptResponse(context, request, endpoint);
  return authenticateAndHandle(context, request, response, endpoint);
}

async function authenticateAndHandle<User>(
  context: ClassicContext<User>,
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: string,
): Promise<HttpResponse | undefined> {
  const query = readQuery(request);
  const { callback } = query;
  if (callback !== undefined && !(context.allowJsonp && isCallbackName(callback))) {
    return textResponse(400, 'JSONP is not supported.');
  }
  const authentication = await authenticateRequest(context.server, request);
  if ('refused' in authentication) return authentication.refused;
  const { identity } = authentication;
  const reply = { response, callback };
  const result = await handleAuthenticated(context, { request, response, identity, query, reply }, endpoint);
  return result?.refused;
}

async function handleAuthenticated<User>(
  context: ClassicContext<User>,
  authenticated: AuthenticatedRequest<User>,
  endpoint: string,
): Promise<Refused | undefined> {
  if (endpoint === 'negotiate') return negotiate(context, authenticated);
  if (endpoint === 'ping') {
    replyJson(authenticated.reply, { Response: 'pong' });
    return undefined;
  }
  const handleConnection = connectionEndpoints.get(endpoint);
  if (handleConnection === undefined) return { refused: notFound };
  const request = await readConnectionRequest(context, authenticated);
  if (request === 'responded') return undefined;
  return 'refused' in request ? request : handleConnection(context, request);
}

function negotiate<User>(
  context: ClassicContext<User>,
  { request, identity, query, reply }: AuthenticatedRequest<User>,
): Refused | undefined {
  const { server, timeouts } = context;
  const hubs = authorizeHubs(context, query);
  if ('refused' in hubs) return hubs;
  const refusal = server.admission.checkNegotiate(identity.key);
  if (refusal !== undefined) return { refused: refusalResponse(refusal) };
  const connectionId = randomUUID();
  const connectionToken = server.tokens.issue({
    generation: 'classic',
    connectionId,
    ownerAddress: server.nodeAddress,
    identityKey: identity.key,
    useStatefulReconnect: false,
  });
  server.counters.negotiated += 1;
  const { clientProtocol } = query;
  const url = mountPathOf(request, 'negotiate');
  replyJson(reply, negotiateResponse({ url, connectionToken, connectionId, clientProtocol, timeouts }));
  return undefined;
}

/** Requires no token: pages load it with a script element, and it contains only public names. */
function proxyScriptResponse<User>(
  { server }: ClassicContext<User>,
  request: IncomingMessage,
  endpoint: string,
): HttpResponse {
  const { name, methods } = server.hub;
  const body = proxyScript(mountPathOf(request, endpoint), name, Object.keys(methods));
  return { status: 200, body, headers: { 'content-type': 'application/javascript; charset=utf-8' } };
}

/** The path at which the client sees the classic endpoint. */
function mountPathOf(request: IncomingMessage, endpoint: string): string {
  const path = urlOf(request).pathname.replace(/\/+$/, '');
  return path.slice(0, path.length - endpoint.length - 1);
}

async function handleUpgrade<User>(
  context: ClassicContext<User>,
  upgrade: readonly [IncomingMessage, Duplex, Buffer],
  endpoint: string,
): Promise<HttpResponse | undefined> {
  const [request] = upgrade;
  if (context.server.cors(request) === undefined) return originNotAllowed;
  if (endpoint !== 'connect' && endpoint !== 'reconnect') return notFound;
  const query = readQuery(request);
  if (query.transportType !== 'webSockets') return textResponse(400, 'Protocol error: Unknown transport.');
  const authentication = await authenticateRequest(context.server, request);
  if ('refused' in authentication) return authentication.refused;
  const { identity } = authentication;
  const isReconnect = endpoint === 'reconnect';
  return openWebSocket(context, upgrade, { identity, query, isReconnect })?.refused;
}
