-- Channels, their health, and the alarms that the server raises about itself.

-- Providers of each medium, in the order in which they are tried.
create table channels (
  tenant_id   bigint      not null references tenants (id),
  id          bigint      not null,
  name        text        not null,
  search_text text        not null,
  kind        text        not null, -- a name in the server's registry of channels
  medium      text        not null check (medium in ('Voice', 'Sms', 'Email', 'Push', 'Webhook', 'Pager')),
  priority    integer     not null, -- the lowest of a medium is tried first
  enabled     boolean     not null,
  settings    jsonb       not null, -- without its secrets
  secrets     bytea,                -- JSON of the secret settings, sealed with a key that is not in the database
  version     integer     not null default 1,
  last_change timestamptz not null,
  primary key (tenant_id, id)
);
create index channels_medium on channels (tenant_id, medium, priority, id);
call protect_tenant_table('channels');
grant select, insert, update, delete on channels to tocsin_app;

-- The health of each channel, from probes and from the delivery of messages. The row of a deleted channel remains until
-- the next probe finds that the channel is gone.
create table channel_health (
  tenant_id           bigint      not null references tenants (id),
  channel_id          bigint      not null,
  due_at              timestamptz not null default '-infinity', -- of the next probe; a claim moves it ahead
  failures            integer     not null default 0, -- since the channel last worked
  failing_since       timestamptz, -- null while it works
  last_send_failed_at timestamptz,
  down                boolean     not null default false,
  reason              text        not null default '',
  primary key (tenant_id, channel_id)
) with (fillfactor = 70);
create index channel_health_due on channel_health (due_at);
call protect_tenant_table('channel_health');
grant select, insert, update, delete on channel_health to tocsin_app;

create policy cross_tenant_claims on channel_health to tocsin_cross_tenant using (true) with check (true);
grant select (tenant_id, channel_id, due_at, failures), update (due_at) on channel_health to tocsin_cross_tenant;

-- Has a channel probed at once after a change.
create function track_channel_health() returns trigger
  language plpgsql as $$
begin
  insert into channel_health (tenant_id, channel_id)
  select case tg_op when 'DELETE' then old.tenant_id else new.tenant_id end,
    case tg_op when 'DELETE' then old.id else new.id end
  on conflict (tenant_id, channel_id) do update set due_at = '-infinity';
  return null;
end
$$;
create trigger track_channel_health after insert or update or delete on channels
  for each row execute function track_channel_health();

-- Claims up to `max_count` channels to probe, those due longest first. They are due again at `next_due_at`.
create function claim_channel_probes(max_count integer, at timestamptz, next_due_at timestamptz)
  returns table (tenant_id bigint, channel_id bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update channel_health h set due_at = next_due_at
    from (select x.tenant_id, x.channel_id from channel_health x where x.due_at <= at
          order by x.due_at limit max_count for update skip locked) due
    where h.tenant_id = due.tenant_id and h.channel_id = due.channel_id
    returning h.tenant_id, h.channel_id;
end
$$;
alter function claim_channel_probes(integer, timestamptz, timestamptz) owner to tocsin_cross_tenant;
revoke all on function claim_channel_probes(integer, timestamptz, timestamptz) from public;
grant execute on function claim_channel_probes(integer, timestamptz, timestamptz) to tocsin_app;

-- Lists those of the given channels that have failed since they last worked: a success needs to be stored only for them.
create function failing_channels(tenant_ids bigint[], channel_ids bigint[])
  returns table (tenant_id bigint, channel_id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select h.tenant_id, h.channel_id from unnest(tenant_ids, channel_ids) as g(tenant_id, channel_id)
    join channel_health h on h.tenant_id = g.tenant_id and h.channel_id = g.channel_id
    where h.failures > 0
  $$;
alter function failing_channels(bigint[], bigint[]) owner to tocsin_cross_tenant;
revoke all on function failing_channels(bigint[], bigint[]) from public;
grant execute on function failing_channels(bigint[], bigint[]) to tocsin_app;

-- Claims up to `max_count` tenants whose rosters are to be checked for gaps. They are due again at `next_due_at`.
create function claim_roster_checks(max_count integer, at timestamptz, next_due_at timestamptz) returns setof bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update configuration_versions v set roster_check_due_at = next_due_at
    from (select x.tenant_id from configuration_versions x where x.roster_check_due_at <= at
          order by x.roster_check_due_at limit max_count for update skip locked) due
    where v.tenant_id = due.tenant_id
    returning v.tenant_id;
end
$$;
alter function claim_roster_checks(integer, timestamptz, timestamptz) owner to tocsin_cross_tenant;
revoke all on function claim_roster_checks(integer, timestamptz, timestamptz) from public;
grant execute on function claim_roster_checks(integer, timestamptz, timestamptz) to tocsin_app;

-- System alarms that monitors have raised and not reset yet, so that one of several servers raises an alarm, and any of
-- them can reset it.
create table monitor_alarms (
  tenant_id bigint      not null references tenants (id),
  path      text        not null, -- of the alarm, below `tocsin/`
  message   text        not null,
  raised_at timestamptz not null,
  primary key (tenant_id, path)
);
create index monitor_alarms_path on monitor_alarms (path);
call protect_tenant_table('monitor_alarms');
grant select, insert, update, delete on monitor_alarms to tocsin_app;

create policy cross_tenant_reads on monitor_alarms for select to tocsin_cross_tenant using (true);
grant select (tenant_id, path) on monitor_alarms to tocsin_cross_tenant;

-- Lists the tenants in which the alarm of this path is raised, for the monitor that resets it.
create function tenants_with_monitor_alarm(wanted_path text) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select tenant_id from monitor_alarms where path = wanted_path $$;
alter function tenants_with_monitor_alarm(text) owner to tocsin_cross_tenant;
revoke all on function tenants_with_monitor_alarm(text) from public;
grant execute on function tenants_with_monitor_alarm(text) to tocsin_app;

-- System alarms that are written in the transaction that finds their cause, so that a crash loses none. Any server posts
-- the alarm afterwards and stores the version that it has reported.
create table system_alarms (
  tenant_id        bigint      not null references tenants (id),
  path             text        not null, -- of the alarm, below `tocsin/`
  kind             text        not null, -- decides how the end of the cause is detected
  subject          bigint      not null, -- the alarm, call group or user that it is about
  cause            text        not null, -- changes only when there is something else to report
  message          text        not null,
  extra_members    jsonb       not null default '{}', -- further members of the alarm
  raised           boolean     not null,
  changed_at       timestamptz not null,
  version          integer     not null default 1, -- rises with each change
  reported_version integer     not null default 0, -- the version that the alarm shows
  lease_until      timestamptz, -- until then another server reports it
  primary key (tenant_id, path)
);
create index system_alarms_unreported on system_alarms (tenant_id) where version <> reported_version;
create index system_alarms_raised on system_alarms (tenant_id) where raised;
call protect_tenant_table('system_alarms');
grant select, insert, update, delete on system_alarms to tocsin_app;

create policy cross_tenant_reads on system_alarms for select to tocsin_cross_tenant using (true);
grant select (tenant_id, version, reported_version, lease_until, raised) on system_alarms to tocsin_cross_tenant;

-- Lists the tenants with system alarms that are to be reported.
create function unreported_system_alarms(at timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct tenant_id from system_alarms
    where version <> reported_version and (lease_until is null or lease_until <= at)
  $$;
alter function unreported_system_alarms(timestamptz) owner to tocsin_cross_tenant;
revoke all on function unreported_system_alarms(timestamptz) from public;
grant execute on function unreported_system_alarms(timestamptz) to tocsin_app;

-- Lists the tenants with raised system alarms, whose causes may have ended.
create function raised_system_alarms() returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct tenant_id from system_alarms where raised $$;
alter function raised_system_alarms() owner to tocsin_cross_tenant;
revoke all on function raised_system_alarms() from public;
grant execute on function raised_system_alarms() to tocsin_app;
