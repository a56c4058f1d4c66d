import { type CallPlan, openEscalation } from '@tocsin/domain';
import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';
import { together } from '../postgres/together.ts';
import { tellClosed } from './tiding.store.ts';

/** Somebody must be called; written in the transaction that gives rise to it. */
export type DutyDraft = {
  tagId: number | null;
  occurrenceId: number | null;
  callId: number | null;
  stationId: number | null;
  plan: CallPlan;
};

export async function insertDuties(
  { client, tenantId }: BareTransaction,
  drafts: readonly DutyDraft[],
  now: Date,
): Promise<void> {
  const rows = drafts.map(({ plan, ...draft }) => ({
    ...draft,
    occasion: plan.occasion,
    priority: plan.priority,
    delay: plan.delaySeconds,
    plan,
    state: openEscalation(plan, now),
  }));
  await client.query({
    name: 'insert-duties',
    text: `insert into duties (tenant_id, occasion, tag_id, occurrence_id, call_id, station_id, priority, plan, state,
             opened_at, first_due_at, due_at)
           select $1, d.occasion, d."tagId", d."occurrenceId", d."callId", d."stationId", d.priority, d.plan, d.state,
             $3, $3::timestamptz + make_interval(secs => d.delay), $3::timestamptz + make_interval(secs => d.delay)
           from json_to_recordset($2) as d(occasion text, "tagId" bigint, "occurrenceId" bigint, "callId" bigint,
             "stationId" bigint, priority bigint, delay double precision, plan jsonb, state jsonb)`,
    values: [tenantId, JSON.stringify(rows), now],
  });
}

/** As `insertDuties`, for one outside of a batch of alarms. Answers its number. */
export async function insertDuty(transaction: TenantTransaction, draft: DutyDraft): Promise<number> {
  const { plan, ...rest } = draft;
  const { tenantId, now } = transaction;
  const { id } = await transaction
    .insertInto('duties')
    .values({
      tenantId,
      ...rest,
      occasion: plan.occasion,
      priority: plan.priority,
      plan: JSON.stringify(plan),
      state: JSON.stringify(openEscalation(plan, now)),
      openedAt: now,
      firstDueAt: now,
      dueAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What happened to an occurrence that its duty hears of. */
export type DutyChange = {
  occurrenceId: number;
  /** `acknowledged` and `reset` end the calling; `woken` lets the escalation look: a mask came or went. */
  kind: 'acknowledged' | 'reset' | 'woken';
};

/**
 * Closes the duties of occurrences that are acknowledged or reset, in this very transaction: no attempt that is
 * still queued is made, and those on their way are hung up.
 */
export async function changeDuties(
  { client, tenantId }: BareTransaction,
  changes: readonly DutyChange[],
  now: Date,
): Promise<void> {
  const values = [tenantId, JSON.stringify(changes)];
  // By itself and first: who waits for a dispatcher here must then see the attempts that it has just stored. In the
  // order in which dispatchers lock, so that no two wait for each other.
  const locked = client.query({
    name: 'lock-changed-duties',
    text: `select from duties d where d.tenant_id = $1 and d.closed_at is null and d.occurrence_id in (
             select c."occurrenceId" from json_to_recordset($2) as c("occurrenceId" bigint))
           order by d.id for update`,
    values,
  });
  const changed = client.query({
    name: 'change-duties',
    text: `with change as materialized (
             select * from json_to_recordset($2) as c("occurrenceId" bigint, kind text)
           ), woken as (
             update duties d set due_at = $3 from change c
             where c.kind = 'woken' and d.tenant_id = $1 and d.occurrence_id = c."occurrenceId" and d.closed_at is null
           ), closed as (
             update duties d set closed_at = $3, closed_reason = c.kind, lease_until = null from change c
             where c.kind <> 'woken' and d.tenant_id = $1 and d.occurrence_id = c."occurrenceId"
               and d.occasion = 'raised' and d.closed_at is null
               and (c.kind <> 'reset' or not (d.plan ->> 'outlivesReset')::boolean)
             returning d.id
           ), running as materialized (
             select a.id from call_attempts a
             where a.tenant_id = $1 and a.duty_id in (select id from closed) and a.ended_at is null
             order by a.id for update
           ), told as (${tellClosed})
           update call_attempts a set hang_up_at = $3, late_race = a.outcome = 'calling',
             outcome = case when a.outcome = 'queued' then 'cancelled' else a.outcome end,
             status = case when a.outcome = 'queued' then 'Cancelled' else a.status end,
             ended_at = case when a.outcome = 'queued' then $3 else a.ended_at end
           from running where a.tenant_id = $1 and a.id = running.id`,
    values: [...values, now],
  });
  await together([locked, changed]);
}
