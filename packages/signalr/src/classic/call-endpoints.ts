import type { RawData, WebSocket } from 'ws';
import { sendAnswer, textAnswer } from '../answer.ts';
import type { HubConnection } from '../hub.ts';
import type { Sink } from '../transports/sink.ts';
import { admitClient, type Refused } from './admit.ts';
import { type Attached, connectionOf } from './attach.ts';
import type { ClassicClient } from './classic-client.ts';
import type { Desk } from './classic-desk.ts';
import { replyText } from './classic-reply.ts';
import { inboundBytes } from './classic-timings.ts';
import { type MethodCall, readMethodCall } from './method-call.ts';
import type { StreamCarrier } from './stream-carrier.ts';
import type { ConnectionVisit } from './visit.ts';

const messageTooBig = 1009;

type Socket<User> = {
  readonly webSocket: WebSocket;
  readonly sink: Sink;
  readonly carrier: StreamCarrier;
  readonly client: ClassicClient<User>;
  readonly attached: Attached<User>;
};

/** Calls that come over a WebSocket: one after the other, from when the client is there. */
export function answerCalls<User>(desk: Desk<User>, socket: Socket<User>): void {
  const { webSocket, sink, carrier, client, attached } = socket;
  const { connection } = attached;
  let before: Promise<unknown> = attached.begun;
  const answer = async (text: string) => {
    const call = readMethodCall(text);
    if (call === undefined) connection.end({ kind: 'error', error: 'The message is not a call of a hub.' });
    else if (connection.isOpen) {
      const result = await callHub(desk, client, connection, call);
      if (result !== undefined) carrier.say(result);
    }
  };
  // Whatever one message makes fail ends its own connection: a rejection that nobody takes would end the process.
  const failed = (error: unknown) => {
    desk.context.log.error({ err: error, connectionId: connection.id }, 'hub message failed');
    connection.end({ kind: 'error', error: 'The server failed.' });
  };
  webSocket.on('message', (data: RawData) => {
    const bytes = data as Buffer;
    if (bytes.length > inboundBytes) sink.end(messageTooBig, '');
    else if (client.openCalls >= desk.context.limits.openInvocations) {
      connection.end({ kind: 'error', error: 'Too many calls at once.' });
    } else {
      client.openCalls += 1;
      before = before
        .then(() => answer(bytes.toString()))
        .catch(failed)
        .finally(() => {
          client.openCalls -= 1;
        });
    }
  });
}

/** `/send`: calls of clients that cannot send on their stream. */
export async function answerSend<User>(
  desk: Desk<User>,
  visit: ConnectionVisit<User>,
): Promise<Refused | undefined> {
  const { data } = visit.fields;
  if (data !== undefined && Buffer.byteLength(data) > inboundBytes)
    return refused(413, 'The data is too large.');
  const call = data === undefined ? undefined : readMethodCall(data);
  if (call === undefined) return refused(400, 'The data is not a call of a hub.');
  const admitted = admitClient(desk, visit.identity, visit.claims);
  if ('refused' in admitted) return admitted;
  const { client } = admitted;
  if (client.openCalls >= desk.context.limits.openInvocations) return refused(429, 'Too many calls at once.');
  client.openCalls += 1;
  try {
    const connection = client.connection ?? connectionFor(desk, client, visit);
    const result = await callHub(desk, client, connection, call);
    if (result === undefined) sendAnswer(visit.response, { status: 200 });
    else replyText(visit.reply, result);
  } finally {
    client.openCalls -= 1;
  }
  return undefined;
}

async function callHub<User>(
  { caller, context }: Desk<User>,
  client: ClassicClient<User>,
  connection: HubConnection<User>,
  call: MethodCall,
): Promise<string | undefined> {
  context.counters.received += 1;
  if (client.budget.take(context.clock())) return caller.call(connection, call);
  return JSON.stringify({ I: call.id, E: 'Too many calls.', H: true });
}

/** For a client whose stream is not here: it can call, and has what is kept told when its stream comes. */
function connectionFor<User>(desk: Desk<User>, client: ClassicClient<User>, visit: ConnectionVisit<User>) {
  const { identity, transport } = visit;
  const nowhere = {
    place: '',
    pendingBytes: 0,
    begin: () => undefined,
    moveTo: () => undefined,
    push: () => true,
    tellGroups: () => undefined,
    beat: () => true,
    end: () => undefined,
  };
  return connectionOf(desk.context, desk.groups, client, {
    identity,
    transport,
    carrier: nowhere,
    isListed: false,
  });
}

function refused(status: number, reason: string): Refused {
  return { refused: textAnswer(status, reason) };
}
