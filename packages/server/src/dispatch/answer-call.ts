import type { Alarm } from '@tocsin/contract';
import type { AlarmWriter } from '../alarms/alarm-writer.ts';
import type { AnswerKeys } from '../channels/answer-code.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import {
  type AnsweredAttempt,
  countWrongCode,
  findAnsweredAttempt,
  hasAlarm,
  listSentTogether,
  recordAnswer,
  type SentTogether,
} from './answer.store.ts';
import {
  type AnswerIntent,
  type AnswerWayName,
  type GivenAnswer,
  type Judgement,
  judgeGiven,
} from './answer-judgement.ts';
import { answerSubject } from './answer-way.ts';
import type { AttemptNames } from './attempt-name.ts';
import { lockAttempts } from './delivery.store.ts';
import { settleAttempts } from './settle-attempts.ts';

/** What answering a call needs of the installation. */
export type Answering = {
  readonly runtime: Runtime;
  readonly writer: AlarmWriter;
  readonly names: AttemptNames;
  readonly answerKeys: AnswerKeys;
};

export type CallAnswer = GivenAnswer & { tenantId: number; attemptId: number; way: AnswerWayName };

export type Answered = {
  judgement: Judgement;
  /** What it was taken for: a call without an alarm can be confirmed and no more. */
  intent: AnswerIntent;
  /** What became of each alarm that was to be taken. */
  alarms: TakenAlarm[];
  /** Whether the call was about an alarm. */
  hasAlarm: boolean;
  /** BCP 47, of the person called. */
  language: string;
};

/** `over`: another occurrence has begun, or the alarm is gone. `by` is who has it. */
export type TakenAlarm = { id: number; outcome: 'taken' | 'taken-before' | 'over'; by: string };

/**
 * Somebody answers a call. That he has got it stops further calls to him in this step; that he takes the alarm
 * acknowledges it in his name, which ends all calling. A call without an alarm can only be confirmed, whatever keys were
 * pressed. The alarm goes first: were the server to die in between, the
 * code is still good, and nobody has been told that all is well when it is not.
 */
export async function answerCall(answering: Answering, answer: CallAnswer): Promise<Answered | undefined> {
  const { tenantId } = answer;
  const { database } = answering.runtime;
  const first = await inTenant(database, tenantId, (transaction) => look(answering, transaction, answer));
  if (!first) return undefined;
  const { attempt, together, intent } = first;
  const about = { intent, hasAlarm: hasAlarm(together), language: attempt.language };
  if (first.judgement !== 'accepted') return { ...about, judgement: first.judgement, alarms: [] };

  const wanted = intent === 'take' ? together : [];
  const taken = await Promise.all(wanted.map((one) => takeAlarm(answering, { tenantId, attempt, one })));
  const judgement = await inTenant(database, tenantId, (transaction) =>
    settleAnswer(answering, transaction, { answer, together }),
  );
  return { ...about, judgement, alarms: taken.flat() };
}

type Look = {
  judgement: Judgement;
  intent: AnswerIntent;
  attempt: AnsweredAttempt;
  together: SentTogether[];
};

/** Judges under the lock of the attempt, so that a thousand guesses at once are still counted one by one. */
async function look(
  { names, answerKeys }: Answering,
  transaction: TenantTransaction,
  { tenantId, attemptId, way, ...given }: CallAnswer,
): Promise<Look | undefined> {
  await lockAttempts(transaction, [attemptId]);
  const attempt = await findAnsweredAttempt(transaction, attemptId);
  if (!attempt) return undefined;
  const together = await listSentTogether(transaction, attempt.sentAs);
  const intent = hasAlarm(together) ? given.intent : 'confirm';
  const { address, mayAct, accepted, codeTries: failures } = attempt;
  const subject = answerSubject(tenantId, names.nameOf(tenantId, attemptId), attempt.createdAt);
  const judged = { subject, failures, accepted, mayAct, address };
  const judgement = judgeGiven(answerKeys, { ...given, intent }, { attempt: judged, now: transaction.now });
  if (judgement === 'wrong') await countWrongCode(transaction, attemptId);
  if (judgement !== 'accepted') await recordAnswer(transaction, { attemptId, way, intent, judgement });
  return { judgement, intent, attempt, together };
}

async function takeAlarm(
  { writer }: Answering,
  { tenantId, attempt, one }: { tenantId: number; attempt: AnsweredAttempt; one: SentTogether },
): Promise<TakenAlarm[]> {
  const { tagId, occurrenceId } = one;
  if (tagId === null || occurrenceId === null) return [];
  const { userId, userName: name } = attempt;
  const actor = { name, subject: `user:${userId}`, userId, stationIds: undefined };
  try {
    const order = { kind: 'acknowledge' as const, tagId, occurrenceId, actor };
    const alarm = (await writer.submit(tenantId, order)) as Alarm;
    return [{ id: tagId, outcome: alarm.ackUser === name ? 'taken' : 'taken-before', by: alarm.ackUser }];
  } catch (error) {
    if (error instanceof ProblemError && (error.code === 'not-found' || error.code === 'conflict'))
      return [{ id: tagId, outcome: 'over', by: '' }];
    throw error;
  }
}

async function settleAnswer(
  answering: Answering,
  transaction: TenantTransaction,
  { answer, together }: { answer: CallAnswer; together: readonly SentTogether[] },
): Promise<Judgement> {
  await lockAttempts(
    transaction,
    together.map(({ id }) => id),
  );
  // Whoever was faster with the same code has answered; this one is recorded by the second look.
  const again = await look(answering, transaction, answer);
  if (again?.judgement !== 'accepted') return again?.judgement ?? 'wrong';
  const { attemptId, way } = answer;
  await settleAttempts(
    transaction,
    together.map(({ id }) => ({
      attemptId: id,
      report: { outcome: { kind: 'acknowledged' } },
      reference: '',
    })),
  );
  await recordAnswer(transaction, { attemptId, way, intent: again.intent, judgement: 'accepted' });
  return 'accepted';
}
