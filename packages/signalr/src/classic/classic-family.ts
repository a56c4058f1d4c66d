import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Answer, sendAnswer, sendRefusal, textAnswer } from '../answer.ts';
import type { FamilyContext, FamilyEntrance } from '../family.ts';
import { identify, refusalAnswer } from '../gate.ts';
import { preflightAnswer } from '../origin.ts';
import { admitHubs, type Refused } from './admit.ts';
import { type ClassicOptions, createDesk, type Desk } from './classic-desk.ts';
import { isCallbackName, replyJson } from './classic-reply.ts';
import { type ClassicRequest, readQuery, urlOf } from './classic-request.ts';
import { connectionEndpoints } from './connection-endpoints.ts';
import { negotiateAnswer } from './negotiation.ts';
import { proxyScript } from './proxy-script.ts';
import { upgradeToWebSocket } from './stream-endpoints.ts';
import { receive, type Visit } from './visit.ts';

/** ASP.NET SignalR 2: negotiate, connect, start, send, poll, reconnect, abort, ping, and the script for pages. */
export function createClassicFamily<User>(
  context: FamilyContext<User>,
  options: ClassicOptions = {},
): FamilyEntrance {
  const desk = createDesk(context, options);
  const failed = (error: unknown): Answer => {
    context.log.error({ err: error }, 'hub request failed');
    return textAnswer(500, 'The server failed');
  };
  return {
    handle: async (request, response, path) => {
      const refused = await answer(desk, request, response, endpointOf(path)).catch(failed);
      if (refused !== undefined) sendAnswer(response, refused);
    },
    upgrade: async (request, socket, head, path) => {
      // A client that goes away while it is let in is no fault of the server's.
      socket.on('error', () => socket.destroy());
      const refused = await answerUpgrade(desk, [request, socket, head], endpointOf(path)).catch(failed);
      if (refused !== undefined) sendRefusal(socket, refused);
    },
  };
}

function endpointOf(path: string): string {
  return path.toLowerCase().replace(/^\/+|\/+$/g, '');
}

async function answer<User>(
  desk: Desk<User>,
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: string,
): Promise<Answer | undefined> {
  const origin = desk.context.origins(request);
  if (origin === undefined) return textAnswer(403, 'This origin may not use the hub.');
  for (const [name, value] of Object.entries(origin)) response.setHeader(name, value);
  if (request.method === 'OPTIONS') return preflightAnswer(request);
  if (request.method !== 'GET' && request.method !== 'POST') return textAnswer(405, 'Only GET and POST.');
  if (endpoint === 'hubs' || endpoint === 'js') return scriptAnswer(desk, request, endpoint);
  return answerKnown(desk, { request, response }, endpoint);
}

async function answerKnown<User>(
  desk: Desk<User>,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  endpoint: string,
): Promise<Answer | undefined> {
  const query = readQuery(request);
  const { callback } = query;
  if (callback !== undefined && !(desk.jsonp && isCallbackName(callback))) {
    return textAnswer(400, 'JSONP is not served.');
  }
  const entry = await identify(desk.context, request);
  if ('refused' in entry) return entry.refused;
  const { identity } = entry;
  const visit: Visit<User> = { request, response, identity, query, reply: { response, callback } };
  const result = await answerVisit(desk, visit, endpoint);
  return result?.refused;
}

async function answerVisit<User>(
  desk: Desk<User>,
  visit: Visit<User>,
  endpoint: string,
): Promise<Refused | undefined> {
  if (endpoint === 'negotiate') return negotiate(desk, visit);
  if (endpoint === 'ping') {
    replyJson(visit.reply, { Response: 'pong' });
    return undefined;
  }
  const answerConnection = connectionEndpoints.get(endpoint);
  if (answerConnection === undefined) return { refused: textAnswer(404, 'There is nothing here.') };
  const received = await receive(desk, visit);
  if (received === 'answered') return undefined;
  return 'refused' in received ? received : answerConnection(desk, received);
}

function negotiate<User>(
  desk: Desk<User>,
  { request, identity, query, reply }: Visit<User>,
): Refused | undefined {
  const { context, timings } = desk;
  const hubs = admitHubs(desk, query);
  if ('refused' in hubs) return hubs;
  const refusal = context.admission.mayNegotiate(identity.key);
  if (refusal !== undefined) return { refused: refusalAnswer(refusal) };
  const connectionId = randomUUID();
  const claims = { family: 'classic', connectionId, owner: context.nodeAddress, stateful: false } as const;
  const connectionToken = context.tokens.seal({ ...claims, identityKey: identity.key });
  context.counters.negotiated += 1;
  const { clientProtocol } = query;
  const url = mountOf(request, 'negotiate');
  replyJson(reply, negotiateAnswer({ url, connectionToken, connectionId, clientProtocol, timings }));
  return undefined;
}

/** Needs no token: pages load it with a script element, and it says nothing that the documents do not. */
function scriptAnswer<User>({ context }: Desk<User>, request: IncomingMessage, endpoint: string): Answer {
  const { hub } = context;
  const body = proxyScript(mountOf(request, endpoint), hub.name, Object.keys(hub.methods));
  return { status: 200, body, headers: { 'content-type': 'application/javascript; charset=utf-8' } };
}

/** The path that the client knows the family by. */
function mountOf(request: IncomingMessage, endpoint: string): string {
  const path = urlOf(request).pathname.replace(/\/+$/, '');
  return path.slice(0, path.length - endpoint.length - 1);
}

async function answerUpgrade<User>(
  desk: Desk<User>,
  upgrade: readonly [IncomingMessage, Duplex, Buffer],
  endpoint: string,
): Promise<Answer | undefined> {
  const [request] = upgrade;
  if (desk.context.origins(request) === undefined) return textAnswer(403, 'This origin may not use the hub.');
  if (endpoint !== 'connect' && endpoint !== 'reconnect') return textAnswer(404, 'There is nothing here.');
  const query: ClassicRequest = readQuery(request);
  if (query.transport !== 'webSockets') return textAnswer(400, 'Protocol error: Unknown transport.');
  const entry = await identify(desk.context, request);
  if ('refused' in entry) return entry.refused;
  const isReconnect = endpoint === 'reconnect';
  return upgradeToWebSocket(desk, upgrade, { identity: entry.identity, query, isReconnect })?.refused;
}
