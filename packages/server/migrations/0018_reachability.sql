-- Notices: messages to one person about no alarm, such as a test of their media, a code or a reminder of a shift.
--
-- A notice is sent like a call: each of its media has an escalation of its own, with attempts. Alarms go first.
set local lock_timeout = '5s';

create table notices (
  tenant_id    bigint      not null references tenants (id),
  id           bigint      not null,
  kind         text        not null check (kind in ('test', 'code', 'reminder')),
  user_id      bigint      not null,
  requested_by text        not null, -- the name of a user; empty for the schedule
  sent_at      timestamptz not null,
  primary key (tenant_id, id)
);
create index notices_user on notices (tenant_id, user_id, id);
create index notices_age on notices (tenant_id, sent_at);
call protect_tenant_table('notices');
grant select, insert, update, delete on notices to tocsin_app; -- update: to lock rows before they are deleted

alter table escalations drop constraint escalations_occasion_check;
alter table escalations add constraint escalations_occasion_check
  check (occasion in ('raised', 'reset', 'acknowledged', 'requested', 'notice')) not valid;
alter table escalations validate constraint escalations_occasion_check;
alter table escalations add column notice_id bigint;
create index escalations_notice on escalations (notice_id, tenant_id) where notice_id is not null;

-- The urgency of an attempt for a notice is 2: it is sent after all others.
alter table call_attempts add column notice_id bigint;

-- The last test of each address of a person. Its outcome is that of the attempts of the escalation, which is kept.
create table reachability (
  tenant_id     bigint      not null,
  user_id       bigint      not null,
  medium        text        not null,
  address       text        not null,
  escalation_id bigint      not null,
  tested_at     timestamptz not null,
  primary key (tenant_id, user_id, medium, address),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index reachability_escalation on reachability (escalation_id, tenant_id);
call protect_tenant_table('reachability');
grant select, insert, update, delete on reachability to tocsin_app;

-- The shifts whose beginning was announced to a person, by a reminder or a test. The key allows one for each shift.
create table duty_notices (
  tenant_id     bigint      not null references tenants (id),
  user_id       bigint      not null,
  call_group_id bigint      not null,
  starts_at     timestamptz not null,
  notice_id     bigint,     -- null if the person has no medium for it
  primary key (tenant_id, user_id, call_group_id, starts_at)
);
create index duty_notices_age on duty_notices (tenant_id, starts_at);
call protect_tenant_table('duty_notices');
grant select, insert, update, delete on duty_notices to tocsin_app; -- update: to lock rows before they are deleted

-- One server at a time sends the scheduled notices of a tenant.
create table notice_schedules (
  tenant_id   bigint      not null references tenants (id),
  lease_until timestamptz not null,
  primary key (tenant_id)
);
call protect_tenant_table('notice_schedules');
grant select, insert, update on notice_schedules to tocsin_app;

-- When people are tested and reminded. Null and 0 stand for never.
alter table tenants
  add column test_every_days integer check (test_every_days between 1 and 90),
  add column test_at text not null default '10:00' check (test_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  add column test_before_shift_minutes integer check (test_before_shift_minutes between 1 and 1440),
  add column shift_reminder_minutes integer not null default 0 check (shift_reminder_minutes between 0 and 1440);

-- Lists the tenants that want scheduled tests or reminders; most want none.
create function tenants_with_scheduled_notices() returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select id from tenants
    where test_every_days is not null or test_before_shift_minutes is not null or shift_reminder_minutes > 0 order by id
  $$;
alter function tenants_with_scheduled_notices() owner to tocsin_cross_tenant;
revoke all on function tenants_with_scheduled_notices() from public;
grant execute on function tenants_with_scheduled_notices() to tocsin_app;

-- As before, and escalations of notices are claimed after all others.
create or replace function claim_escalations(max_count integer, at timestamptz, lease_end timestamptz)
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; claimed_count integer := 0; row_total integer;
begin
  for level in 0..2 loop
    exit when claimed_count >= max_count;
    return query
      with recursive tenant_scan(tenant) as (
        (select x.tenant_id from escalations x where x.closed_at is null order by x.tenant_id limit 1)
        union all
        select (select x.tenant_id from escalations x where x.closed_at is null and x.tenant_id > s.tenant
          order by x.tenant_id limit 1)
        from tenant_scan s where s.tenant is not null
      ), waiting_tenants as materialized (select s.tenant from tenant_scan s where s.tenant is not null),
      ranked as materialized (
        select w.tenant, q.id, q.due_at, row_number() over (partition by w.tenant order by q.due_at) as tenant_rank
        from waiting_tenants w cross join lateral (
          select x.id, x.due_at from escalations x
          where x.tenant_id = w.tenant and x.urgency = least(level, 1) and (x.occasion = 'notice') = (level = 2)
            and x.due_at <= at and x.closed_at is null
            and (x.lease_until is null or x.lease_until <= at)
          order by x.due_at limit greatest(1,
            2 * (max_count - claimed_count) / greatest(1, (select count(*) from waiting_tenants))::integer)
          for update of x skip locked) q
      ), claimed as (
        select r.tenant, r.id from ranked r order by r.tenant_rank, r.due_at limit max_count - claimed_count)
      update escalations e set lease_until = lease_end, fencing_token = e.fencing_token + 1
      from claimed where e.tenant_id = claimed.tenant and e.id = claimed.id
      returning e.tenant_id, e.id, e.fencing_token;
    get diagnostics row_total = row_count;
    claimed_count := claimed_count + row_total;
  end loop;
end
$$;

-- As before, and attempts for notices, whose urgency is 2, are claimed after all others.
create or replace function claim_attempts(max_count integer, at timestamptz, lease_end timestamptz, usual_limit integer,
    busy_tenants bigint[], busy_limits integer[])
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; claimed_count integer := 0; row_total integer;
begin
  for level in 0..2 loop
    exit when claimed_count >= max_count;
    return query
      with recursive tenant_scan(tenant) as (
        (select x.tenant_id from call_attempts x where x.outcome = 'queued' order by x.tenant_id limit 1)
        union all
        select (select x.tenant_id from call_attempts x where x.outcome = 'queued' and x.tenant_id > s.tenant
          order by x.tenant_id limit 1)
        from tenant_scan s where s.tenant is not null
      ), waiting_tenants as materialized (select s.tenant from tenant_scan s where s.tenant is not null),
      ranked as materialized (
        select w.tenant, q.id, q.due_at, row_number() over (partition by w.tenant order by q.due_at) as tenant_rank
        from waiting_tenants w cross join lateral (
          select x.id, x.due_at from call_attempts x
          where x.tenant_id = w.tenant and x.urgency = level and x.due_at <= at and x.outcome = 'queued'
            and (x.lease_until is null or x.lease_until <= at)
          order by x.due_at limit least(coalesce(busy_limits[array_position(busy_tenants, w.tenant)], usual_limit),
            greatest(1, 2 * (max_count - claimed_count) / greatest(1, (select count(*) from waiting_tenants))::integer))
          for update of x skip locked) q
      ), claimed as (
        select r.tenant, r.id from ranked r order by r.tenant_rank, r.due_at limit max_count - claimed_count)
      update call_attempts a set lease_until = lease_end, fencing_token = a.fencing_token + 1
      from claimed where a.tenant_id = claimed.tenant and a.id = claimed.id
      returning a.tenant_id, a.id, a.fencing_token;
    get diagnostics row_total = row_count;
    claimed_count := claimed_count + row_total;
  end loop;
end
$$;

-- As before, without notices: nobody waits for them.
create or replace function overdue_escalations(at timestamptz)
  returns table (tenant_id bigint, escalations bigint, oldest timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select e.tenant_id, count(*), min(e.due_at) from escalations e
    where e.closed_at is null and e.urgency in (0, 1) and e.due_at < at and e.occasion <> 'notice'
    group by e.tenant_id
  $$;

-- As before, without notices.
create or replace function waiting_calls(at timestamptz) returns table (tenant_id bigint, queued bigint, unaccepted bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.tenant_id, sum(w.queued)::bigint, sum(w.unaccepted)::bigint from (
      select a.tenant_id, count(*) as queued, 0 as unaccepted from call_attempts a
      where a.outcome = 'queued' and a.started_at < at and a.urgency < 2 group by a.tenant_id
      union all
      select e.tenant_id, 0, count(*) from escalations e
      where e.closed_at is null and e.first_due_at < at and e.occasion in ('raised', 'requested')
        and e.state ->> 'closed' is null
        and not exists (select from call_attempts a where a.tenant_id = e.tenant_id and a.escalation_id = e.id
          and a.outcome in ('accepted', 'ringing', 'delivered', 'answered', 'acknowledged', 'declined', 'busy', 'noAnswer',
            'refused'))
      group by e.tenant_id) w
    group by w.tenant_id
  $$;
