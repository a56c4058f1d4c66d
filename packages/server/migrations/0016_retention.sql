-- What was done about alarms goes when their histories go: closed duties with their attempts, notices and answers,
-- requests for calls, and runs of programs. In small steps, so that nobody waits for it.

-- From when on the histories of this transaction's tenant are kept: `keep_from` in whole months, or the oldest month
-- that is still there. A month that could not be dropped yet keeps what belongs to it.
create function histories_kept_from(keep_from timestamptz) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp set timezone = 'UTC'
  as $$
    select least(
      date_trunc('month', keep_from),
      (select min(month) from monthly_partitions()),
      date_trunc('month', (select min(raised_at) from occurrences_default where tenant_id = current_tenant())),
      date_trunc('month', (select at from journal_default where tenant_id = current_tenant() order by seq limit 1)))
  $$;
revoke all on function histories_kept_from(timestamptz) from public;
grant execute on function histories_kept_from(timestamptz) to tocsin_app;

create index duties_closed on duties (tenant_id, closed_at) where closed_at is not null;
create index calls_requested on calls (tenant_id, requested_at);
create index command_runs_ended on command_runs (tenant_id, ended_at) where ended_at is not null;
grant delete on calls, call_attempts to tocsin_app;
grant update on provider_callbacks to tocsin_app; -- to lock what is to be forgotten

-- Records go with their run, and in no other way.
alter table command_records
  drop constraint command_records_tenant_id_run_id_fkey,
  add constraint command_records_run foreign key (tenant_id, run_id) references command_runs (tenant_id, id) on delete cascade;

-- Forgets up to `wanted` runs that ended before the tenant's histories begin, and tells how many. With the owner's
-- rights: the server itself can add to the records of what was run, and not take from them.
create function forget_command_runs(keep_from timestamptz, wanted integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  cut constant timestamptz := histories_kept_from(keep_from);
  gone integer;
begin
  with old as materialized (
    select r.id from command_runs r
    where r.tenant_id = current_tenant() and r.ended_at < cut
    order by r.ended_at limit wanted for update skip locked
  )
  delete from command_runs r using old where r.tenant_id = current_tenant() and r.id = old.id;
  get diagnostics gone = row_count;
  return gone;
end
$$;
revoke all on function forget_command_runs(timestamptz, integer) from public;
grant execute on function forget_command_runs(timestamptz, integer) to tocsin_app;

-- Runs are taken in turns: one of each tenant, then a second of each, and within a tenant one of each command. What a
-- tenant has running here already counts as its first turns.
create index command_runs_due_by_tenant on command_runs (tenant_id, kind, due_at) where status = 'queued';
grant select (kind, script_id) on command_runs to tocsin_steward;

-- Takes up runs that are due, on a server with room for `free` more programs and those of `holders` running. No tenant
-- gets more than then stay free, so that there is room for the first of another. To end programs needs no room.
create function take_command_runs_in_turns(free integer, at timestamptz, until timestamptz, holders bigint[],
    held integer[])
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with due as materialized (
      select x.tenant_id, x.id, x.kind, x.due_at,
        row_number() over (partition by x.tenant_id, x.kind, x.script_id order by x.due_at, x.id) as of_command
      from tenants t cross join (values ('stop'), ('execute')) as k(kind) cross join lateral (
        select r.tenant_id, r.id, r.kind, r.script_id, r.due_at from command_runs r
        where r.tenant_id = t.id and r.kind = k.kind and r.status = 'queued' and r.due_at <= at
          and (r.lease_until is null or r.lease_until <= at)
        order by r.due_at limit 500) x
    ), turns as (
      select d.tenant_id, d.id, d.kind, d.due_at,
        case d.kind when 'execute' then coalesce(h.held, 0) else 0 end
          + row_number() over (partition by d.tenant_id, d.kind order by d.of_command, d.due_at, d.id) as turn
      from due d left join unnest(holders, held) as h(tenant_id, held) on h.tenant_id = d.tenant_id
    ), places as (
      select u.tenant_id, u.id, u.kind, u.turn,
        row_number() over (partition by u.kind order by u.turn, u.due_at, u.tenant_id, u.id) as place
      from turns u
    ), chosen as materialized (
      select p.tenant_id, p.id from places p
      where case p.kind when 'stop' then p.place <= 50 else p.turn <= free - p.place + 1 end
    ), ours as materialized (
      select r.tenant_id, r.id from command_runs r join chosen c on c.tenant_id = r.tenant_id and c.id = r.id
      where r.status = 'queued' and (r.lease_until is null or r.lease_until <= at)
      for update of r skip locked
    )
    update command_runs r set lease_until = until, fence = r.fence + 1 from ours
    where r.tenant_id = ours.tenant_id and r.id = ours.id
    returning r.tenant_id, r.id, r.fence;
end
$$;
alter function take_command_runs_in_turns(integer, timestamptz, timestamptz, bigint[], integer[])
  owner to tocsin_steward;
revoke all on function take_command_runs_in_turns(integer, timestamptz, timestamptz, bigint[], integer[]) from public;
grant execute on function take_command_runs_in_turns(integer, timestamptz, timestamptz, bigint[], integer[])
  to tocsin_app;
