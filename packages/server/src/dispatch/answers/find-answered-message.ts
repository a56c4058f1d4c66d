import { judgeAnswer } from '../../channels/port/answer-code.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { answerSubject } from '../engine/answer-options.ts';
import type { ChannelPlace } from '../engine/channel-health.ts';
import { lockAttempts } from '../outcomes/settle.store.ts';
import { hasAlarm, listSentTogether, recordAnswer } from './answer.store.ts';
import type { AnswerServices } from './answer-call.ts';
import { readDigits } from './answer-judgement.ts';
import {
  countWrongReply,
  findChannelMedium,
  listRecentAttempts,
  type RecentAttempt,
} from './incoming.store.ts';
import { addressKey, isSameAddress } from './same-address.ts';

/** A reply with a code, from a sender who does not tell which message they answer. */
export type SentCode = { from: string; code: string };

export type AnsweredMessage =
  | { kind: 'found'; attemptId: number }
  | { kind: 'wrong-code' }
  | { kind: 'unknown-sender' };

/**
 * Finds the message that a reply answers: of those that the sender got in the last day by the medium of the channel, the
 * one with this code. A code of none of them counts as wrong for each, so that a forged sender cannot guess.
 */
export function findAnsweredMessage(
  services: AnswerServices,
  { tenantId, channelId }: ChannelPlace,
  { from, code }: SentCode,
): Promise<AnsweredMessage> {
  return inTenant(services.runtime.database, tenantId, async (transaction) => {
    const medium = await findChannelMedium(transaction, channelId);
    const key = addressKey(from);
    if (medium === undefined || key === '') return { kind: 'unknown-sender' };
    const list = async () =>
      (await listRecentAttempts(transaction, { medium, key })).filter(({ address }) =>
        isSameAddress(from, address),
      );
    // Compared under the locks, so that concurrent guesses are counted one by one.
    await lockAttempts(
      transaction,
      (await list()).map(({ id }) => id),
    );
    const recent = await list();
    const [newest] = recent;
    if (!newest) return { kind: 'unknown-sender' };
    const { proof } = readDigits(code);
    const given = proof.kind === 'code' ? proof.given : '';
    const found = recent.find((one) => judge(services, transaction, { one, given, failures: 0 }) !== 'wrong');
    if (found) return { kind: 'found', attemptId: found.id };
    await recordWrongCode(services, transaction, { recent, newest, given, code });
    return { kind: 'wrong-code' };
  });
}

function judge(
  { names, answerKeys }: AnswerServices,
  { tenantId, now }: TenantTransaction,
  { one, given, failures }: { one: RecentAttempt; given: string; failures: number },
) {
  const subject = answerSubject(tenantId, names.nameOf(tenantId, one.id), one.createdAt);
  return judgeAnswer(answerKeys, given, { attempt: { ...subject, failures, answeredAt: undefined }, now });
}

type WrongCode = { recent: readonly RecentAttempt[]; newest: RecentAttempt; given: string; code: string };

/** Recorded once, in the timeline of the newest message. */
async function recordWrongCode(
  services: AnswerServices,
  transaction: TenantTransaction,
  { recent, newest, given, code }: WrongCode,
): Promise<void> {
  const judgement = judge(services, transaction, { one: newest, given, failures: newest.codeTries });
  await countWrongReply(
    transaction,
    recent.map(({ id }) => id),
  );
  const together = await listSentTogether(transaction, newest.id);
  const intent = hasAlarm(together) ? readDigits(code).intent : 'confirm';
  await recordAnswer(transaction, { attemptId: newest.id, method: 'provider', intent, judgement });
}
