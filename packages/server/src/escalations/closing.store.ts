import { insertClosedEvents } from './call-event.store.ts';

// The one way to end the attempts of an escalation, as parts of statements in which $1 is the tenant and $3 the time.

/** Withdraws queued attempts `a`, and marks those on their way, which a dispatcher then hangs up. */
export const endAttempts = `update call_attempts a set hang_up_at = $3, late_race = a.outcome = 'calling',
             outcome = case when a.outcome = 'queued' then 'cancelled' else a.outcome end,
             status = case when a.outcome = 'queued' then 'Cancelled' else a.status end,
             ended_at = case when a.outcome = 'queued' then $3 else a.ended_at end`;

/**
 * The end of a statement that closes escalations, which its query `closed` returns by id: inserts their call events and ends
 * their attempts. The attempts are locked in the order of ids, so that concurrent statements cannot deadlock.
 */
export const finishClosing = `running as materialized (
             select a.id from call_attempts a
             where a.tenant_id = $1 and a.escalation_id in (select id from closed) and a.ended_at is null
             order by a.id for update
           ), closed_events as (${insertClosedEvents})
           ${endAttempts}
           from running where a.tenant_id = $1 and a.id = running.id`;
