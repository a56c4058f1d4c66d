-- What the auditor looks at besides duties that no dispatcher has met: calls that wait in our own queue, and duties for which
-- no provider has accepted a call.
grant select (started_at, duty_id) on call_attempts to tocsin_steward;
grant select (first_due_at, occasion, state) on duties to tocsin_steward;

-- By tenant, what has waited since before `at`: attempts that were never sent, and duties without an accepted call.
create function waiting_calls(at timestamptz) returns table (tenant_id bigint, queued bigint, unaccepted bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.tenant_id, sum(w.queued)::bigint, sum(w.unaccepted)::bigint from (
      select a.tenant_id, count(*) as queued, 0 as unaccepted from call_attempts a
      where a.outcome = 'queued' and a.started_at < at group by a.tenant_id
      union all
      select d.tenant_id, 0, count(*) from duties d
      where d.closed_at is null and d.first_due_at < at and d.occasion in ('raised', 'requested')
        and d.state ->> 'closed' is null
        and not exists (select from call_attempts a where a.tenant_id = d.tenant_id and a.duty_id = d.id
          and a.outcome in ('accepted', 'delivered', 'answered', 'acknowledged', 'busy', 'noAnswer', 'refused'))
      group by d.tenant_id) w
    group by w.tenant_id
  $$;
alter function waiting_calls(timestamptz) owner to tocsin_steward;
revoke all on function waiting_calls(timestamptz) from public;
grant execute on function waiting_calls(timestamptz) to tocsin_app;
