import type { Alarm } from '@tocsin/contract';
import { takenAttempts } from '@tocsin/domain';
import type { AlarmWriter } from '../../alarms/write/alarm-writer.ts';
import type { AnswerKeys } from '../../channels/port/answer-code.ts';
import { ProblemError } from '../../common/problem.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { answerSubject } from '../engine/answer-options.ts';
import type { AttemptNames } from '../outcomes/attempt-name.ts';
import type { AttemptChange, CountAttempts } from '../outcomes/call-metrics.ts';
import { lockAttempts } from '../outcomes/settle.store.ts';
import { settleAttempts } from '../outcomes/settle-attempts.ts';
import { traceAnswer } from '../traces/trace-answer.ts';
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
  type AnswerMethod,
  type GivenAnswer,
  type Judgement,
  judgeGiven,
} from './answer-judgement.ts';

/** The services needed to answer calls. */
export type AnswerServices = {
  readonly runtime: Runtime;
  readonly writer: AlarmWriter;
  readonly names: AttemptNames;
  readonly answerKeys: AnswerKeys;
  readonly countAttempts: CountAttempts;
};

export type CallAnswer = GivenAnswer & {
  tenantId: number;
  attemptId: number;
  method: AnswerMethod;
  /** The attempts whose alarms were said; absent if the person has read all of them. */
  heard?: ReadonlySet<number> | undefined;
};

export type Answered = {
  judgement: Judgement;
  /** The intent as it was understood: a call without an alarm can only be confirmed. */
  intent: AnswerIntent;
  /** The result for each alarm that the person wanted to take. */
  alarms: TakenAlarm[];
  /** Whether the call was about an alarm. */
  hasAlarm: boolean;
  /** BCP 47, of the person called. */
  language: string;
};

/** `over`: another occurrence has begun, or the alarm is deleted. `by` is the user who acknowledged it. */
export type TakenAlarm = { id: number; outcome: 'taken' | 'taken-before' | 'over'; by: string };

/**
 * Handles the answer to a call. Confirming the call stops further calls to this person in the current step, refusing it
 * calls the next person at once. Taking the alarm acknowledges it in their name, which ends the escalation. A call without an alarm can only be confirmed. The alarm
 * is acknowledged before the answer is stored: if the server dies in between, the code can be used again.
 */
export async function answerCall(
  services: AnswerServices,
  answer: CallAnswer,
): Promise<Answered | undefined> {
  const { tenantId } = answer;
  const { database } = services.runtime;
  const first = await inTenant(database, tenantId, (transaction) => judge(services, transaction, answer));
  if (!first) return undefined;
  const { attempt, together, intent } = first;
  const trace = traceAnswer(services.runtime.tracing, { ...answer, intent, together });
  const about = { intent, hasAlarm: hasAlarm(together), language: attempt.language };
  if (first.judgement !== 'accepted') {
    // A provider may report the same answer twice.
    if (first.judgement !== 'used') trace.end(first.judgement);
    return { ...about, judgement: first.judgement, alarms: [] };
  }

  const wanted = intent === 'take' ? together : [];
  const taken = await Promise.all(
    wanted.map((one) =>
      takeAlarm(services, { tenantId, attempt, one, traceParent: trace.traceParentOf(one.id) }),
    ),
  );
  const { judgement, changes } = await inTenant(database, tenantId, (transaction) =>
    settleAnswer(services, transaction, { answer, together }),
  );
  services.countAttempts(changes);
  trace.end(judgement);
  return { ...about, judgement, alarms: taken.flat() };
}

type JudgedAnswer = {
  judgement: Judgement;
  intent: AnswerIntent;
  attempt: AnsweredAttempt;
  together: SentTogether[];
};

/** Judges an answer under the lock of its attempt, so that concurrent guesses of the code are counted one by one. */
async function judge(
  { names, answerKeys }: AnswerServices,
  transaction: TenantTransaction,
  { tenantId, attemptId, method, heard, ...given }: CallAnswer,
): Promise<JudgedAnswer | undefined> {
  await lockAttempts(transaction, [attemptId]);
  const attempt = await findAnsweredAttempt(transaction, attemptId);
  if (!attempt) return undefined;
  const together = heardOf(await listSentTogether(transaction, attempt.sentAs), heard);
  const intent = hasAlarm(together) || given.intent === 'refuse' ? given.intent : 'confirm';
  const { address, mayAct, accepted, codeTries: failures } = attempt;
  const subject = answerSubject(tenantId, names.nameOf(tenantId, attemptId), attempt.createdAt);
  const judged = { subject, failures, accepted, mayAct, address };
  const judgement = judgeGiven(answerKeys, { ...given, intent }, { attempt: judged, now: transaction.now });
  if (judgement === 'wrong') await countWrongCode(transaction, attemptId);
  if (judgement !== 'accepted') await recordAnswer(transaction, { attemptId, method, intent, judgement });
  return { judgement, intent, attempt, together };
}

/** What was not heard is not taken. */
function heardOf(together: readonly SentTogether[], heard: CallAnswer['heard']): SentTogether[] {
  const taken = takenAttempts(
    together.map(({ id }) => id),
    heard,
  );
  return together.filter(({ id }) => taken.includes(id));
}

async function takeAlarm(
  { writer }: AnswerServices,
  {
    tenantId,
    attempt,
    one,
    traceParent,
  }: { tenantId: number; attempt: AnsweredAttempt; one: SentTogether; traceParent: string | undefined },
): Promise<TakenAlarm[]> {
  const { tagId, occurrenceId } = one;
  if (tagId === null || occurrenceId === null) return [];
  const { userId, userName: name } = attempt;
  const actor = { name, subject: `user:${userId}`, userId, stationIds: undefined };
  try {
    const order = { kind: 'acknowledge' as const, tagId, occurrenceId, actor, traceParent };
    const alarm = (await writer.submit(tenantId, order)) as Alarm;
    return [{ id: tagId, outcome: alarm.ackUser === name ? 'taken' : 'taken-before', by: alarm.ackUser }];
  } catch (error) {
    if (error instanceof ProblemError && (error.code === 'not-found' || error.code === 'conflict'))
      return [{ id: tagId, outcome: 'over', by: '' }];
    throw error;
  }
}

async function settleAnswer(
  services: AnswerServices,
  transaction: TenantTransaction,
  { answer, together }: { answer: CallAnswer; together: readonly SentTogether[] },
): Promise<{ judgement: Judgement; changes: readonly AttemptChange[] }> {
  await lockAttempts(
    transaction,
    together.map(({ id }) => id),
  );
  // Judged again under the lock: another answer with the same code may have been faster.
  const again = await judge(services, transaction, answer);
  if (again?.judgement !== 'accepted') return { judgement: again?.judgement ?? 'wrong', changes: [] };
  const { attemptId, method } = answer;
  const { changes } = await settleAttempts(
    transaction,
    together.map(({ id }) => ({
      attemptId: id,
      report: { outcome: { kind: again.intent === 'refuse' ? 'declined' : 'acknowledged' } },
      reference: '',
    })),
  );
  await recordAnswer(transaction, { attemptId, method, intent: again.intent, judgement: 'accepted' });
  return { judgement: 'accepted', changes };
}
