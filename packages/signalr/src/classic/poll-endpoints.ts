import { textAnswer } from '../answer.ts';
import { admitClient, admitHubs, type Refused } from './admit.ts';
import { attach } from './attach.ts';
import { type ClassicClient, placeOf } from './classic-client.ts';
import type { Desk } from './classic-desk.ts';
import { initText } from './classic-frames.ts';
import { replyText } from './classic-reply.ts';
import { PollCarrier } from './poll-carrier.ts';
import type { ConnectionVisit } from './visit.ts';

const tryAgain: Refused = { refused: textAnswer(503, 'Try again later') };

/** `/connect` by long polling is answered at once: the messages come with the polls. */
export async function connectByPolling<User>(
  desk: Desk<User>,
  visit: ConnectionVisit<User>,
): Promise<Refused | undefined> {
  const hubs = admitHubs(desk, visit.query);
  if ('refused' in hubs) return hubs;
  const admitted = admitClient(desk, visit.identity, visit.claims);
  if ('refused' in admitted) return admitted;
  const begun = await attachPolling(desk, visit, {
    client: admitted.client,
    isListed: hubs.isListed,
    carrier: createCarrier(desk),
    greet: (cursor, groupsToken) => replyText(visit.reply, initText(cursor, groupsToken)),
  });
  return begun ? undefined : tryAgain;
}

/** `/poll`, and `/reconnect` of a polling client: goes on where the client is, or joins again from there. */
export async function poll<User>(
  desk: Desk<User>,
  visit: ConnectionVisit<User>,
): Promise<Refused | undefined> {
  const hubs = admitHubs(desk, visit.query);
  if ('refused' in hubs) return hubs;
  const admitted = admitClient(desk, visit.identity, visit.claims);
  if ('refused' in admitted) return admitted;
  const { client } = admitted;
  const { messageId } = visit.fields;
  let carrier = carrierToGoOn(client, visit);
  if (carrier === undefined) {
    const fresh = createCarrier(desk);
    const greet = (_: string, groupsToken: string | undefined) => {
      if (groupsToken !== undefined) fresh.tellGroups(groupsToken);
    };
    const begun = await attachPolling(desk, visit, {
      client,
      isListed: hubs.isListed,
      carrier: fresh,
      greet,
    });
    if (!begun) return tryAgain;
    carrier = fresh;
  }
  carrier.wait(visit.reply, messageId, desk.context.clock());
  return undefined;
}

/** A newer token may allow other things than the one the hub was joined with. */
function carrierToGoOn<User>(
  { connection }: ClassicClient<User>,
  { fields, identity }: ConnectionVisit<User>,
): PollCarrier | undefined {
  if (!(connection?.carrier instanceof PollCarrier)) return undefined;
  if (connection.identity.expiresAt !== identity.expiresAt) return undefined;
  return connection.carrier.continuesFrom(fields.messageId) ? connection.carrier : undefined;
}

type Polling<User> = {
  readonly client: ClassicClient<User>;
  readonly isListed: boolean;
  readonly carrier: PollCarrier;
  greet(cursor: string, groupsToken: string | undefined): void;
};

function attachPolling<User>(
  { context, groups }: Desk<User>,
  { identity, fields }: ConnectionVisit<User>,
  { client, isListed, carrier, greet }: Polling<User>,
): Promise<boolean> {
  const { groupsToken } = fields;
  const cursor = fields.messageId ?? placeOf(client);
  const way = { identity, transport: 'longPolling', carrier, isListed, cursor, groupsToken, greet } as const;
  return attach(context, groups, client, way).begun;
}

function createCarrier<User>({ context, timings }: Desk<User>): PollCarrier {
  const { framer, limits } = context;
  return new PollCarrier({ framer, timings, pendingBytes: limits.pendingBytes });
}
