-- These run every few seconds and find little. Before the tables are analyzed, or after many escalations were opened at once,
-- the planner would scan a table that has a hundred thousand open ones.
set local lock_timeout = '1s';
alter function overdue_escalations(timestamptz) set enable_seqscan = off;

-- As before, but the attempts of each escalation are looked up once, and always by its number: joined, they were compared with
-- those of all escalations if the planner expected few.
create or replace function waiting_calls(at timestamptz) returns table (tenant_id bigint, queued bigint, unaccepted bigint)
  language sql stable security definer set search_path = public, pg_temp set enable_seqscan = off
  as $$
    select w.tenant_id, sum(w.queued)::bigint, sum(w.unaccepted)::bigint from (
      select a.tenant_id, count(*) as queued, 0 as unaccepted from call_attempts a
      where a.outcome = 'queued' and a.started_at < at and a.urgency < 2 and (a.quiet_until is null or a.quiet_until < at)
      group by a.tenant_id
      union all
      select e.tenant_id, 0, count(*) from escalations e
      cross join lateral (
        select count(*) as attempts, coalesce(bool_or(a.quiet_until is null or a.quiet_until < at), false) as is_due,
          coalesce(bool_or(a.outcome in ('accepted', 'ringing', 'delivered', 'answered', 'acknowledged', 'declined', 'busy',
            'noAnswer', 'refused')), false) as was_sent
        from call_attempts a where a.tenant_id = e.tenant_id and a.escalation_id = e.id) c
      where e.closed_at is null and e.first_due_at < at and e.occasion in ('raised', 'requested')
        and e.state ->> 'closed' is null and not c.was_sent
        -- Nobody is called while everybody is quiet by their own rules: then it is due later.
        and (c.is_due or e.due_at < at and c.attempts = 0)
      group by e.tenant_id) w
    group by w.tenant_id
  $$;
