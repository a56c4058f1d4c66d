-- What must be called, every try to do so, and who has taken it up.
--
-- A duty is written in the transaction that gives rise to it. Dispatchers take due ones for a few seconds at a time (a
-- lease), let the escalation decide, and store queued attempts. An attempt is taken up in the same way: that it is being
-- called is committed before anything is sent, and what came of it afterwards.

alter table tenants add column fallback_call_group_id bigint; -- called when a group has nobody left to call

-- Counts the changes of whatever a call plan is made from, so that servers may keep it in memory.
create table call_directories (
  tenant_id bigint primary key references tenants (id),
  version   bigint not null
);
call protect_tenant_table('call_directories');
grant select, insert, update on call_directories to tocsin_app;

create function move_call_directory() returns trigger
  language plpgsql as $$
begin
  insert into call_directories as d (tenant_id, version) values (current_tenant(), 1)
  on conflict (tenant_id) do update set version = d.version + 1;
  return null;
end
$$;

do $$
declare watched text;
begin
  foreach watched in array array['call_groups', 'call_group_members', 'call_group_teams', 'roster_slots',
    'roster_overrides', 'users', 'user_media', 'scenarios', 'tag_groups', 'stations'] loop
    execute format('create trigger moves_call_directory after insert or update or delete on %I '
      'for each statement execute function move_call_directory()', watched);
  end loop;
end
$$;
create trigger moves_call_directory after update of fallback_call_group_id on tenants
  for each statement execute function move_call_directory();

create sequence duty_ids;
grant usage on sequence duty_ids to tocsin_app;

-- One turn of an alarm, or one request, that people must be called for until it is closed.
create table duties (
  tenant_id     bigint      not null references tenants (id),
  id            bigint      not null default nextval('duty_ids'),
  occasion      text        not null check (occasion in ('raised', 'reset', 'acknowledged', 'requested')),
  tag_id        bigint,     -- the alarm it is about; null for a request
  occurrence_id bigint,
  call_id       bigint,     -- the request it is about; null for an alarm
  station_id    bigint,     -- in whose time zone its attempts are shown
  priority      bigint      not null,
  urgency       integer     not null generated always as (case when priority <= 1 then 0 else 1 end) stored,
  plan          jsonb       not null, -- frozen at the start
  state         jsonb       not null, -- how far the calling has got
  rotation      jsonb       not null default '{}', -- by call group that takes turns: the number this duty drew
  opened_at     timestamptz not null,
  first_due_at  timestamptz not null, -- when the first call should be made
  due_at        timestamptz not null, -- when to look at it again
  lease_until   timestamptz,
  fence         bigint      not null default 0, -- rises with each lease
  closed_at     timestamptz,
  closed_reason text,
  primary key (tenant_id, id)
) with (fillfactor = 70);
create index duties_due on duties (urgency, due_at) where closed_at is null;
create index duties_occurrence on duties (occurrence_id, tenant_id) where occurrence_id is not null;
create index duties_call on duties (call_id, tenant_id) where call_id is not null;
call protect_tenant_table('duties');
grant select, insert, update, delete on duties to tocsin_app;

-- What is worth telling of a duty besides its attempts.
create table duty_notices (
  tenant_id bigint      not null,
  duty_id   bigint      not null,
  number    integer     not null,
  at        timestamptz not null,
  kind      text        not null,
  detail    jsonb       not null,
  primary key (tenant_id, duty_id, number),
  foreign key (tenant_id, duty_id) references duties (tenant_id, id) on delete cascade
);
call protect_tenant_table('duty_notices');
grant select, insert, delete on duty_notices to tocsin_app;

-- What signs the codes that people answer with, the same for all servers of the installation.
create table answer_secrets (
  secret     text        primary key,
  created_at timestamptz not null
);
grant select, insert on answer_secrets to tocsin_app;

alter table call_attempts
  alter column call_id drop not null,
  add column duty_id     bigint,
  add column target      integer     not null default 0, -- place in the plan's targets
  add column step        integer     not null default 0,
  add column try         integer     not null default 1, -- of this person in this step
  add column priority    bigint      not null default 1,
  add column urgency     integer     not null default 1, -- 0 goes first
  add column avoid       bigint[]    not null default '{}', -- channels that have just failed this person
  add column channel_id  bigint      not null default 0,
  add column outcome     text        not null default 'queued', -- as delivery knows it; `status` is what the interface shows
  add column permanent   boolean     not null default false,
  add column reference   text        not null default '', -- the provider's own name for it
  add column due_at      timestamptz not null default '-infinity', -- when it may be sent
  add column lease_until timestamptz,
  add column fence       bigint      not null default 0,
  add column sent_at     timestamptz, -- when it was handed to the provider
  add column hang_up_at  timestamptz, -- since when nobody needs it any more
  add column late_race   boolean     not null default false, -- it was on its way when the duty was closed
  add column sent_as     bigint, -- the attempt whose name the message bears: several may go out as one
  add column code        text        not null default '', -- what the person answers with
  add column code_tries  integer     not null default 0;
drop index call_attempts_queued;
create index call_attempts_due on call_attempts (urgency, due_at) where outcome = 'queued';
create index call_attempts_leased on call_attempts (lease_until) where outcome = 'calling' and lease_until is not null;
create index call_attempts_to_hang_up on call_attempts (hang_up_at) where hang_up_at is not null and ended_at is null;
create index call_attempts_duty on call_attempts (duty_id, tenant_id) where duty_id is not null;
create index call_attempts_tag on call_attempts (tag_id, tenant_id, id) where tag_id is not null;
create index call_attempts_sent_as on call_attempts (sent_as, tenant_id) where sent_as is not null;
create index duties_tag on duties (tag_id, tenant_id, id) where tag_id is not null;

-- Every answer to an attempt and what it was worth. Only an accepted one has changed anything.
create table answer_records (
  tenant_id  bigint      not null,
  attempt_id bigint      not null,
  number     integer     not null,
  at         timestamptz not null,
  way        text        not null, -- by which it came: a provider, a link or the interface
  intent     text        not null, -- whether the alarm was to be taken, or only the call confirmed
  judgement  text        not null,
  primary key (tenant_id, attempt_id, number),
  foreign key (tenant_id, attempt_id) references call_attempts (tenant_id, id) on delete cascade
);
call protect_tenant_table('answer_records');
grant select, insert, delete on answer_records to tocsin_app;

-- Reports of providers that were heard already: the second of a name is a repetition, or a replay.
create table provider_callbacks (
  tenant_id   bigint      not null references tenants (id),
  channel_id  bigint      not null,
  callback_id text        not null,
  received_at timestamptz not null,
  primary key (tenant_id, channel_id, callback_id)
);
create index provider_callbacks_age on provider_callbacks (tenant_id, received_at);
call protect_tenant_table('provider_callbacks');
grant select, insert, delete on provider_callbacks to tocsin_app;

-- What dispatchers may see and take of all tenants: that something is due, and no more.
create policy steward_takes on duties to tocsin_steward using (true) with check (true);
grant select (tenant_id, id, urgency, due_at, lease_until, fence, closed_at), update (lease_until, fence)
  on duties to tocsin_steward;
create policy steward_takes on call_attempts to tocsin_steward using (true) with check (true);
grant select (tenant_id, id, urgency, due_at, lease_until, fence, outcome, hang_up_at, ended_at, sent_at),
  update (lease_until, fence) on call_attempts to tocsin_steward;

-- Takes up to `wanted` due duties until `until`: the most urgent first, then those due longest.
create function take_duties(wanted integer, at timestamptz, until timestamptz)
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; taken integer := 0; got integer;
begin
  for level in 0..1 loop
    return query
      update duties d set lease_until = until, fence = d.fence + 1
      from (select x.tenant_id, x.id from duties x
            where x.urgency = level and x.due_at <= at and x.closed_at is null
              and (x.lease_until is null or x.lease_until <= at)
            order by x.due_at limit wanted - taken for update skip locked) due
      where d.tenant_id = due.tenant_id and d.id = due.id
      returning d.tenant_id, d.id, d.fence;
    get diagnostics got = row_count;
    taken := taken + got;
  end loop;
end
$$;
alter function take_duties(integer, timestamptz, timestamptz) owner to tocsin_steward;
revoke all on function take_duties(integer, timestamptz, timestamptz) from public;
grant execute on function take_duties(integer, timestamptz, timestamptz) to tocsin_app;

-- Names up to `wanted` queued attempts that may be sent, the most urgent first. They are taken one tenant at a time,
-- by writing down that they are being called.
create function due_attempts(wanted integer, at timestamptz, until timestamptz)
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; taken integer := 0; got integer;
begin
  for level in 0..1 loop
    return query
      update call_attempts a set lease_until = until, fence = a.fence + 1
      from (select x.tenant_id, x.id from call_attempts x
            where x.outcome = 'queued' and x.urgency = level and x.due_at <= at
              and (x.lease_until is null or x.lease_until <= at)
            order by x.due_at limit wanted - taken for update skip locked) due
      where a.tenant_id = due.tenant_id and a.id = due.id
      returning a.tenant_id, a.id, a.fence;
    get diagnostics got = row_count;
    taken := taken + got;
  end loop;
end
$$;
alter function due_attempts(integer, timestamptz, timestamptz) owner to tocsin_steward;
revoke all on function due_attempts(integer, timestamptz, timestamptz) from public;
grant execute on function due_attempts(integer, timestamptz, timestamptz) to tocsin_app;

-- Attempts that somebody began to call and never told the end of.
create function stray_attempts(wanted integer, at timestamptz, until timestamptz)
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update call_attempts a set lease_until = until, fence = a.fence + 1
    from (select x.tenant_id, x.id from call_attempts x
          where x.outcome = 'calling' and x.lease_until <= at
          order by x.lease_until limit wanted for update skip locked) due
    where a.tenant_id = due.tenant_id and a.id = due.id
    returning a.tenant_id, a.id, a.fence;
end
$$;
alter function stray_attempts(integer, timestamptz, timestamptz) owner to tocsin_steward;
revoke all on function stray_attempts(integer, timestamptz, timestamptz) from public;
grant execute on function stray_attempts(integer, timestamptz, timestamptz) to tocsin_app;

-- Calls that ring although nobody needs them any more. Hanging up twice does no harm, so they are not taken. One that
-- is just being placed is not among them: there is nothing to hang up yet.
create function attempts_to_hang_up(wanted integer) returns table (tenant_id bigint, id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select a.tenant_id, a.id from call_attempts a
    where a.hang_up_at is not null and a.ended_at is null and a.outcome <> 'calling'
    order by a.hang_up_at limit wanted
  $$;
alter function attempts_to_hang_up(integer) owner to tocsin_steward;
revoke all on function attempts_to_hang_up(integer) from public;
grant execute on function attempts_to_hang_up(integer) to tocsin_app;

-- Duties that should have been looked at by now, for those who watch the dispatchers.
create function overdue_duties(at timestamptz) returns table (tenant_id bigint, duties bigint, oldest timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select d.tenant_id, count(*), min(d.due_at) from duties d
    where d.closed_at is null and d.urgency in (0, 1) and d.due_at < at group by d.tenant_id
  $$;
alter function overdue_duties(timestamptz) owner to tocsin_steward;
revoke all on function overdue_duties(timestamptz) from public;
grant execute on function overdue_duties(timestamptz) to tocsin_app;
