import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionClaims } from '../connection-token.ts';
import type { Identity } from '../hub.ts';
import { EventStreamSink, eventStreamFrame } from '../transports/event-stream-sink.ts';
import type { Sink } from '../transports/sink.ts';
import { WebSocketSink } from '../transports/web-socket-sink.ts';
import { admit, admitClient, admitHubs, type Refused } from './admit.ts';
import { type Attached, attach, type Way } from './attach.ts';
import { answerCalls } from './call-endpoints.ts';
import { type ClassicClient, placeOf } from './classic-client.ts';
import type { Desk } from './classic-desk.ts';
import { batchText, initText } from './classic-frames.ts';
import type { ClassicRequest } from './classic-request.ts';
import { StreamCarrier } from './stream-carrier.ts';
import type { ConnectionVisit } from './visit.ts';

export type Arrival<User> = {
  readonly identity: Identity<User>;
  readonly query: ClassicRequest;
  /** Whether it is `/reconnect`, which is not greeted as a new one. */
  readonly isReconnect: boolean;
};

type Opening<User> = Pick<Way<User>, 'identity' | 'isListed' | 'cursor' | 'groupsToken'> & {
  readonly client: ClassicClient<User>;
  readonly isReconnect: boolean;
  readonly ping?: () => void;
};

const initialized = eventStreamFrame(Buffer.from('initialized'));

/** `/connect` and `/reconnect` by server-sent events. */
export async function streamEvents<User>(
  desk: Desk<User>,
  { query, identity, claims, response }: ConnectionVisit<User>,
  isReconnect: boolean,
): Promise<Refused | undefined> {
  const opening = openStream(desk, { identity, query, isReconnect }, claims);
  if ('refused' in opening) return opening;
  const sink = new EventStreamSink(response, {}, initialized);
  const { attached } = attachStream(desk, sink, 'serverSentEvents', opening);
  response.on('close', () => attached.connection.end({ kind: 'replaced' }));
  await attached.begun;
  return undefined;
}

/** `/connect` and `/reconnect` by WebSocket, which any node serves. */
export function upgradeToWebSocket<User>(
  desk: Desk<User>,
  [request, socket, head]: readonly [IncomingMessage, Duplex, Buffer],
  arrival: Arrival<User>,
): Refused | undefined {
  const admitted = admit(desk, arrival.identity, arrival.query);
  if ('refused' in admitted) return admitted;
  const opening = openStream(desk, arrival, admitted.claims);
  if ('refused' in opening) return opening;
  const { context } = desk;
  context.acceptWebSocket(request, socket, head, (webSocket) => {
    const sink = new WebSocketSink(webSocket, socket);
    const ping = () => webSocket.ping();
    const { attached, carrier } = attachStream(desk, sink, 'webSockets', { ...opening, ping });
    const { connection } = attached;
    webSocket.on('pong', () => carrier.confirm());
    if (admitted.claims.owner !== context.nodeAddress) context.counters.adopted += 1;
    webSocket.on('close', () => connection.end({ kind: 'replaced' }));
    webSocket.on('error', () => connection.end({ kind: 'replaced' }));
    answerCalls(desk, { webSocket, sink, carrier, client: opening.client, attached });
  });
  return undefined;
}

function openStream<User>(
  desk: Desk<User>,
  { identity, query, isReconnect }: Arrival<User>,
  claims: ConnectionClaims,
): Opening<User> | Refused {
  const hubs = admitHubs(desk, query);
  if ('refused' in hubs) return hubs;
  const admitted = admitClient(desk, identity, claims);
  if ('refused' in admitted) return admitted;
  const { client } = admitted;
  const { messageId, groupsToken } = query;
  const cursor = messageId ?? placeOf(client);
  return { identity, isListed: hubs.isListed, cursor, groupsToken, client, isReconnect };
}

function attachStream<User>(
  { context, groups, timings }: Desk<User>,
  sink: Sink,
  transport: 'webSockets' | 'serverSentEvents',
  opening: Opening<User>,
): { attached: Attached<User>; carrier: StreamCarrier } {
  const { client, isReconnect, cursor, ping } = opening;
  const { framer, limits, clock } = context;
  const format = transport === 'webSockets' ? 'classicWebSocket' : 'classicEventStream';
  const { keepAliveMs } = timings;
  const carrier = new StreamCarrier({ sink, format, framer, limits, keepAliveMs, now: clock(), ping });
  const greet = (begins: string, groupsToken: string | undefined) => {
    if (!isReconnect) carrier.say(initText(begins, groupsToken));
    else if (begins !== cursor || groupsToken !== undefined) {
      carrier.say(batchText({ cursor: begins, groupsToken }));
    }
  };
  return { attached: attach(context, groups, client, { ...opening, transport, carrier, greet }), carrier };
}
