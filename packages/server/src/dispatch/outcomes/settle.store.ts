import type { Attempt, AttemptStatus, MediumKind } from '@tocsin/domain';
import type { Farewell } from '../../channels/port/channel.ts';
import { insertAttemptEvents } from '../../escalations/call-event.store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { shownStatus } from './outcome.wire.ts';

type AttemptRow = {
  id: number;
  escalation_id: number | null;
  target: number;
  step: number;
  try: number;
  user_id: number;
  medium: MediumKind;
  address: string;
  channel_id: number;
  outcome: AttemptStatus;
  permanent: boolean;
  channel_fault: boolean;
  reason: string;
  fencing_token: number;
  started_at: Date;
  sent_at: Date | null;
  answered_at: Date | null;
  ended_at: Date | null;
  is_withdrawn: boolean;
  sent_as: number;
  reference: string;
  trace_parent: string | null;
};

export type LockedAttempt = Attempt & {
  escalationId: number | null;
  /** The attempt whose name the message carries; itself by default, another when several were sent as one message. */
  sentAs: number;
  /** The provider's name of the call or message; empty if it gave none. */
  reference: string;
  /** The W3C `traceparent` of its escalation; null if it is not traced. */
  traceParent: string | null;
};

/**
 * Reads and locks attempts. Their escalations are locked first, in the same order as when an escalation is closed, to
 * avoid deadlocks.
 */
export async function lockAttempts(
  { client, tenantId }: TenantTransaction,
  ids: readonly number[],
): Promise<Map<number, LockedAttempt>> {
  await client.query({
    name: 'lock-escalations-of-attempts',
    text: `select from escalations d where d.tenant_id = $1 and d.id in (
             select c.escalation_id from call_attempts c where c.tenant_id = $1 and c.id = any ($2::bigint[]))
           order by d.id for update`,
    values: [tenantId, ids],
  });
  const { rows } = await client.query<AttemptRow>({
    name: 'lock-attempts',
    text: `select c.id, c.escalation_id, c.target, c.step, c.try, c.user_id, c.medium, c.address, c.channel_id, c.outcome,
             c.permanent, c.channel_fault, c.reason, c.fencing_token, c.started_at, c.sent_at, c.answered_at, c.ended_at,
             coalesce(c.sent_as, c.id) as sent_as, c.reference, d.closed_at is not null as is_withdrawn, d.trace_parent
           from call_attempts c left join escalations d on d.tenant_id = $1 and d.id = c.escalation_id
           where c.tenant_id = $1 and c.id = any ($2::bigint[]) order by c.id for update of c`,
    values: [tenantId, ids],
  });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...attemptOf(row),
        escalationId: row.escalation_id,
        sentAs: row.sent_as,
        reference: row.reference,
        traceParent: row.trace_parent,
      },
    ]),
  );
}

/** Lists the calls, by the attempt they are named after, that have an attempt of an open escalation. */
export async function listNeededCalls(
  { client, tenantId }: TenantTransaction,
  calls: readonly number[],
): Promise<Set<number>> {
  const { rows } = await client.query<{ sent_as: number }>({
    name: 'list-needed-calls',
    text: `select distinct sent_as from call_attempts
           where tenant_id = $1 and sent_as = any ($2::bigint[]) and ended_at is null and hang_up_at is null`,
    values: [tenantId, calls],
  });
  return new Set(rows.map((row) => row.sent_as));
}

function attemptOf(row: AttemptRow): Attempt {
  return {
    id: row.id,
    target: row.target,
    step: row.step,
    try: row.try,
    userId: row.user_id,
    medium: { kind: row.medium, address: row.address },
    channelId: row.channel_id,
    status: row.outcome,
    permanent: row.permanent,
    reason: row.reason,
    fencingToken: row.fencing_token,
    createdAt: row.started_at,
    channelFault: row.channel_fault,
    ...(row.sent_at && { sentAt: row.sent_at }),
    ...(row.answered_at && { answeredAt: row.answered_at }),
    ...(row.ended_at && { endedAt: row.ended_at }),
    ...(row.is_withdrawn && { isWithdrawn: true }),
  };
}

const isLiveCall = `(c.medium = 'Voice' and s."endedAt" is null)`;

/** An attempt that was not made goes back to the queue, or is cancelled if nobody needs it any more. */
const queueAgain = `update call_attempts c set sent_as = null, sent_at = null, answered_at = null, channel_id = 0, node = '',
               outcome = case when c.hang_up_at is null then 'queued' else 'cancelled' end,
               status = case when c.hang_up_at is null then 'Queued' else 'Cancelled' end,
               ended_at = case when c.hang_up_at is not null then $3::timestamptz end,
               due_at = s."dueAt", lease_until = null, poll_at = null
             from s where c.tenant_id = $1 and c.id = s.id and s.outcome = 'queued'
             returning c.id, c.escalation_id, c.outcome, c.address`;

type SettledAttempt = {
  attempt: Attempt;
  escalationId: number | null;
  reference: string;
  /** For an attempt that goes back to the queue. */
  retryAfterSeconds?: number;
};

function settledRow(
  { attempt, escalationId, reference, retryAfterSeconds = 0 }: SettledAttempt,
  now: Date,
): object {
  return {
    id: attempt.id,
    escalationId,
    outcome: attempt.status,
    status: shownStatus(attempt.status),
    permanent: attempt.permanent,
    channelFault: attempt.channelFault ?? false,
    reason: attempt.reason,
    answeredAt: attempt.answeredAt ?? null,
    endedAt: attempt.endedAt ?? null,
    heardAt: attempt.heardAt ?? null,
    acknowledged: attempt.status === 'acknowledged',
    reference,
    dueAt: new Date(now.getTime() + retryAfterSeconds * 1000),
  };
}

/**
 * Stores the outcomes of attempts and makes their escalations due. When a call has ended, those that wait for the same
 * telephone are due.
 */
export async function saveSettled(
  { client, tenantId, now }: TenantTransaction,
  settled: readonly SettledAttempt[],
): Promise<void> {
  const rows = settled.map((one) => settledRow(one, now));
  await client.query({
    name: 'save-settled',
    text: `with s as materialized (
             select * from json_to_recordset($2) as s(id bigint, "escalationId" bigint, outcome text, status text,
               permanent boolean, "channelFault" boolean, reason text, "answeredAt" timestamptz, "endedAt" timestamptz,
               "heardAt" timestamptz, acknowledged boolean, reference text, "dueAt" timestamptz)
           ), woken as (
             update escalations d set due_at = least(d.due_at, $3)
             where d.tenant_id = $1 and d.id in (select s."escalationId" from s) and d.closed_at is null
           ), settled as (
             update call_attempts c set outcome = s.outcome, status = s.status, permanent = s.permanent,
               channel_fault = s."channelFault", reason = case when s.reason = '' then c.reason else s.reason end,
               answered_at = s."answeredAt", ended_at = s."endedAt",
               -- A provider knows what it was given to say, not how much of it somebody has heard.
               heard_at = case when c.node <> '' then coalesce(s."heardAt", c.heard_at) end,
               -- A call that lives in a process is leased while it lives, any other one is polled.
               lease_until = case when ${isLiveCall} and c.node <> '' then $3::timestamptz + interval '10 seconds' end,
               poll_at = case when ${isLiveCall} and c.node = '' then $3::timestamptz + interval '10 seconds' end,
               acknowledged_at = case when s.acknowledged then coalesce(c.acknowledged_at, $3) else c.acknowledged_at end,
               reference = case when s.reference = '' then c.reference else s.reference end
             from s where c.tenant_id = $1 and c.id = s.id and s.outcome <> 'queued'
             returning c.id, c.escalation_id, c.outcome, c.medium, c.address, c.ended_at
           ), queued_again as (
             ${queueAgain}
           ), freed as (
             select distinct t.address from settled t where t.medium = 'Voice' and t.ended_at is not null
             union select q.address from queued_again q
           ), waiting as materialized (
             select w.id from call_attempts w where w.tenant_id = $1 and w.medium = 'Voice' and w.outcome = 'queued'
               and w.address in (select address from freed) and w.lease_until is null and w.due_at > $3
               and w.id not in (select s.id from s) order by w.id for update skip locked
           ), line_free as (
             update call_attempts w set due_at = $3 from waiting where w.tenant_id = $1 and w.id = waiting.id
           ), changed as (
             select id, escalation_id, outcome from settled
             union all select id, escalation_id, outcome from queued_again
           )
           ${insertAttemptEvents('changed')}`,
    values: [tenantId, JSON.stringify(rows), now],
  });
}

/** Lists the attempts that were sent in the same call or message. */
export async function listAttemptsOfCall(
  { client, tenantId }: TenantTransaction,
  sentAs: number,
): Promise<{ id: number }[]> {
  const { rows } = await client.query<{ id: number }>({
    name: 'list-attempts-of-call',
    text: 'select id from call_attempts where tenant_id = $1 and (sent_as = $2 or id = $2) order by id',
    values: [tenantId, sentAs],
  });
  return rows;
}

/** Why calls are not needed any more: somebody else has taken their alarm, or it is over. All attempts of a call are to one person. */
export async function listFarewells(
  { client, tenantId }: TenantTransaction,
  calls: readonly number[],
): Promise<Map<number, Farewell>> {
  const { rows } = await client.query<{ sent_as: number; ack_user: string | null; language: string }>({
    name: 'list-farewells',
    text: `select c.sent_as, max(case when d.closed_reason = 'acknowledged' then a.ack_user end) as ack_user,
             coalesce(max(u.language), '') as language
           from call_attempts c join escalations d on d.tenant_id = $1 and d.id = c.escalation_id
           left join alarms a on a.tenant_id = $1 and a.tag_id = d.tag_id and a.occurrence_id = d.occurrence_id
           left join users u on u.tenant_id = $1 and u.id = c.user_id
           where c.tenant_id = $1 and c.sent_as = any ($2::bigint[]) group by c.sent_as`,
    values: [tenantId, calls],
  });
  return new Map(
    rows.map(({ sent_as, ack_user: by, language }) => [
      sent_as,
      by ? { kind: 'taken', by, language } : { kind: 'over', language },
    ]),
  );
}
