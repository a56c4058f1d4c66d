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

export function insertDuties(
  { client, tenantId }: BareTransaction,
  drafts: readonly DutyDraft[],
  now: Date,
): Promise<unknown> {
  const rows = drafts.map(({ plan, ...draft }) => ({
    ...draft,
    occasion: plan.occasion,
    priority: plan.priority,
    delay: plan.delaySeconds,
    plan,
    state: openEscalation(plan, now),
  }));
  return client.query({
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
export function changeDuties(
  { client, tenantId }: BareTransaction,
  changes: readonly DutyChange[],
  now: Date,
): Promise<unknown> {
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
    // A batch may change an occurrence several times. A duty hears of all of it at once, as if of one after the other:
    // the first change that closes it is the last one it hears of.
    text: `with change as materialized (
             select * from rows from (json_to_recordset($2) as ("occurrenceId" bigint, kind text)) with ordinality
               as c("occurrenceId", kind, place)
           ), heard as materialized (
             select d.id, c.kind, c.place, c.kind <> 'woken' and d.occasion = 'raised'
               and (c.kind <> 'reset' or not (d.plan ->> 'outlivesReset')::boolean) as closes
             from change c join duties d
               on d.tenant_id = $1 and d.occurrence_id = c."occurrenceId" and d.closed_at is null
           ), effect as materialized (
             select id, min(place) filter (where kind = 'woken') as woken, min(place) filter (where closes) as closed,
               (array_agg(kind order by place) filter (where closes))[1] as reason
             from heard group by id
           ), changed as (
             update duties d set due_at = case when e.woken < coalesce(e.closed, e.woken + 1) then $3 else d.due_at end,
               closed_at = case when e.closed is null then null else $3::timestamptz end, closed_reason = e.reason,
               lease_until = case when e.closed is null then d.lease_until end
             from effect e
             where d.tenant_id = $1 and d.id = e.id and (e.woken is not null or e.closed is not null)
             returning d.id, d.closed_at
           ), closed as (select id from changed where closed_at is not null
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
  return together([locked, changed]);
}

/** Occurrences that are raised again while nobody is called for them, because somebody cancelled it: people are called anew. */
export async function reopenCancelled(
  { client, tenantId }: BareTransaction,
  occurrenceIds: readonly number[],
  now: Date,
): Promise<void> {
  await client.query({
    name: 'reopen-cancelled-duties',
    text: `update duties d set closed_at = null, closed_reason = null, due_at = $3, first_due_at = $3, lease_until = null
           from (select o.id from duties o where o.tenant_id = $1 and o.occurrence_id = any ($2::bigint[])
             and o.closed_reason = 'cancelled' and o.occasion = 'raised' order by o.id for update) c
           where d.tenant_id = $1 and d.id = c.id`,
    values: [tenantId, occurrenceIds, now],
  });
}
