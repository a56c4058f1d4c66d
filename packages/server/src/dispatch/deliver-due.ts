import { bundleUp, chooseChannel, floodSeconds, type Sending, type WaitingAttempt } from '@tocsin/domain';
import type { Message } from '../channels/channel.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { answerSubject, answerWay } from './answer-way.ts';
import {
  countRecentDuties,
  markCalling,
  postponeAttempts,
  type ReadyAttempt,
  readReadyAttempts,
} from './delivery.store.ts';
import type { Dispatch } from './dispatch.ts';
import { leaseMs, type Taken, takeDueAttempts } from './lease.store.ts';
import { outgoingMessage } from './outgoing-message.ts';
import { type AttemptReport, settleAttempts, withdrawAttempts } from './settle-attempts.ts';
import type { TenantChannel } from './tenant-channels.ts';
import { workThrough } from './work-through.ts';

/** A message on its way: its outcome is the outcome of all its attempts. */
export type Outbound = {
  tenantId: number;
  channel: TenantChannel;
  message: Message;
  attempts: readonly { id: number; fence: number }[];
  /** When it was taken up, by the clock of `performance.now()`. */
  takenMs: number;
  /** When that was written down, by the clock of the database. */
  takenAt: Date;
};

/**
 * Takes up attempts that may be sent and writes down that they are being called. Nothing is sent here: what is
 * answered must be, and what is not answered was put off, or cannot be sent at all and is settled as failed.
 */
export async function deliverDue(dispatch: Dispatch, wanted: number): Promise<Outbound[]> {
  const { database } = dispatch.runtime;
  // Process time: a process that was stopped in its tracks must notice.
  const takenMs = performance.now();
  const taken = await outsideTenants(database, (outside) => takeDueAttempts(outside, wanted, dispatch.slots));
  return workThrough(taken, dispatch.runtime.log, async (tenantId, some) => {
    const { send, lost, withdrawn } = await inTenant(database, tenantId, (transaction) =>
      intend(dispatch, transaction, { taken: some, takenMs }),
    );
    // By itself: attempts are locked here before their duties, and whoever closes a duty locks it first.
    if (lost.length + withdrawn.length > 0)
      await inTenant(database, tenantId, async (transaction) => {
        await settleAttempts(transaction, lost);
        await withdrawAttempts(transaction, withdrawn, 'the user is no longer reached this way');
      });
    return send;
  });
}

type Decision =
  | { kind: 'send'; channel: TenantChannel; sending: Sending }
  | { kind: 'later'; at: Date; sending: Sending }
  | { kind: 'no-way'; sending: Sending }
  /** The person is disabled or has another number since: nobody was tried, and the escalation looks again. */
  | { kind: 'withdrawn'; sending: Sending };

async function intend(
  dispatch: Dispatch,
  transaction: TenantTransaction,
  { taken, takenMs }: { taken: readonly Taken[]; takenMs: number },
): Promise<{ send: Outbound[]; lost: AttemptReport[]; withdrawn: number[] }> {
  const ready = await readReadyAttempts(transaction, taken);
  if (ready.length === 0) return { send: [], lost: [], withdrawn: [] };
  const channels = await dispatch.channels.of(transaction);
  const sendings = await sendingsOf(transaction, ready);
  const byId = new Map(ready.map((attempt) => [attempt.id, attempt]));
  const going = new Map<number, number>();
  const decisions = sendings.map((sending) => {
    const decision = decide(dispatch, transaction, { sending, channels, byId, going });
    if (decision.kind === 'send') going.set(decision.channel.id, (going.get(decision.channel.id) ?? 0) + 1);
    return decision;
  });
  await writeDecisions(transaction, decisions);
  return {
    send: decisions.flatMap((decision) =>
      decision.kind === 'send'
        ? [{ ...outboundOf(dispatch, transaction, decision, byId), takenMs, takenAt: transaction.now }]
        : [],
    ),
    lost: attemptsOf(decisions, 'no-way')
      .flatMap((id) => byId.get(id) ?? [])
      .map(noWay),
    withdrawn: attemptsOf(decisions, 'withdrawn'),
  };
}

function attemptsOf(decisions: readonly Decision[], wanted: Decision['kind']): number[] {
  return decisions
    .filter(({ kind }) => kind === wanted)
    .flatMap(({ sending }) => sending.attempts.map(({ id }) => id));
}

async function sendingsOf(
  transaction: TenantTransaction,
  ready: readonly ReadyAttempt[],
): Promise<Sending[]> {
  const userIds = [...new Set(ready.map(({ userId }) => userId))];
  const since = new Date(transaction.now.getTime() - floodSeconds * 1_000);
  return bundleUp(ready.map(waitingOf), await countRecentDuties(transaction, userIds, since));
}

function waitingOf({ id, userId, medium, waitingSince, ...attempt }: ReadyAttempt) {
  const { dutyId, priority, firstOfPlant, createdAt: dueAt, openedAt: since, occasion } = attempt;
  const duty = { id: dutyId, priority, firstOfPlant, dueAt };
  const bundles = occasion === 'raised';
  return { id, userId, medium, duty, since, waitingSince, bundles } satisfies WaitingAttempt;
}

type ById = ReadonlyMap<number, ReadyAttempt>;

type Choosing = {
  sending: Sending;
  channels: readonly TenantChannel[];
  byId: ById;
  /** By channel, what is to be sent with it. */
  going: ReadonlyMap<number, number>;
};

/** So soon a channel that has as many messages on their way as it may is looked at again. */
const fullMs = 500;

function decide(
  { health, limits, slots }: Dispatch,
  { tenantId, now }: TenantTransaction,
  { sending, channels, byId, going }: Choosing,
): Decision {
  const first = byId.get(sending.attempts[0]?.id ?? 0);
  if (!first) return { kind: 'no-way', sending };
  if (!first.reachable) return { kind: 'withdrawn', sending };
  const routes = channels.filter(({ medium }) => medium === first.medium.kind);
  const choices = routes.map(({ id }) => ({
    id,
    healthy: health.isHealthy({ tenantId, channelId: id }, now),
  }));
  const chosen = chooseChannel(choices, first.avoid);
  const channel = routes.find(({ id }) => id === chosen?.id);
  if (!channel) return { kind: 'no-way', sending };
  if (!slots.hasRoom({ tenantId, channelId: channel.id }, (going.get(channel.id) ?? 0) + 1))
    return { kind: 'later', at: new Date(now.getTime() + fullMs), sending };
  const rest = health.restsUntil({ tenantId, channelId: channel.id }, now);
  if (rest) return { kind: 'later', at: rest, sending };
  const { urgent, waitingSince } = sending;
  const wanted = { tenantId, userId: first.userId, channelId: channel.id, urgent, waitingSince };
  const admission = limits.admit(wanted, now);
  if (admission.kind === 'later') return { kind: 'later', at: admission.at, sending };
  health.tries({ tenantId, channelId: channel.id }, now);
  return { kind: 'send', channel, sending };
}

async function writeDecisions(transaction: TenantTransaction, decisions: readonly Decision[]): Promise<void> {
  const leaseUntil = new Date(transaction.now.getTime() + leaseMs);
  const ids = ({ sending }: Decision) => sending.attempts.map(({ id }) => id);
  const sent = decisions.flatMap((one) =>
    one.kind === 'send'
      ? ids(one).map((id, _, [sentAs = id]) => ({ id, channelId: one.channel.id, sentAs, leaseUntil }))
      : [],
  );
  const later = decisions.flatMap((one) =>
    one.kind === 'later' ? ids(one).map((id) => ({ id, at: one.at })) : [],
  );
  if (sent.length > 0) await markCalling(transaction, sent);
  if (later.length > 0) await postponeAttempts(transaction, later);
}

function noWay({ id: attemptId, fence, medium }: ReadyAttempt): AttemptReport {
  const reason = `no channel for ${medium.kind}`;
  const outcome = { kind: 'failed', permanent: false, channelFault: true, reason } as const;
  return { attemptId, report: { outcome, fence }, reference: '' };
}

/** That an alarm was reset or taken is news: nobody has to answer it. */
function isAnswered({ occasion }: ReadyAttempt): boolean {
  return occasion === 'raised' || occasion === 'requested';
}

/** How long a provider may take to say that it has the message. */
const sendMs = 5_000;

function outboundOf(
  { names, answerKeys, publicUrl }: Dispatch,
  { tenantId, now }: TenantTransaction,
  { channel, sending }: Extract<Decision, { kind: 'send' }>,
  byId: ById,
): Omit<Outbound, 'takenMs' | 'takenAt'> {
  const attempts = sending.attempts.flatMap(({ id }) => byId.get(id) ?? []);
  const [first] = attempts;
  if (!first) throw new Error('a sending has an attempt');
  const attemptId = names.nameOf(tenantId, first.id);
  const subject = answerSubject(tenantId, attemptId, first.createdAt);
  const answer = isAnswered(first) ? answerWay(answerKeys, subject, publicUrl) : undefined;
  const callbackUrl = publicUrl === '' ? '' : `${publicUrl}/api/v1/channels/${channel.id}/callback`;
  const deadline = new Date(now.getTime() + sendMs);
  const message = outgoingMessage(attempts, sending, { attemptId, answer, callbackUrl, deadline });
  return { tenantId, channel, message, attempts: attempts.map(({ id, fence }) => ({ id, fence })) };
}
