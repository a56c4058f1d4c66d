import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { AnswerIntent, AnswerMethod, Judgement } from './answer-judgement.ts';

/** An attempt with the facts needed to judge its answer. */
export type AnsweredAttempt = {
  id: number;
  userId: number;
  userName: string;
  address: string;
  medium: string;
  message: string;
  channelId: number;
  createdAt: Date;
  codeTries: number;
  /** The attempt whose name the message carries; itself by default. */
  sentAs: number;
  timeZone: string;
  /** BCP 47, of the person called; empty if not set. */
  language: string;
  /** Whether the person called still exists and is enabled. */
  mayAct: boolean;
  accepted: { intent: AnswerIntent; at: Date }[];
};

export async function findAnsweredAttempt(
  transaction: TenantTransaction,
  attemptId: number,
): Promise<AnsweredAttempt | undefined> {
  const { client, tenantId } = transaction;
  const { rows } = await client.query<Omit<AnsweredAttempt, 'accepted'>>({
    name: 'find-answered-attempt',
    text: `select c.id, c.user_id as "userId", c.user_name as "userName", c.address, c.medium, c.message,
             c.channel_id as "channelId", c.started_at as "createdAt", c.code_tries as "codeTries",
             coalesce(c.sent_as, c.id) as "sentAs",
             coalesce((select s.time_zone from stations s where s.tenant_id = $1 and s.id = c.station_id), 'UTC')
               as "timeZone",
             coalesce(u.language, '') as language, coalesce(u.enabled, false) as "mayAct"
           from call_attempts c left join users u on u.tenant_id = $1 and u.id = c.user_id
           where c.tenant_id = $1 and c.id = $2`,
    values: [tenantId, attemptId],
  });
  const [row] = rows;
  return row && { ...row, accepted: await listAccepted(transaction, attemptId) };
}

async function listAccepted(
  transaction: TenantTransaction,
  attemptId: number,
): Promise<AnsweredAttempt['accepted']> {
  return transaction
    .selectFrom('answerRecords')
    .select([sql<AnswerIntent>`intent`.as('intent'), 'at'])
    .where('tenantId', '=', transaction.tenantId)
    .where('attemptId', '=', attemptId)
    .where('judgement', '=', 'accepted')
    .orderBy('number')
    .execute();
}

/** One of the attempts that were sent as one message, and its alarm. */
export type SentTogether = {
  id: number;
  /** Null if the attempt does not wait for an acknowledgment. */
  tagId: number | null;
  occurrenceId: number | null;
  /** The W3C `traceparent` of its escalation; null if it is not traced. */
  traceParent: string | null;
};

/** Whether there is an alarm to take; a call by hand has none. */
export function hasAlarm(together: readonly SentTogether[]): boolean {
  return together.some(({ tagId }) => tagId !== null);
}

/** Lists all attempts that were sent in the same message. */
export async function listSentTogether(
  { client, tenantId }: TenantTransaction,
  sentAs: number,
): Promise<SentTogether[]> {
  const { rows } = await client.query<SentTogether>({
    name: 'list-sent-together',
    text: `select c.id, case when d.occasion = 'raised' then d.tag_id end as "tagId",
             case when d.occasion = 'raised' then d.occurrence_id end as "occurrenceId", d.trace_parent as "traceParent"
           from call_attempts c left join escalations d on d.tenant_id = $1 and d.id = c.escalation_id
           where c.tenant_id = $1 and (c.sent_as = $2 or c.id = $2) order by c.id`,
    values: [tenantId, sentAs],
  });
  return rows;
}

/** An alarm of a message, as the answer page shows it. */
export type AnswerableAlarm = {
  id: number;
  name: string;
  message: string;
  /** The name of the station. */
  place: string;
  raisedAt: Date;
  timeZone: string;
  /** Status of the occurrence that the message was about. */
  takenBy: string;
  isTaken: boolean;
  isOver: boolean;
};

/** Lists the alarms of a message, each once. */
export async function listAnswerableAlarms(
  { client, tenantId }: TenantTransaction,
  sentAs: number,
): Promise<AnswerableAlarm[]> {
  const { rows } = await client.query<AnswerableAlarm>({
    name: 'list-answerable-alarms',
    text: `select distinct on (t.id) t.id, t.localized_name as name, d.plan -> 'message' ->> 'text' as message,
             coalesce(s.name, '') as place, d.opened_at as "raisedAt", coalesce(s.time_zone, 'UTC') as "timeZone",
             coalesce(case when a.occurrence_id = d.occurrence_id then a.ack_user end, '') as "takenBy",
             a.occurrence_id = d.occurrence_id and a.state & 2 = 0 as "isTaken",
             a.occurrence_id <> d.occurrence_id or a.state & 3 = 0 as "isOver"
           from call_attempts c join escalations d on d.tenant_id = $1 and d.id = c.escalation_id and d.occasion = 'raised'
           join tags t on t.tenant_id = $1 and t.id = d.tag_id
           join alarms a on a.tenant_id = $1 and a.tag_id = t.id
           left join stations s on s.tenant_id = $1 and s.id = t.station_id
           where c.tenant_id = $1 and (c.sent_as = $2 or c.id = $2) order by t.id`,
    values: [tenantId, sentAs],
  });
  return rows;
}

export type AnswerRecord = {
  attemptId: number;
  method: AnswerMethod;
  intent: AnswerIntent;
  judgement: Judgement;
};

/** Rejected answers that are kept for an attempt, so that a flood of them cannot fill the disk. */
const maxRecords = 50;

export async function recordAnswer(
  { client, tenantId, now }: TenantTransaction,
  { attemptId, method, intent, judgement }: AnswerRecord,
): Promise<void> {
  await client.query({
    name: 'record-answer',
    text: `insert into answer_records (tenant_id, attempt_id, number, at, method, intent, judgement)
           select $1, $2, coalesce(max(r.number), 0) + 1, $3, $4, $5, $6 from answer_records r
           where r.tenant_id = $1 and r.attempt_id = $2
           having coalesce(max(r.number), 0) < $7 or $6 = 'accepted'`,
    values: [tenantId, attemptId, now, method, intent, judgement, maxRecords],
  });
}

export async function countWrongCode(transaction: TenantTransaction, attemptId: number): Promise<void> {
  await transaction
    .updateTable('callAttempts')
    .set(({ eb }) => ({ codeTries: eb('codeTries', '+', 1) }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', attemptId)
    .execute();
}
