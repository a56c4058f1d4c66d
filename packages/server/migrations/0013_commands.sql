-- Programs that alarms ask for, and what became of each.
--
-- A run is written in the transaction of the turn that asks for it, whether or not any server may run programs. One that
-- may takes it up for a few seconds at a time (a lease): that the program is being run is committed before it starts, and
-- what came of it afterwards. A run is never begun twice; when nobody can tell what became of it, it is unknown.

create table command_runs (
  tenant_id     bigint      not null references tenants (id),
  id            bigint      not null,
  kind          text        not null check (kind in ('execute', 'stop')),
  script_id     bigint      not null, -- the entry of the list of commands
  parameter     text        not null,
  tag_id        bigint      not null, -- the alarm that asks for it
  occurrence_id bigint      not null,
  station_id    bigint      not null,
  occasion      text        not null check (occasion in ('raised', 'reset', 'acknowledged')),
  granted_by    text        not null, -- who had the right to define it; empty for nobody
  status        text        not null check (status in
    ('queued', 'running', 'done', 'failed', 'timed-out', 'stopped', 'refused', 'unknown')),
  reason        text        not null default '',
  ordered_at    timestamptz not null,
  due_at        timestamptz not null, -- after the delay of the alarm
  not_after     timestamptz not null, -- begun too late, it does more harm than good
  stop_at       timestamptz, -- since when it is to be ended
  lease_until   timestamptz,
  fence         bigint      not null default 0, -- rises with each lease
  list_hash     text        not null default '', -- SHA-256 of the list it was judged by
  started_at    timestamptz,
  ended_at      timestamptz,
  exit_code     integer,
  signal        text        not null default '',
  output        text        not null default '',
  output_cut    boolean     not null default false,
  primary key (tenant_id, id)
);
create index command_runs_due on command_runs (due_at) where status = 'queued';
create index command_runs_leased on command_runs (lease_until) where status = 'running';
create index command_runs_tag on command_runs (tag_id, tenant_id, script_id) where status in ('queued', 'running');
call protect_tenant_table('command_runs');
grant select, insert, update on command_runs to tocsin_app;

-- What was about to be done, and what was done: one record before and one after. They are never changed.
create table command_records (
  tenant_id bigint      not null,
  run_id    bigint      not null,
  number    integer     not null,
  at        timestamptz not null,
  kind      text        not null check (kind in ('began', 'ended')),
  detail    jsonb       not null,
  primary key (tenant_id, run_id, number),
  foreign key (tenant_id, run_id) references command_runs (tenant_id, id)
);
call protect_tenant_table('command_records');
grant select, insert on command_records to tocsin_app;

create policy steward_takes on command_runs to tocsin_steward using (true) with check (true);
grant select (tenant_id, id, status, due_at, not_after, lease_until, fence), update (lease_until, fence)
  on command_runs to tocsin_steward;

-- Takes up to `wanted` runs that are due, those due longest first. With `late_only`, those that nobody took in time.
create function take_command_runs(wanted integer, at timestamptz, until timestamptz, late_only boolean)
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update command_runs r set lease_until = until, fence = r.fence + 1
    from (select x.tenant_id, x.id from command_runs x
          where x.status = 'queued' and x.due_at <= at and (not late_only or x.not_after < at)
            and (x.lease_until is null or x.lease_until <= at)
          order by x.due_at, x.tenant_id, x.id limit wanted for update skip locked) due
    where r.tenant_id = due.tenant_id and r.id = due.id
    returning r.tenant_id, r.id, r.fence;
end
$$;
alter function take_command_runs(integer, timestamptz, timestamptz, boolean) owner to tocsin_steward;
revoke all on function take_command_runs(integer, timestamptz, timestamptz, boolean) from public;
grant execute on function take_command_runs(integer, timestamptz, timestamptz, boolean) to tocsin_app;

-- Runs whose server fell silent while the program ran.
create function stray_command_runs(wanted integer, at timestamptz, until timestamptz)
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update command_runs r set lease_until = until, fence = r.fence + 1
    from (select x.tenant_id, x.id from command_runs x
          where x.status = 'running' and x.lease_until <= at
          order by x.lease_until limit wanted for update skip locked) stray
    where r.tenant_id = stray.tenant_id and r.id = stray.id
    returning r.tenant_id, r.id, r.fence;
end
$$;
alter function stray_command_runs(integer, timestamptz, timestamptz) owner to tocsin_steward;
revoke all on function stray_command_runs(integer, timestamptz, timestamptz) from public;
grant execute on function stray_command_runs(integer, timestamptz, timestamptz) to tocsin_app;
