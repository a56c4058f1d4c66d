import type { RawData, WebSocket } from 'ws';
import { sendResponse, textResponse } from '../http/http-response.ts';
import type { HubConnection } from '../hub/hub.ts';
import type { ServerTransport } from '../transports/server-transport.ts';
import { type AttachedTransport, createConnection } from './attach-transport.ts';
import { findOrAddClient, type Refused } from './authorize-request.ts';
import type { ClassicClient } from './classic-client.ts';
import type { ClassicContext } from './classic-context.ts';
import { maxReceiveBytes } from './classic-limits.ts';
import type { ConnectionRequest } from './connection-request.ts';
import { type HubRequest, parseHubRequest } from './hub-request.ts';
import { detachedTransport } from './transports/classic-transport.ts';
import { replyText } from './transports/json-reply.ts';
import type { ClassicStreamingTransport } from './transports/streaming-transport.ts';

const messageTooBig = 1009;

type AttachedWebSocket<User> = {
  readonly webSocket: WebSocket;
  readonly serverTransport: ServerTransport;
  readonly transport: ClassicStreamingTransport;
  readonly client: ClassicClient<User>;
  readonly attached: AttachedTransport<User>;
};

/** Runs invocations received over a WebSocket, one after the other, once the connection has started. */
export function receiveInvocations<User>(
  context: ClassicContext<User>,
  { webSocket, serverTransport, transport, client, attached }: AttachedWebSocket<User>,
): void {
  const { log, limits } = context.server;
  const { connection } = attached;
  let lastInvocation: Promise<unknown> = attached.started;
  const handle = async (text: string) => {
    const request = parseHubRequest(text);
    if (request === undefined)
      connection.end({ kind: 'error', error: 'The message is not a hub invocation.' });
    else if (connection.isOpen) {
      const response = await invokeHub(context, client, connection, request);
      if (response !== undefined) transport.write(response);
    }
  };
  // An error ends only this connection: an unhandled rejection would end the process.
  const onError = (error: unknown) => {
    log.error({ err: error, connectionId: connection.id }, 'hub message failed');
    connection.end({ kind: 'error', error: 'The server failed.' });
  };
  webSocket.on('message', (data: RawData) => {
    const bytes = data as Buffer;
    if (bytes.length > maxReceiveBytes) serverTransport.end(messageTooBig, '');
    else if (client.runningInvocations >= limits.maxParallelInvocations) {
      connection.end({ kind: 'error', error: 'Too many parallel invocations.' });
    } else {
      client.runningInvocations += 1;
      lastInvocation = lastInvocation
        .then(() => handle(bytes.toString()))
        .catch(onError)
        .finally(() => {
          client.runningInvocations -= 1;
        });
    }
  });
}

/** `/send`: an invocation of a client whose transport is one-way. */
export async function handleSend<User>(
  context: ClassicContext<User>,
  request: ConnectionRequest<User>,
): Promise<Refused | undefined> {
  const { data } = request.parameters;
  if (data !== undefined && Buffer.byteLength(data) > maxReceiveBytes)
    return refuse(413, 'The data is too large.');
  const hubRequest = data === undefined ? undefined : parseHubRequest(data);
  if (hubRequest === undefined) return refuse(400, 'The data is not a hub invocation.');
  const found = findOrAddClient(context, request.identity, request.claims);
  if ('refused' in found) return found;
  const { client } = found;
  if (client.runningInvocations >= context.server.limits.maxParallelInvocations)
    return refuse(429, 'Too many parallel invocations.');
  client.runningInvocations += 1;
  try {
    const connection = client.connection ?? createDetachedConnection(context, client, request);
    const response = await invokeHub(context, client, connection, hubRequest);
    if (response === undefined) sendResponse(request.response, { status: 200 });
    else replyText(request.reply, response);
  } finally {
    client.runningInvocations -= 1;
  }
  return undefined;
}

async function invokeHub<User>(
  { invoker, server }: ClassicContext<User>,
  client: ClassicClient<User>,
  connection: HubConnection<User>,
  request: HubRequest,
): Promise<string | undefined> {
  server.counters.received += 1;
  if (client.rateLimit.take(server.clock())) return invoker.invoke(connection, request);
  return JSON.stringify({ I: request.id, E: 'Too many invocations.', H: true });
}

/** For a client without a transport on this node. Its groups token is sent when it opens one. */
function createDetachedConnection<User>(
  context: ClassicContext<User>,
  client: ClassicClient<User>,
  { identity, transportType }: ConnectionRequest<User>,
) {
  const transport = detachedTransport;
  return createConnection(context, client, { identity, transportType, transport, isSubscribed: false });
}

function refuse(status: number, reason: string): Refused {
  return { refused: textResponse(status, reason) };
}
