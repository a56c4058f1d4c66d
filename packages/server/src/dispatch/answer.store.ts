import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { AnswerIntent, AnswerWayName, Judgement } from './answer-judgement.ts';

/** An attempt as answering it sees it. */
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
  /** The attempt whose name the message bears; itself when it went out alone or not at all. */
  sentAs: number;
  timeZone: string;
  /** BCP 47, of the one who was called; empty when he has none. */
  language: string;
  /** Whether the one who was called is still there and enabled. */
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

/** An attempt that went out with others as one message, and the alarm it is about. */
export type SentTogether = {
  id: number;
  /** Null when nobody waits for an acknowledgment of an alarm. */
  tagId: number | null;
  occurrenceId: number | null;
};

/** Whether there is an alarm that could be taken: a call that somebody asked for has none. */
export function hasAlarm(together: readonly SentTogether[]): boolean {
  return together.some(({ tagId }) => tagId !== null);
}

/** All attempts that the message stands for; the attempt alone where it was not sent. */
export async function listSentTogether(
  { client, tenantId }: TenantTransaction,
  sentAs: number,
): Promise<SentTogether[]> {
  const { rows } = await client.query<SentTogether>({
    name: 'list-sent-together',
    text: `select c.id, case when d.occasion = 'raised' then d.tag_id end as "tagId",
             case when d.occasion = 'raised' then d.occurrence_id end as "occurrenceId"
           from call_attempts c left join duties d on d.tenant_id = $1 and d.id = c.duty_id
           where c.tenant_id = $1 and (c.sent_as = $2 or c.id = $2) order by c.id`,
    values: [tenantId, sentAs],
  });
  return rows;
}

/** An alarm that a message told of, as the page of its link shows it. */
export type AnswerableAlarm = {
  id: number;
  name: string;
  message: string;
  /** Station, building and room as far as they are known. */
  place: string;
  raisedAt: Date;
  timeZone: string;
  /** Who has taken it, and whether it is over; of the occurrence that the message told of. */
  takenBy: string;
  isTaken: boolean;
  isOver: boolean;
};

/** The alarms that attempts sent as one message told of, each once. */
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
           from call_attempts c join duties d on d.tenant_id = $1 and d.id = c.duty_id and d.occasion = 'raised'
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
  way: AnswerWayName;
  intent: AnswerIntent;
  judgement: Judgement;
};

/** So many worthless answers to an attempt are kept: whoever sends more fills no disk. */
const mostRecords = 50;

export async function recordAnswer(
  { client, tenantId, now }: TenantTransaction,
  { attemptId, way, intent, judgement }: AnswerRecord,
): Promise<void> {
  await client.query({
    name: 'record-answer',
    text: `insert into answer_records (tenant_id, attempt_id, number, at, way, intent, judgement)
           select $1, $2, coalesce(max(r.number), 0) + 1, $3, $4, $5, $6 from answer_records r
           where r.tenant_id = $1 and r.attempt_id = $2
           having coalesce(max(r.number), 0) < $7 or $6 = 'accepted'`,
    values: [tenantId, attemptId, now, way, intent, judgement, mostRecords],
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
