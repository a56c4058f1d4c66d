import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Identity } from '../hub/hub.ts';
import type { ConnectionClaims } from '../tokens/connection-token.ts';
import { eventStreamFrame, ServerSentEventsTransport } from '../transports/server-sent-events-transport.ts';
import type { ServerTransport } from '../transports/server-transport.ts';
import { WebSocketTransport } from '../transports/web-socket-transport.ts';
import { type AttachedTransport, attachTransport, type TransportRequest } from './attach-transport.ts';
import { authorizeConnection, authorizeHubs, findOrAddClient, type Refused } from './authorize-request.ts';
import { type ClassicClient, resumeCursorOf } from './classic-client.ts';
import type { ClassicContext } from './classic-context.ts';
import type { ConnectionRequest } from './connection-request.ts';
import { receiveInvocations } from './invocation-endpoints.ts';
import type { RequestParameters } from './request-parameters.ts';
import { batchText, initText } from './transports/persistent-response.ts';
import { ClassicStreamingTransport } from './transports/streaming-transport.ts';

/** The parameters of a `/connect` or `/reconnect`. */
export type StreamParameters<User> = {
  readonly identity: Identity<User>;
  readonly query: RequestParameters;
  /** A `/reconnect` gets no init message. */
  readonly isReconnect: boolean;
};

type StreamRequest<User> = Pick<
  TransportRequest<User>,
  'identity' | 'isSubscribed' | 'cursor' | 'groupsToken'
> & {
  readonly client: ClassicClient<User>;
  readonly isReconnect: boolean;
  readonly ping?: () => void;
};

const initialized = eventStreamFrame(Buffer.from('initialized'));

/** `/connect` and `/reconnect` with server-sent events. */
export async function openEventStream<User>(
  context: ClassicContext<User>,
  { query, identity, claims, response }: ConnectionRequest<User>,
  isReconnect: boolean,
): Promise<Refused | undefined> {
  const request = authorizeStream(context, { identity, query, isReconnect }, claims);
  if ('refused' in request) return request;
  const serverTransport = new ServerSentEventsTransport(response, {}, initialized);
  const { attached } = attachStream(context, serverTransport, 'serverSentEvents', request);
  response.on('close', () => attached.connection.end({ kind: 'replaced' }));
  await attached.started;
  return undefined;
}

/** `/connect` and `/reconnect` with WebSockets, which every node accepts. */
export function openWebSocket<User>(
  context: ClassicContext<User>,
  [httpRequest, socket, head]: readonly [IncomingMessage, Duplex, Buffer],
  parameters: StreamParameters<User>,
): Refused | undefined {
  const authorized = authorizeConnection(context, parameters.identity, parameters.query);
  if ('refused' in authorized) return authorized;
  const request = authorizeStream(context, parameters, authorized.claims);
  if ('refused' in request) return request;
  const { acceptWebSocket, counters, nodeAddress } = context.server;
  acceptWebSocket(httpRequest, socket, head, (webSocket) => {
    const serverTransport = new WebSocketTransport(webSocket, socket);
    const ping = () => webSocket.ping();
    const { attached, transport } = attachStream(context, serverTransport, 'webSockets', {
      ...request,
      ping,
    });
    const { connection } = attached;
    webSocket.on('pong', () => transport.pongReceived());
    if (authorized.claims.ownerAddress !== nodeAddress) counters.adopted += 1;
    webSocket.on('close', () => connection.end({ kind: 'replaced' }));
    webSocket.on('error', () => connection.end({ kind: 'replaced' }));
    const { client } = request;
    receiveInvocations(context, { webSocket, serverTransport, transport, client, attached });
  });
  return undefined;
}

function authorizeStream<User>(
  context: ClassicContext<User>,
  { identity, query, isReconnect }: StreamParameters<User>,
  claims: ConnectionClaims,
): StreamRequest<User> | Refused {
  const hubs = authorizeHubs(context, query);
  if ('refused' in hubs) return hubs;
  const found = findOrAddClient(context, identity, claims);
  if ('refused' in found) return found;
  const { client } = found;
  const { messageId, groupsToken } = query;
  const cursor = messageId ?? resumeCursorOf(client);
  return { identity, isSubscribed: hubs.isSubscribed, cursor, groupsToken, client, isReconnect };
}

function attachStream<User>(
  context: ClassicContext<User>,
  serverTransport: ServerTransport,
  transportType: 'webSockets' | 'serverSentEvents',
  request: StreamRequest<User>,
): { attached: AttachedTransport<User>; transport: ClassicStreamingTransport } {
  const { client, isReconnect, cursor: clientCursor, ping } = request;
  const { framer, limits, clock } = context.server;
  const { keepAliveIntervalMs } = context.timeouts;
  const format = transportType === 'webSockets' ? 'classicWebSocket' : 'classicEventStream';
  const options = {
    serverTransport,
    format,
    framer,
    limits,
    keepAliveIntervalMs,
    now: clock(),
    ping,
  } as const;
  const transport = new ClassicStreamingTransport(options);
  const sendInit = (cursor: string, groupsToken: string | undefined) => {
    if (!isReconnect) transport.write(initText(cursor, groupsToken));
    else if (cursor !== clientCursor || groupsToken !== undefined) {
      transport.write(batchText({ cursor, groupsToken }));
    }
  };
  const attached = attachTransport(context, client, { ...request, transportType, transport, sendInit });
  return { attached, transport };
}
