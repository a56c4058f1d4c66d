import { setTimeout as sleep } from 'node:timers/promises';
import type { Incoming } from '../../channels/port/channel.ts';
import type { ChannelOutcome, ReportReply } from '../../channels/port/outcome.ts';
import { codeInReply } from '../../channels/port/reply-code.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import type { ChannelPlace } from '../engine/channel-health.ts';
import { reportsOf } from '../outcomes/call-reports.ts';
import { referenceOf } from '../outcomes/outcome.wire.ts';
import { settleAttempts } from '../outcomes/settle-attempts.ts';
import { findAnsweredAttempt, listSentTogether } from './answer.store.ts';
import type { AnswerServices } from './answer-call.ts';
import { answerKeys, replyOf } from './answer-keys.ts';
import { findAnsweredMessage } from './find-answered-message.ts';
import { findByReference, findChannelMedium, isCallOpen } from './incoming.store.ts';
import { judgeOutcome } from './judge-outcome.ts';

type IncomingOutcome = Extract<Incoming, { kind: 'outcome' }>;
type IncomingReply = Extract<Incoming, { kind: 'reply' }>;

const nobodyAnswered: ReportReply = { judgement: '', takenBy: '' };
const tooLate: ReportReply = { judgement: 'late', takenBy: '' };

/**
 * Takes in what a channel received from its provider. Repeating it does no harm. Returns how an answer of a person was
 * judged.
 */
export function receiveIncoming(
  services: AnswerServices,
  place: ChannelPlace,
  incoming: Incoming,
): Promise<ReportReply> {
  return incoming.kind === 'reply'
    ? receiveReply(services, place, incoming)
    : receiveOutcome(services, place, incoming);
}

async function receiveOutcome(
  services: AnswerServices,
  place: ChannelPlace,
  { attemptId: name, outcome }: IncomingOutcome,
): Promise<ReportReply> {
  const attemptId =
    name === ''
      ? await attemptOfReference(services, place, referenceOf(outcome))
      : await attemptOfName(services, place, name);
  if (attemptId === undefined) {
    const { tenantId, channelId } = place;
    services.runtime.log.info(
      { tenantId, channelId, outcome: outcome.kind },
      'report about an unknown attempt',
    );
    return nobodyAnswered;
  }
  return judgeAndSettle(services, { ...place, attemptId, outcome });
}

/** A channel may only report on attempts that it has sent. */
async function attemptOfName(
  { names, runtime }: AnswerServices,
  { tenantId, channelId }: ChannelPlace,
  name: string,
): Promise<number | undefined> {
  const named = names.parse(name);
  if (named?.tenantId !== tenantId) return undefined;
  const attempt = await inTenant(runtime.database, tenantId, (transaction) =>
    findAnsweredAttempt(transaction, named.attemptId),
  );
  return attempt?.channelId === channelId ? attempt.sentAs : undefined;
}

const lookUpMs = 250;
/** Longer than sending takes: a receipt can arrive before the reference of its message is stored. */
const maxLookUps = 25;

async function attemptOfReference(
  { runtime }: AnswerServices,
  { tenantId, channelId }: ChannelPlace,
  reference: string,
): Promise<number | undefined> {
  if (reference === '') return undefined;
  for (let lookUp = 0; lookUp < maxLookUps; lookUp += 1) {
    if (lookUp > 0) await sleep(lookUpMs);
    const { attemptId, isSending } = await inTenant(runtime.database, tenantId, (transaction) =>
      findByReference(transaction, channelId, reference),
    );
    if (attemptId !== undefined || !isSending) return attemptId;
  }
  return undefined;
}

/** Replies need a code: who only knows the number of a person, or forges it, cannot answer for them. */
async function receiveReply(
  services: AnswerServices,
  place: ChannelPlace,
  { attemptId: name, from, text }: IncomingReply,
): Promise<ReportReply> {
  const code = codeInReply(text);
  const attemptId =
    name === ''
      ? await attemptOfSender(services, place, { from, code })
      : await attemptOfReply(services, place, name);
  if (attemptId === undefined) return nobodyAnswered;
  const outcome: ChannelOutcome =
    code === undefined ? { kind: 'answered', reference: '' } : { kind: 'acknowledged', reference: '', code };
  return judgeAndSettle(services, { ...place, attemptId, outcome, from: from === '' ? undefined : from });
}

async function attemptOfSender(
  services: AnswerServices,
  place: ChannelPlace,
  { from, code }: { from: string; code: string | undefined },
): Promise<number | undefined> {
  const found =
    code === undefined
      ? { kind: 'no-code' as const }
      : await findAnsweredMessage(services, place, { from, code });
  if (found.kind === 'found') return found.attemptId;
  // Without the text, which is private.
  const { tenantId, channelId } = place;
  services.runtime.log.info({ tenantId, channelId, reason: found.kind }, 'reply ignored');
  return undefined;
}

/** Several channels of a medium may share a mailbox or a number, so a reply may come in through another one. */
async function attemptOfReply(
  { names, runtime }: AnswerServices,
  { tenantId, channelId }: ChannelPlace,
  name: string,
): Promise<number | undefined> {
  const named = names.parse(name);
  if (named?.tenantId !== tenantId) return undefined;
  return inTenant(runtime.database, tenantId, async (transaction) => {
    const attempt = await findAnsweredAttempt(transaction, named.attemptId);
    if (!attempt) return undefined;
    const isSameMedium = attempt.medium === (await findChannelMedium(transaction, channelId));
    return isSameMedium ? attempt.sentAs : undefined;
  });
}

type Settling = ChannelPlace & { attemptId: number; outcome: ChannelOutcome; from?: string | undefined };

/** Carries out the answer in an outcome, and stores what remains of it for all attempts that were sent as one message. */
async function judgeAndSettle(services: AnswerServices, settling: Settling): Promise<ReportReply> {
  const { tenantId, attemptId } = settling;
  const { reply, outcome } = await judge(services, settling);
  const { changes } = await inTenant(services.runtime.database, tenantId, async (transaction) => {
    const together = await listSentTogether(transaction, attemptId);
    const attempts = together.map(({ id }) => ({ id }));
    return settleAttempts(transaction, reportsOf(outcome, attempts, services.names));
  });
  services.countAttempts(changes);
  return reply;
}

async function judge(
  services: AnswerServices,
  { tenantId, attemptId, outcome, from }: Settling,
): Promise<{ reply: ReportReply; outcome: ChannelOutcome }> {
  if (outcome.kind === 'pressed') {
    // The call proves who pressed the keys, so they count only while it goes on: a report may be a replay.
    const isOpen = await inTenant(services.runtime.database, tenantId, (transaction) =>
      isCallOpen(transaction, attemptId),
    );
    const reply = isOpen ? await answerKeys(services, { tenantId, attemptId, keys: outcome }) : tooLate;
    return { reply, outcome };
  }
  const judged = await judgeOutcome(services, { tenantId, attemptId, outcome, from });
  return { reply: judged.answered ? replyOf(judged.answered) : nobodyAnswered, outcome: judged.outcome };
}
