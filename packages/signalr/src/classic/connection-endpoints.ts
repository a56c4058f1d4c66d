import { sendResponse, textResponse } from '../http/http-response.ts';
import type { Refused } from './authorize-request.ts';
import type { ClassicContext } from './classic-context.ts';
import type { ConnectionRequest } from './connection-request.ts';
import { handleSend } from './invocation-endpoints.ts';
import { connectLongPolling, poll } from './long-polling-endpoints.ts';
import { openEventStream } from './streaming-endpoints.ts';
import { replyJson } from './transports/json-reply.ts';

/** Resolves to undefined if the endpoint has responded. */
type ConnectionEndpoint = <User>(
  context: ClassicContext<User>,
  request: ConnectionRequest<User>,
) => Promise<Refused | undefined>;

const notAnUpgrade: Refused = { refused: textResponse(400, 'A WebSocket requires an upgrade request.') };

const connect: ConnectionEndpoint = async (context, request) => {
  if (request.transportType === 'webSockets') return notAnUpgrade;
  if (request.transportType === 'longPolling') return connectLongPolling(context, request);
  return openEventStream(context, request, false);
};

const reconnect: ConnectionEndpoint = async (context, request) => {
  if (request.transportType === 'webSockets') return notAnUpgrade;
  if (request.transportType === 'longPolling') return poll(context, request);
  return openEventStream(context, request, true);
};

const handlePoll: ConnectionEndpoint = async (context, request) => {
  if (request.transportType === 'longPolling') return poll(context, request);
  return { refused: textResponse(400, 'Protocol error: Unknown transport.') };
};

/** Confirms a transport that was already connected to the hub when it was opened. */
const start: ConnectionEndpoint = async (_, { reply }) => {
  replyJson(reply, { Response: 'started' });
  return undefined;
};

/** Ignores the transport type, because the client for Node.js names another one than it used. */
const abort: ConnectionEndpoint = async ({ clients }, { claims, response }) => {
  const client = clients.find(claims.connectionId);
  if (client !== undefined) clients.remove(client, { kind: 'replaced' });
  sendResponse(response, { status: 200 });
  return undefined;
};

/** The endpoints that require a connection token, by the last segment of their path. */
export const connectionEndpoints: ReadonlyMap<string, ConnectionEndpoint> = new Map([
  ['connect', connect],
  ['reconnect', reconnect],
  ['poll', handlePoll],
  ['start', start],
  ['abort', abort],
  ['send', handleSend],
]);
