-- A tag that is raised again and again does not ring each time: people who were just reached about it wait.
set local lock_timeout = '5s';

-- How long whoever was reached about a tag is not called about its next occurrences; 0 switches it off.
alter table tenants add column tag_quiet_seconds integer not null default 300
  check (tag_quiet_seconds between 0 and 3600);

alter table call_attempts
  add column heard_at timestamptz, -- when the call in which the alarm was said to its end was hung up
  add column quiet_until timestamptz; -- the person was just reached about the tag, so it waited in the queue until then
grant select (quiet_until) on call_attempts to tocsin_cross_tenant;

-- Attempts in their quiet time wait on purpose: neither they nor escalations with no other attempt are reported.
create or replace function waiting_calls(at timestamptz) returns table (tenant_id bigint, queued bigint, unaccepted bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.tenant_id, sum(w.queued)::bigint, sum(w.unaccepted)::bigint from (
      select a.tenant_id, count(*) as queued, 0 as unaccepted from call_attempts a
      where a.outcome = 'queued' and a.started_at < at and a.urgency < 2 and (a.quiet_until is null or a.quiet_until < at)
      group by a.tenant_id
      union all
      select e.tenant_id, 0, count(*) from escalations e
      where e.closed_at is null and e.first_due_at < at and e.occasion in ('raised', 'requested')
        and e.state ->> 'closed' is null
        and not exists (select from call_attempts a where a.tenant_id = e.tenant_id and a.escalation_id = e.id
          and a.outcome in ('accepted', 'ringing', 'delivered', 'answered', 'acknowledged', 'declined', 'busy', 'noAnswer',
            'refused'))
        and (exists (select from call_attempts a where a.tenant_id = e.tenant_id and a.escalation_id = e.id
            and (a.quiet_until is null or a.quiet_until < at))
          -- Nobody is called while everybody is quiet by their own rules: then it is due later.
          or e.due_at < at and not exists (select from call_attempts a
            where a.tenant_id = e.tenant_id and a.escalation_id = e.id))
      group by e.tenant_id) w
    group by w.tenant_id
  $$;
