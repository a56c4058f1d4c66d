import { sendAnswer, textAnswer } from '../answer.ts';
import type { Refused } from './admit.ts';
import { answerSend } from './call-endpoints.ts';
import type { Desk } from './classic-desk.ts';
import { replyJson } from './classic-reply.ts';
import { connectByPolling, poll } from './poll-endpoints.ts';
import { streamEvents } from './stream-endpoints.ts';
import type { ConnectionVisit } from './visit.ts';

/** Undefined when it has answered itself. */
type ConnectionEndpoint = <User>(
  desk: Desk<User>,
  visit: ConnectionVisit<User>,
) => Promise<Refused | undefined>;

const notAnUpgrade: Refused = { refused: textAnswer(400, 'A WebSocket begins with an upgrade.') };

const connect: ConnectionEndpoint = async (desk, visit) => {
  if (visit.transport === 'webSockets') return notAnUpgrade;
  if (visit.transport === 'longPolling') return connectByPolling(desk, visit);
  return streamEvents(desk, visit, false);
};

const reconnect: ConnectionEndpoint = async (desk, visit) => {
  if (visit.transport === 'webSockets') return notAnUpgrade;
  return visit.transport === 'longPolling' ? poll(desk, visit) : streamEvents(desk, visit, true);
};

const pollAgain: ConnectionEndpoint = async (desk, visit) => {
  if (visit.transport === 'longPolling') return poll(desk, visit);
  return { refused: textAnswer(400, 'Protocol error: Unknown transport.') };
};

/** The client has its stream; it was subscribed when that opened. */
const start: ConnectionEndpoint = async (_, { reply }) => {
  replyJson(reply, { Response: 'started' });
  return undefined;
};

/** The client of Node names another transport here than it used. */
const abort: ConnectionEndpoint = async ({ clients }, { claims, response }) => {
  const client = clients.find(claims.connectionId);
  if (client !== undefined) clients.end(client, { kind: 'replaced' });
  sendAnswer(response, { status: 200 });
  return undefined;
};

/** What may be asked of a connection, by the end of the path. */
export const connectionEndpoints: ReadonlyMap<string, ConnectionEndpoint> = new Map([
  ['connect', connect],
  ['reconnect', reconnect],
  ['poll', pollAgain],
  ['start', start],
  ['abort', abort],
  ['send', answerSend],
]);
