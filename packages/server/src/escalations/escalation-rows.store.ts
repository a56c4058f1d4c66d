import { addSeconds, type CallPlan, openEscalation } from '@tocsin/domain';
import type { Statement } from '../postgres/statement.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { finishClosing } from './closing.store.ts';

/** A new escalation; written in the transaction of its cause. */
export type EscalationDraft = {
  tagId: number | null;
  occurrenceId: number | null;
  callId: number | null;
  /** Set for a notice, which has neither an alarm nor a call. */
  noticeId?: number;
  stationId: number | null;
  plan: CallPlan;
  /** The W3C `traceparent` of the span that opens it; absent if it is not traced. */
  traceParent?: string | undefined;
};

export function insertEscalations(
  tenantId: number,
  drafts: readonly EscalationDraft[],
  now: Date,
): Statement {
  const rows = drafts.map(({ plan, ...draft }) => ({
    ...draft,
    occasion: plan.occasion,
    priority: plan.priority,
    delay: plan.delaySeconds,
    plan,
    state: openEscalation(plan, now),
  }));
  return {
    name: 'insert-escalations',
    text: `insert into escalations (tenant_id, occasion, tag_id, occurrence_id, call_id, station_id, priority, plan, state,
             trace_parent, opened_at, first_due_at, due_at)
           select $1, d.occasion, d."tagId", d."occurrenceId", d."callId", d."stationId", d.priority, d.plan, d.state,
             d."traceParent", $3, $3::timestamptz + make_interval(secs => d.delay), $3::timestamptz + make_interval(secs => d.delay)
           from json_to_recordset($2) as d(occasion text, "tagId" bigint, "occurrenceId" bigint, "callId" bigint,
             "stationId" bigint, priority bigint, delay double precision, plan jsonb, state jsonb, "traceParent" text)`,
    values: [tenantId, JSON.stringify(rows), now],
  };
}

/** Inserts one escalation outside of a batch of alarms, and returns its id. */
export async function insertEscalation(
  transaction: TenantTransaction,
  draft: EscalationDraft,
): Promise<number> {
  const { plan, ...rest } = draft;
  const { tenantId, now } = transaction;
  const { id } = await transaction
    .insertInto('escalations')
    .values({
      tenantId,
      ...rest,
      occasion: plan.occasion,
      priority: plan.priority,
      plan: JSON.stringify(plan),
      state: JSON.stringify(openEscalation(plan, now)),
      openedAt: now,
      firstDueAt: addSeconds(now, plan.delaySeconds),
      dueAt: addSeconds(now, plan.delaySeconds),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A change of an occurrence that affects its escalations. */
export type EscalationChange = {
  occurrenceId: number;
  /** `acknowledged` and `reset` close the escalation; `woken` makes it due, because a mask began or ended. */
  kind: 'acknowledged' | 'reset' | 'woken';
};

/**
 * Closes the escalations of occurrences that are acknowledged or reset, in the transaction of that change: queued attempts
 * are withdrawn, and those on their way are hung up.
 */
export function changeEscalations(
  tenantId: number,
  changes: readonly EscalationChange[],
  now: Date,
): Statement[] {
  const values = [tenantId, JSON.stringify(changes)];
  // A statement of its own, so that the next one sees the attempts of a dispatcher that this one waited for. In the
  // order in which dispatchers lock, to avoid deadlocks.
  const lock = {
    name: 'lock-changed-escalations',
    text: `select from escalations d where d.tenant_id = $1 and d.closed_at is null and d.occurrence_id in (
             select c."occurrenceId" from json_to_recordset($2) as c("occurrenceId" bigint))
           order by d.id for update`,
    values,
  };
  const change = {
    name: 'change-escalations',
    // A batch may change an occurrence several times. The changes count in their order, up to the first one that closes
    // the escalation.
    text: `with change as materialized (
             select * from rows from (json_to_recordset($2) as ("occurrenceId" bigint, kind text)) with ordinality
               as c("occurrenceId", kind, place)
           ), matched as materialized (
             select d.id, c.kind, c.place, c.kind <> 'woken' and d.occasion = 'raised'
               and (c.kind <> 'reset' or not (d.plan ->> 'outlivesReset')::boolean) as closes
             from change c join escalations d
               on d.tenant_id = $1 and d.occurrence_id = c."occurrenceId" and d.closed_at is null
           ), effect as materialized (
             select id, min(place) filter (where kind = 'woken') as woken, min(place) filter (where closes) as closed,
               (array_agg(kind order by place) filter (where closes))[1] as reason
             from matched group by id
           ), changed as (
             update escalations d set due_at = case when e.woken < coalesce(e.closed, e.woken + 1) then $3 else d.due_at end,
               closed_at = case when e.closed is null then null else $3::timestamptz end, closed_reason = e.reason,
               lease_until = case when e.closed is null then d.lease_until end
             from effect e
             where d.tenant_id = $1 and d.id = e.id and (e.woken is not null or e.closed is not null)
             returning d.id, d.closed_at
           ), closed as (select id from changed where closed_at is not null
           ), ${finishClosing}`,
    values: [...values, now],
  };
  return [lock, change];
}

/** Reopens cancelled escalations of occurrences that are raised again, so that people are called again. */
export function reopenCancelled(tenantId: number, occurrenceIds: readonly number[], now: Date): Statement {
  return {
    name: 'reopen-cancelled-escalations',
    text: `update escalations d set closed_at = null, closed_reason = null, due_at = $3, first_due_at = $3, lease_until = null
           from (select o.id from escalations o where o.tenant_id = $1 and o.occurrence_id = any ($2::bigint[])
             and o.closed_reason = 'cancelled' and o.occasion = 'raised' order by o.id for update) c
           where d.tenant_id = $1 and d.id = c.id`,
    values: [tenantId, occurrenceIds, now],
  };
}
