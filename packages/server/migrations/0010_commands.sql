-- Commands: programs that alarms start, and the result of each run.
--
-- A run is written in the transaction of the alarm's change, whether or not any server may run programs. A server that
-- may claims it under a lease of a few seconds: the start of the program is committed before it, the result afterwards.
-- A run is never started twice; if its result cannot be known, it is `unknown`.

create table command_runs (
  tenant_id     bigint      not null references tenants (id),
  id            bigint      not null,
  kind          text        not null check (kind in ('execute', 'stop')),
  script_id     bigint      not null, -- the entry of the list of commands
  parameter     text        not null,
  tag_id        bigint      not null, -- of the alarm
  occurrence_id bigint      not null,
  station_id    bigint      not null,
  occasion      text        not null check (occasion in ('raised', 'reset', 'acknowledged')),
  granted_by    text        not null, -- the principal with the right to define it; empty for none
  status        text        not null check (status in
    ('queued', 'running', 'done', 'failed', 'timed-out', 'stopped', 'refused', 'unknown')),
  reason        text        not null default '',
  ordered_at    timestamptz not null,
  due_at        timestamptz not null, -- after the delay of the alarm
  not_after     timestamptz not null, -- it is not started later, because a late start does more harm than good
  stop_at       timestamptz, -- since when it is to be stopped
  lease_until   timestamptz,
  fencing_token bigint      not null default 0, -- rises with each lease
  list_hash     text        not null default '', -- SHA-256 of the list of commands that it was checked against
  started_at    timestamptz,
  ended_at      timestamptz,
  exit_code     integer,
  signal        text        not null default '',
  output        text        not null default '',
  output_cut    boolean     not null default false,
  primary key (tenant_id, id)
);
create index command_runs_due on command_runs (due_at) where status = 'queued';
create index command_runs_due_by_tenant on command_runs (tenant_id, kind, due_at) where status = 'queued';
create index command_runs_leased on command_runs (lease_until) where status = 'running';
create index command_runs_tag on command_runs (tag_id, tenant_id, script_id) where status in ('queued', 'running');
-- For timelines, and for a mask that ends and starts the commands that it held back.
create index command_runs_of_alarm on command_runs (tenant_id, tag_id, occurrence_id)
  where status in ('queued', 'refused');
create index command_runs_ended on command_runs (tenant_id, ended_at) where ended_at is not null;
call protect_tenant_table('command_runs');
grant select, insert, update on command_runs to tocsin_app;

create policy cross_tenant_claims on command_runs to tocsin_cross_tenant using (true) with check (true);
grant select (tenant_id, id, kind, script_id, status, due_at, not_after, lease_until, fencing_token),
  update (lease_until, fencing_token) on command_runs to tocsin_cross_tenant;

-- One record before each run and one after it. They are never changed, and deleted only together with their run.
create table command_records (
  tenant_id bigint      not null,
  run_id    bigint      not null,
  number    integer     not null,
  at        timestamptz not null,
  kind      text        not null check (kind in ('began', 'ended')),
  detail    jsonb       not null,
  primary key (tenant_id, run_id, number),
  constraint command_records_run foreign key (tenant_id, run_id)
    references command_runs (tenant_id, id) on delete cascade
);
call protect_tenant_table('command_records');
grant select, insert on command_records to tocsin_app;

-- Claims up to `max_count` due runs, those due longest first. With `late_only` it claims only those that were not started
-- in time.
create function claim_command_runs(max_count integer, at timestamptz, lease_end timestamptz, late_only boolean)
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update command_runs r set lease_until = lease_end, fencing_token = r.fencing_token + 1
    from (select x.tenant_id, x.id from command_runs x
          where x.status = 'queued' and x.due_at <= at and (not late_only or x.not_after < at)
            and (x.lease_until is null or x.lease_until <= at)
          order by x.due_at, x.tenant_id, x.id limit max_count for update skip locked) due
    where r.tenant_id = due.tenant_id and r.id = due.id
    returning r.tenant_id, r.id, r.fencing_token;
end
$$;
alter function claim_command_runs(integer, timestamptz, timestamptz, boolean) owner to tocsin_cross_tenant;
revoke all on function claim_command_runs(integer, timestamptz, timestamptz, boolean) from public;
grant execute on function claim_command_runs(integer, timestamptz, timestamptz, boolean) to tocsin_app;

-- Claims due runs on a server with `free_slots` free slots for programs, and `running_counts` programs of the tenants
-- `busy_tenants` running. Claims are fair between tenants, and within a tenant between commands; running programs count
-- as runs that the tenant has had. No tenant takes the last free slots, so that another tenant's first run finds one.
-- Runs that stop a program need no slot.
create function claim_command_runs_fairly(free_slots integer, at timestamptz, lease_end timestamptz,
    busy_tenants bigint[], running_counts integer[])
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with due as materialized (
      select x.tenant_id, x.id, x.kind, x.due_at,
        row_number() over (partition by x.tenant_id, x.kind, x.script_id order by x.due_at, x.id) as command_rank
      from tenants t cross join (values ('stop'), ('execute')) as k(kind) cross join lateral (
        select r.tenant_id, r.id, r.kind, r.script_id, r.due_at from command_runs r
        where r.tenant_id = t.id and r.kind = k.kind and r.status = 'queued' and r.due_at <= at
          and (r.lease_until is null or r.lease_until <= at)
        order by r.due_at limit 500) x
    ), ranked as (
      select d.tenant_id, d.id, d.kind, d.due_at,
        case d.kind when 'execute' then coalesce(b.running_count, 0) else 0 end
          + row_number() over (partition by d.tenant_id, d.kind order by d.command_rank, d.due_at, d.id) as tenant_rank
      from due d
      left join unnest(busy_tenants, running_counts) as b(tenant_id, running_count) on b.tenant_id = d.tenant_id
    ), queue as (
      select r.tenant_id, r.id, r.kind, r.tenant_rank,
        row_number() over (partition by r.kind order by r.tenant_rank, r.due_at, r.tenant_id, r.id) as queue_rank
      from ranked r
    ), chosen as materialized (
      select q.tenant_id, q.id from queue q
      where case q.kind when 'stop' then q.queue_rank <= 50 else q.tenant_rank <= free_slots - q.queue_rank + 1 end
    ), claimed as materialized (
      select r.tenant_id, r.id from command_runs r join chosen c on c.tenant_id = r.tenant_id and c.id = r.id
      where r.status = 'queued' and (r.lease_until is null or r.lease_until <= at)
      for update of r skip locked
    )
    update command_runs r set lease_until = lease_end, fencing_token = r.fencing_token + 1 from claimed
    where r.tenant_id = claimed.tenant_id and r.id = claimed.id
    returning r.tenant_id, r.id, r.fencing_token;
end
$$;
alter function claim_command_runs_fairly(integer, timestamptz, timestamptz, bigint[], integer[])
  owner to tocsin_cross_tenant;
revoke all on function claim_command_runs_fairly(integer, timestamptz, timestamptz, bigint[], integer[]) from public;
grant execute on function claim_command_runs_fairly(integer, timestamptz, timestamptz, bigint[], integer[])
  to tocsin_app;

-- Claims running runs whose lease has ended: their server stopped while the program ran.
create function claim_abandoned_command_runs(max_count integer, at timestamptz, lease_end timestamptz)
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update command_runs r set lease_until = lease_end, fencing_token = r.fencing_token + 1
    from (select x.tenant_id, x.id from command_runs x
          where x.status = 'running' and x.lease_until <= at
          order by x.lease_until limit max_count for update skip locked) abandoned
    where r.tenant_id = abandoned.tenant_id and r.id = abandoned.id
    returning r.tenant_id, r.id, r.fencing_token;
end
$$;
alter function claim_abandoned_command_runs(integer, timestamptz, timestamptz) owner to tocsin_cross_tenant;
revoke all on function claim_abandoned_command_runs(integer, timestamptz, timestamptz) from public;
grant execute on function claim_abandoned_command_runs(integer, timestamptz, timestamptz) to tocsin_app;

-- Deletes up to `max_count` runs that ended before the current tenant's histories begin, and returns their number. Runs
-- with the rights of the owner, because the server itself can only add records of runs.
create function delete_command_runs(keep_from timestamptz, max_count integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  cut constant timestamptz := histories_kept_from(keep_from);
  deleted_count integer;
begin
  with old as materialized (
    select r.id from command_runs r
    where r.tenant_id = current_tenant() and r.ended_at < cut
    order by r.ended_at limit max_count for update skip locked
  )
  delete from command_runs r using old where r.tenant_id = current_tenant() and r.id = old.id;
  get diagnostics deleted_count = row_count;
  return deleted_count;
end
$$;
revoke all on function delete_command_runs(timestamptz, integer) from public;
grant execute on function delete_command_runs(timestamptz, integer) to tocsin_app;
