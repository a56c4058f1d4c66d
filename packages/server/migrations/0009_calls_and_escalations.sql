-- Calls and escalations: requested calls, the escalation of each alarm or request, and every attempt to reach a person.
--
-- An escalation is written in the transaction of its cause. Dispatchers claim due escalations under a lease of a few
-- seconds, decide the next step, and store queued attempts. Attempts are claimed in the same way: the state `calling` is
-- committed before anything is sent, the outcome afterwards. Claims are fair between tenants: each tenant's first row
-- comes before any tenant's second, so that a tenant with thousands of due calls does not delay the others.

-- Calls requested through the interface.
create table calls (
  tenant_id    bigint      not null references tenants (id),
  id           bigint      not null,
  kind         text        not null check (kind in ('users', 'groups')),
  message      text        not null,
  number       bigint      not null, -- numeric short message; 0 for none
  audio        text        not null, -- name in the media library; empty for none
  file         text        not null,
  requested_by text        not null,
  requested_at timestamptz not null,
  primary key (tenant_id, id)
);
create index calls_requested on calls (tenant_id, requested_at);
call protect_tenant_table('calls');
grant select, insert, update, delete on calls to tocsin_app;

create sequence escalation_ids;
grant usage on sequence escalation_ids to tocsin_app;

-- One occasion of an alarm, or one requested call, for which people are called until it is closed.
create table escalations (
  tenant_id     bigint      not null references tenants (id),
  id            bigint      not null default nextval('escalation_ids'),
  occasion      text        not null check (occasion in ('raised', 'reset', 'acknowledged', 'requested')),
  tag_id        bigint,     -- of the alarm; null for a requested call
  occurrence_id bigint,
  call_id       bigint,     -- the requested call; null for an alarm
  station_id    bigint,     -- its time zone is that of the attempts
  priority      bigint      not null,
  urgency       integer     not null generated always as (case when priority <= 1 then 0 else 1 end) stored,
  plan          jsonb       not null, -- does not change after the start
  state         jsonb       not null, -- of the state machine
  rotation      jsonb       not null default '{}', -- per call group that rotates: the number that this escalation took
  opened_at     timestamptz not null,
  first_due_at  timestamptz not null, -- when the first call should be made
  due_at        timestamptz not null, -- of the next step
  lease_until   timestamptz,
  fencing_token bigint      not null default 0, -- rises with each lease
  closed_at     timestamptz,
  closed_reason text,
  primary key (tenant_id, id)
) with (fillfactor = 70);
create index escalations_due on escalations (urgency, due_at) where closed_at is null;
create index escalations_fair on escalations (tenant_id, urgency, due_at) where closed_at is null;
create index escalations_occurrence on escalations (occurrence_id, tenant_id) where occurrence_id is not null;
create index escalations_call on escalations (call_id, tenant_id) where call_id is not null;
create index escalations_tag on escalations (tag_id, tenant_id, id) where tag_id is not null;
create index escalations_closed on escalations (tenant_id, closed_at) where closed_at is not null;
-- Every repeat of an alarm looks for cancelled escalations, to start them again. They are few.
create index escalations_cancelled on escalations (tenant_id, occurrence_id) where closed_reason = 'cancelled';
-- The number of open requested calls of a tenant is limited.
create index escalations_requested on escalations (tenant_id) where call_id is not null and closed_at is null;
call protect_tenant_table('escalations');
grant select, insert, update, delete on escalations to tocsin_app;

create policy cross_tenant_claims on escalations to tocsin_cross_tenant using (true) with check (true);
grant select (tenant_id, id, occasion, urgency, state, first_due_at, due_at, lease_until, fencing_token, closed_at),
  update (lease_until, fencing_token) on escalations to tocsin_cross_tenant;

-- Events of an escalation besides its attempts, for its timeline.
create table escalation_events (
  tenant_id     bigint      not null,
  escalation_id bigint      not null,
  number        integer     not null,
  at            timestamptz not null,
  kind          text        not null,
  detail        jsonb       not null,
  primary key (tenant_id, escalation_id, number),
  foreign key (tenant_id, escalation_id) references escalations (tenant_id, id) on delete cascade
);
call protect_tenant_table('escalation_events');
grant select, insert, delete on escalation_events to tocsin_app;

-- One attempt to reach one person.
create table call_attempts (
  tenant_id       bigint      not null,
  id              bigint      not null,
  call_id         bigint,     -- the requested call
  escalation_id   bigint,
  tag_id          bigint,     -- of the alarm
  call_group_id   bigint,
  station_id      bigint,     -- its time zone is that of the attempt
  user_id         bigint      not null,
  user_name       text        not null,
  target          integer     not null default 0, -- index in the targets of the plan
  step            integer     not null default 0,
  try             integer     not null default 1, -- of this person in this step
  attempt         integer     not null,
  priority        bigint      not null default 1,
  urgency         integer     not null default 1, -- 0 is sent first
  medium          text        not null,
  address         text        not null,
  message         text        not null,
  avoid           bigint[]    not null default '{}', -- channels that have just failed for this person
  channel_id      bigint      not null default 0,
  status          text        not null check (status in ('Queued', 'Calling', 'Delivered', 'Acknowledged', 'NoAnswer',
                                                         'Busy', 'Rejected', 'Failed', 'Cancelled')),
  outcome         text        not null default 'queued', -- of the delivery; `status` is its form in the interface
  reason          text        not null,
  permanent       boolean     not null default false,
  channel_fault   boolean     not null default false, -- the next medium, channel or person is tried at once after it
  reference       text        not null default '', -- the provider's identifier
  node            text        not null default '', -- the process in which the call lives; empty if it lives at a provider
  due_at          timestamptz not null default '-infinity', -- the earliest time to send it
  lease_until     timestamptz,
  fencing_token   bigint      not null default 0, -- rises with each lease
  started_at      timestamptz not null,
  sent_at         timestamptz, -- when it was handed to the provider
  answered_at     timestamptz, -- when a person or a voice mail picked up
  poll_at         timestamptz, -- when to ask the provider for the outcome, because not every provider calls back
  hang_up_at      timestamptz, -- since when the call is not needed any more
  ended_at        timestamptz,
  acknowledged_at timestamptz,
  late_race       boolean     not null default false, -- it was being sent when the escalation was closed
  sent_as         bigint,     -- the attempt whose id the message has: several attempts can share one message
  code_tries      integer     not null default 0, -- wrong answer codes
  search_text     text        not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
create index call_attempts_call on call_attempts (tenant_id, call_id);
create index call_attempts_user on call_attempts (tenant_id, user_id, id);
create index call_attempts_escalation on call_attempts (escalation_id, tenant_id) where escalation_id is not null;
create index call_attempts_tag on call_attempts (tag_id, tenant_id, id) where tag_id is not null;
create index call_attempts_sent_as on call_attempts (sent_as, tenant_id) where sent_as is not null;
create index call_attempts_due on call_attempts (urgency, due_at) where outcome = 'queued';
create index call_attempts_fair on call_attempts (tenant_id, urgency, due_at) where outcome = 'queued';
create index call_attempts_leased on call_attempts (lease_until)
  where outcome <> 'queued' and ended_at is null and lease_until is not null;
create index call_attempts_to_poll on call_attempts (poll_at) where poll_at is not null and ended_at is null;
-- A telephone takes one call at a time. The calls that wait for it are found by its number.
create unique index call_attempts_live_calls on call_attempts (tenant_id, address)
  where medium = 'Voice' and outcome <> 'queued' and ended_at is null and sent_as = id;
create index call_attempts_waiting_calls on call_attempts (tenant_id, address)
  where medium = 'Voice' and outcome = 'queued';
create index call_attempts_to_hang_up on call_attempts (hang_up_at) where hang_up_at is not null and ended_at is null;
call protect_tenant_table('call_attempts');
grant select, insert, update, delete on call_attempts to tocsin_app;

create policy cross_tenant_claims on call_attempts to tocsin_cross_tenant using (true) with check (true);
grant select (tenant_id, id, escalation_id, urgency, outcome, node, due_at, lease_until, fencing_token, started_at, sent_at,
    poll_at, hang_up_at, ended_at),
  update (lease_until, fencing_token, poll_at) on call_attempts to tocsin_cross_tenant;

-- Every answer to an attempt and its judgement. Only an accepted answer has changed anything.
create table answer_records (
  tenant_id  bigint      not null,
  attempt_id bigint      not null,
  number     integer     not null,
  at         timestamptz not null,
  method     text        not null, -- a provider, a link or the interface
  intent     text        not null, -- to acknowledge the alarm, or only to confirm the call
  judgement  text        not null,
  primary key (tenant_id, attempt_id, number),
  foreign key (tenant_id, attempt_id) references call_attempts (tenant_id, id) on delete cascade
);
call protect_tenant_table('answer_records');
grant select, insert, delete on answer_records to tocsin_app;

-- Callbacks that providers have made: a second one with the same id is a repetition, or a replay.
create table provider_callbacks (
  tenant_id   bigint      not null references tenants (id),
  channel_id  bigint      not null,
  callback_id text        not null,
  received_at timestamptz not null,
  primary key (tenant_id, channel_id, callback_id)
);
create index provider_callbacks_age on provider_callbacks (tenant_id, received_at);
call protect_tenant_table('provider_callbacks');
grant select, insert, update, delete on provider_callbacks to tocsin_app; -- update: to lock rows before they are deleted

-- Claims up to `max_count` due escalations until `lease_end`, the urgent ones first, fairly between tenants. Tenants are
-- found by skipping through the index. Rows are locked as they are found, so that concurrent dispatchers claim different
-- ones.
create function claim_escalations(max_count integer, at timestamptz, lease_end timestamptz)
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; claimed_count integer := 0; row_total integer;
begin
  for level in 0..1 loop
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
          where x.tenant_id = w.tenant and x.urgency = level and x.due_at <= at and x.closed_at is null
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
alter function claim_escalations(integer, timestamptz, timestamptz) owner to tocsin_cross_tenant;
revoke all on function claim_escalations(integer, timestamptz, timestamptz) from public;
grant execute on function claim_escalations(integer, timestamptz, timestamptz) to tocsin_app;

-- Claims up to `max_count` queued attempts that are due, in the same way: at most `busy_limits` of the tenants
-- `busy_tenants`, at most `usual_limit` of each other tenant. Within a tenant the urgent ones come first.
create function claim_attempts(max_count integer, at timestamptz, lease_end timestamptz, usual_limit integer,
    busy_tenants bigint[], busy_limits integer[])
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; claimed_count integer := 0; row_total integer;
begin
  for level in 0..1 loop
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
alter function claim_attempts(integer, timestamptz, timestamptz, integer, bigint[], integer[])
  owner to tocsin_cross_tenant;
revoke all on function claim_attempts(integer, timestamptz, timestamptz, integer, bigint[], integer[]) from public;
grant execute on function claim_attempts(integer, timestamptz, timestamptz, integer, bigint[], integer[]) to tocsin_app;

-- Claims attempts whose lease has ended: their dispatcher stopped before it stored the outcome, or the call lived in it.
create function claim_abandoned_attempts(max_count integer, at timestamptz, lease_end timestamptz)
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with ranked as materialized (
      select x.tenant_id as tenant, x.id, x.lease_until,
        row_number() over (partition by x.tenant_id order by x.lease_until) as tenant_rank
      from call_attempts x where x.outcome <> 'queued' and x.ended_at is null and x.lease_until <= at
    ), chosen as (select r.tenant, r.id from ranked r order by r.tenant_rank, r.lease_until limit max_count),
    claimed as (
      select x.tenant_id as tenant, x.id from chosen c join call_attempts x on x.tenant_id = c.tenant and x.id = c.id
      where x.outcome <> 'queued' and x.ended_at is null and x.lease_until <= at for update of x skip locked)
    update call_attempts a set lease_until = lease_end, fencing_token = a.fencing_token + 1
    from claimed where a.tenant_id = claimed.tenant and a.id = claimed.id
    returning a.tenant_id, a.id, a.fencing_token;
end
$$;
alter function claim_abandoned_attempts(integer, timestamptz, timestamptz) owner to tocsin_cross_tenant;
revoke all on function claim_abandoned_attempts(integer, timestamptz, timestamptz) from public;
grant execute on function claim_abandoned_attempts(integer, timestamptz, timestamptz) to tocsin_app;

-- Claims accepted calls whose provider is to be asked for the outcome. They are polled again at `next_poll_at`.
create function claim_accepted_calls(max_count integer, at timestamptz, next_poll_at timestamptz)
  returns table (tenant_id bigint, id bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with ranked as materialized (
      select x.tenant_id as tenant, x.id, x.poll_at,
        row_number() over (partition by x.tenant_id order by x.poll_at) as tenant_rank
      from call_attempts x where x.ended_at is null and x.poll_at <= at
    ), chosen as (select r.tenant, r.id from ranked r order by r.tenant_rank, r.poll_at limit max_count),
    claimed as (
      select x.tenant_id as tenant, x.id from chosen c join call_attempts x on x.tenant_id = c.tenant and x.id = c.id
      where x.poll_at <= at for update of x skip locked)
    update call_attempts a set poll_at = next_poll_at
    from claimed where a.tenant_id = claimed.tenant and a.id = claimed.id
    returning a.tenant_id, a.id;
end
$$;
alter function claim_accepted_calls(integer, timestamptz, timestamptz) owner to tocsin_cross_tenant;
revoke all on function claim_accepted_calls(integer, timestamptz, timestamptz) from public;
grant execute on function claim_accepted_calls(integer, timestamptz, timestamptz) to tocsin_app;

-- Lists calls that still ring and are not needed any more. They are not claimed, because hanging up twice does no harm.
-- Attempts in the state `calling` are excluded: there is no call to hang up yet. A call that lives in a process is hung up
-- by that process.
create function attempts_to_hang_up(max_count integer, own_node text) returns table (tenant_id bigint, id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select r.tenant_id, r.id from (
      select a.tenant_id, a.id, a.hang_up_at,
        row_number() over (partition by a.tenant_id order by a.hang_up_at) as tenant_rank
      from call_attempts a where a.hang_up_at is not null and a.ended_at is null and a.outcome <> 'calling'
        and a.node in ('', own_node)) r
    order by r.tenant_rank, r.hang_up_at limit max_count
  $$;
alter function attempts_to_hang_up(integer, text) owner to tocsin_cross_tenant;
revoke all on function attempts_to_hang_up(integer, text) from public;
grant execute on function attempts_to_hang_up(integer, text) to tocsin_app;

-- Counts the escalations per tenant that were due before `at`, to detect that no dispatcher claims them.
create function overdue_escalations(at timestamptz)
  returns table (tenant_id bigint, escalations bigint, oldest timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select e.tenant_id, count(*), min(e.due_at) from escalations e
    where e.closed_at is null and e.urgency in (0, 1) and e.due_at < at group by e.tenant_id
  $$;
alter function overdue_escalations(timestamptz) owner to tocsin_cross_tenant;
revoke all on function overdue_escalations(timestamptz) from public;
grant execute on function overdue_escalations(timestamptz) to tocsin_app;

-- Counts per tenant the attempts that have been queued since before `at`, and the escalations that were due before `at`
-- and have no call that a provider accepted.
create function waiting_calls(at timestamptz) returns table (tenant_id bigint, queued bigint, unaccepted bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.tenant_id, sum(w.queued)::bigint, sum(w.unaccepted)::bigint from (
      select a.tenant_id, count(*) as queued, 0 as unaccepted from call_attempts a
      where a.outcome = 'queued' and a.started_at < at group by a.tenant_id
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
alter function waiting_calls(timestamptz) owner to tocsin_cross_tenant;
revoke all on function waiting_calls(timestamptz) from public;
grant execute on function waiting_calls(timestamptz) to tocsin_app;
