import { bundleAttempts, floodSeconds, type Sending, splitByLine, type WaitingAttempt } from '@tocsin/domain';
import type { Message } from '../../channels/port/message.ts';
import { type TemplatedText, templatedTexts } from '../../channels/templates/templated-text.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { type AttemptChange, firstCallSeconds } from '../outcomes/call-metrics.ts';
import { type AttemptReport, settleAttempts, withdrawAttempts } from '../outcomes/settle-attempts.ts';
import { answerOptions, answerSubject } from './answer-options.ts';
import { chooseRoute, type Decision } from './choose-route.ts';
import {
  countRecentEscalations,
  markCalling,
  postponeAttempts,
  type ReadyAttempt,
  readReadyAttempts,
} from './delivery.store.ts';
import type { Dispatch } from './dispatch.ts';
import { forEachTenantClaims } from './for-each-tenant.ts';
import { type Claim, claimAttempts, leaseMs } from './lease.store.ts';
import { outgoingMessage } from './outgoing-message.ts';
import { hangUpNotices, lockPhones } from './phone-line.store.ts';
import { wakeEscalations } from './quiet-time.store.ts';
import type { TenantChannel } from './tenant-channels.ts';
import { waitQuietly } from './wait-quietly.ts';

/** A message to send. Its outcome is the outcome of all its attempts. */
export type Outbound = {
  tenantId: number;
  channel: TenantChannel;
  message: Message;
  userId: number;
  attempts: readonly Pick<ReadyAttempt, 'id' | 'fencingToken' | 'traceParent'>[];
  /** When its attempts were claimed, by `performance.now()`. */
  claimedMs: number;
  /** When it was marked as being called, by the clock of the database. */
  claimedAt: Date;
};

/**
 * Claims queued attempts, marks those to be sent as being called, and returns their messages. Nothing is sent here. Other
 * attempts are postponed, withdrawn, or settled as failed if no channel can send them.
 */
export async function deliverDue(dispatch: Dispatch, wanted: number): Promise<Outbound[]> {
  const { database } = dispatch.runtime;
  // Process time, so that a process that was suspended can detect it.
  const claimedMs = performance.now();
  const claims = await outsideTenants(database, (outside) => claimAttempts(outside, wanted, dispatch.slots));
  return forEachTenantClaims(claims, dispatch.runtime.log, async (tenantId, some) => {
    const { send, lost, withdrawn, quiet, needed, firstCalls } = await inTenant(
      database,
      tenantId,
      (transaction) => prepare(dispatch, transaction, { claims: some, claimedMs }),
    );
    dispatch.metrics.countAttempts(send.flatMap(calledBy));
    dispatch.metrics.observeFirstCalls(firstCalls);
    // In a separate transaction, because settling locks escalations before attempts, and the first one locked attempts.
    if (lost.length + withdrawn.length + quiet.length + needed.length > 0)
      await settleOthers(dispatch, tenantId, { lost, withdrawn, quiet, needed });
    return send;
  });
}

function calledBy({ channel, attempts }: Outbound): AttemptChange[] {
  return attempts.map(() => ({ medium: channel.medium, outcome: 'calling' }));
}

async function settleOthers(
  { runtime, metrics }: Dispatch,
  tenantId: number,
  { lost, withdrawn, quiet, needed }: Omit<Prepared, 'send' | 'firstCalls'>,
): Promise<void> {
  const { changes } = await inTenant(runtime.database, tenantId, async (transaction) => {
    await wakeEscalations(transaction, quiet);
    const settled = await settleAttempts(transaction, lost);
    await withdrawAttempts(transaction, withdrawn, 'the user is no longer reached this way');
    await hangUpNotices(transaction, needed);
    return settled;
  });
  metrics.countAttempts(changes);
}

type Prepared = {
  send: Outbound[];
  /** How long escalations have waited for the first call, in seconds. */
  firstCalls: number[];
  lost: AttemptReport[];
  withdrawn: number[];
  /** The escalations of attempts that wait for their quiet time. */
  quiet: number[];
  /** Telephones with a live call that an alarm waits for. */
  needed: string[];
};

async function prepare(
  dispatch: Dispatch,
  transaction: TenantTransaction,
  { claims, claimedMs }: { claims: readonly Claim[]; claimedMs: number },
): Promise<Prepared> {
  const ready = await readReadyAttempts(transaction, claims);
  if (ready.length === 0) return { send: [], firstCalls: [], lost: [], withdrawn: [], quiet: [], needed: [] };
  const channels = await dispatch.channels.of(transaction);
  const busy = await busyPhones(transaction, ready);
  // After the telephones were locked: a call that ends now is then either live or known to have been heard.
  const { due, quiet } = await waitQuietly(transaction, ready);
  const { free, waiting } = splitByLine(await sendingsOf(transaction, due), busy);
  const texts = await templatedTexts(transaction, ready);
  const byId = new Map(ready.map((attempt) => [attempt.id, attempt]));
  const going = new Map<number, number>();
  const decisions = free.map((sending) => {
    const decision = chooseRoute(dispatch, transaction, { sending, channels, byId, going });
    if (decision.kind === 'send') going.set(decision.channel.id, (going.get(decision.channel.id) ?? 0) + 1);
    return decision;
  });
  const at = new Date(transaction.now.getTime() + lineWaitMs);
  decisions.push(...waiting.map((sending): Decision => ({ kind: 'later', at, sending })));
  await writeDecisions(dispatch, transaction, decisions);
  return {
    send: decisions.flatMap((decision) =>
      decision.kind === 'send'
        ? [
            {
              ...outboundOf(dispatch, transaction, decision, { byId, texts }),
              claimedMs,
              claimedAt: transaction.now,
            },
          ]
        : [],
    ),
    firstCalls: firstCallSeconds(
      attemptsOf(decisions, 'send').flatMap((id) => byId.get(id) ?? []),
      transaction.now,
    ),
    lost: attemptsOf(decisions, 'no-channel')
      .flatMap((id) => byId.get(id) ?? [])
      .map(noChannel),
    withdrawn: attemptsOf(decisions, 'withdrawn'),
    quiet: quiet.map(({ escalationId }) => escalationId),
    needed: waiting.flatMap(({ attempts: [first] }) =>
      first && !first.isNotice ? [first.medium.address] : [],
    ),
  };
}

function attemptsOf(decisions: readonly Decision[], wanted: Decision['kind']): number[] {
  return decisions
    .filter(({ kind }) => kind === wanted)
    .flatMap(({ sending }) => sending.attempts.map(({ id }) => id));
}

/** A call that waits for a telephone is looked at again when the live call ends; after this time at the latest. */
const lineWaitMs = 10_000;

/** The telephones among those to be called that have a live call. */
function busyPhones(transaction: TenantTransaction, ready: readonly ReadyAttempt[]): Promise<Set<string>> {
  const phones = ready.filter(({ medium }) => medium.kind === 'Voice').map(({ medium }) => medium.address);
  return lockPhones(transaction, phones);
}

async function sendingsOf(
  transaction: TenantTransaction,
  ready: readonly ReadyAttempt[],
): Promise<Sending[]> {
  const userIds = [...new Set(ready.map(({ userId }) => userId))];
  const since = new Date(transaction.now.getTime() - floodSeconds * 1_000);
  return bundleAttempts(ready.map(waitingOf), await countRecentEscalations(transaction, userIds, since));
}

function waitingOf({ id, userId, medium, waitingSince, ...attempt }: ReadyAttempt) {
  const { escalationId, priority, isFirstOfStation, createdAt: dueAt, openedAt: since, occasion } = attempt;
  const escalation = { id: escalationId, priority, isFirstOfStation, dueAt };
  const canBundle = occasion === 'raised';
  const isNotice = occasion === 'notice';
  return {
    id,
    userId,
    medium,
    escalation,
    since,
    waitingSince,
    canBundle,
    isNotice,
  } satisfies WaitingAttempt;
}

type ById = ReadonlyMap<number, ReadyAttempt>;

async function writeDecisions(
  { node }: Dispatch,
  transaction: TenantTransaction,
  decisions: readonly Decision[],
): Promise<void> {
  const leaseUntil = new Date(transaction.now.getTime() + leaseMs);
  const ids = ({ sending }: Decision) => sending.attempts.map(({ id }) => id);
  const sent = decisions.flatMap((one) =>
    one.kind === 'send'
      ? ids(one).map((id, _, [sentAs = id]) => ({
          id,
          channelId: one.channel.id,
          sentAs,
          node: one.channel.channel.callsLiveHere ? node : '',
          leaseUntil,
        }))
      : [],
  );
  const later = decisions.flatMap((one) =>
    one.kind === 'later' ? ids(one).map((id) => ({ id, at: one.at })) : [],
  );
  if (sent.length > 0) await markCalling(transaction, sent);
  if (later.length > 0) await postponeAttempts(transaction, later);
}

function noChannel({ id: attemptId, fencingToken, medium }: ReadyAttempt): AttemptReport {
  const reason = `no channel for ${medium.kind}`;
  const outcome = { kind: 'failed', permanent: false, channelFault: true, reason } as const;
  return { attemptId, report: { outcome, fencingToken }, reference: '' };
}

/** Messages about a reset or an acknowledgment need no answer, and of the notices only a test does. */
function needsAnswer({ occasion, message }: ReadyAttempt): boolean {
  return occasion === 'raised' || occasion === 'requested' || message.notice === 'test';
}

function outboundOf(
  { names, answerKeys, publicUrl }: Dispatch,
  { tenantId }: TenantTransaction,
  { channel, sending }: Extract<Decision, { kind: 'send' }>,
  { byId, texts }: { byId: ById; texts: ReadonlyMap<number, TemplatedText> },
): Omit<Outbound, 'claimedMs' | 'claimedAt'> {
  const attempts = sending.attempts.flatMap(({ id }) => byId.get(id) ?? []);
  const [first] = attempts;
  if (!first) throw new Error('a sending has an attempt');
  const attemptId = names.nameOf(tenantId, first.id);
  const subject = answerSubject(tenantId, attemptId, first.createdAt);
  const answer = needsAnswer(first) ? answerOptions(answerKeys, subject, publicUrl) : undefined;
  const callbackUrl = publicUrl === '' ? '' : `${publicUrl}/api/v1/channels/${channel.id}/callback`;
  const nameOf = (id: number) => names.nameOf(tenantId, id);
  const templated = texts.get(first.id);
  const message = outgoingMessage(attempts, sending, { attemptId, nameOf, answer, callbackUrl, templated });
  return {
    tenantId,
    channel,
    message,
    userId: first.userId,
    attempts: attempts.map(({ id, fencingToken, traceParent }) => ({ id, fencingToken, traceParent })),
  };
}
