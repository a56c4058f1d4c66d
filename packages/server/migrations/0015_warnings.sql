-- What the server says of itself by alarms: that a channel is ill, that a roster has a gap.

-- What was said and not yet taken back, so that of several servers one says it, and the one that takes it back may be another.
create table warnings (
  tenant_id bigint      not null references tenants (id),
  path      text        not null, -- of the alarm, below `tocsin/`
  message   text        not null,
  told_at   timestamptz not null,
  primary key (tenant_id, path)
);
create index warnings_path on warnings (path);
call protect_tenant_table('warnings');
grant select, insert, update, delete on warnings to tocsin_app;

create policy steward_reads on warnings for select to tocsin_steward using (true);
grant select (tenant_id, path) on warnings to tocsin_steward;

-- The tenants that were told so, for those who look whether it is still so.
create function warned_tenants(told text) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select tenant_id from warnings where path = told $$;
alter function warned_tenants(text) owner to tocsin_steward;
revoke all on function warned_tenants(text) from public;
grant execute on function warned_tenants(text) to tocsin_app;

-- How each channel fares. Dispatchers take those that are due for a few seconds and probe them; what became of messages is
-- noted here too. The row of a channel that is gone stays until somebody has seen that it is.
create table channel_watches (
  tenant_id     bigint      not null references tenants (id),
  channel_id    bigint      not null,
  due_at        timestamptz not null default '-infinity', -- when to probe it; a dispatcher that takes it moves that ahead
  failures      integer     not null default 0, -- since it last worked
  failing_since timestamptz, -- null while it works
  last_send     timestamptz, -- when a message last failed
  ill           boolean     not null default false,
  reason        text        not null default '',
  primary key (tenant_id, channel_id)
) with (fillfactor = 70);
create index channel_watches_due on channel_watches (due_at);
call protect_tenant_table('channel_watches');
grant select, insert, update, delete on channel_watches to tocsin_app;

create function watch_channel() returns trigger
  language plpgsql as $$
begin
  insert into channel_watches (tenant_id, channel_id)
  select case tg_op when 'DELETE' then old.tenant_id else new.tenant_id end,
    case tg_op when 'DELETE' then old.id else new.id end
  on conflict (tenant_id, channel_id) do update set due_at = '-infinity';
  return null;
end
$$;
create trigger watched after insert or update or delete on channels
  for each row execute function watch_channel();

do $$
declare tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    insert into channel_watches (tenant_id, channel_id) select tenant_id, id from channels where tenant_id = tenant;
  end loop;
  perform set_config('tocsin.tenant', '', true);
end
$$;

create policy steward_takes on channel_watches to tocsin_steward using (true) with check (true);
grant select (tenant_id, channel_id, due_at, failures), update (due_at) on channel_watches to tocsin_steward;

-- Takes up to `wanted` channels that are to be probed, those due longest first.
create function take_channel_watches(wanted integer, at timestamptz, until timestamptz)
  returns table (tenant_id bigint, channel_id bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update channel_watches w set due_at = until
    from (select x.tenant_id, x.channel_id from channel_watches x where x.due_at <= at
          order by x.due_at limit wanted for update skip locked) due
    where w.tenant_id = due.tenant_id and w.channel_id = due.channel_id
    returning w.tenant_id, w.channel_id;
end
$$;
alter function take_channel_watches(integer, timestamptz, timestamptz) owner to tocsin_steward;
revoke all on function take_channel_watches(integer, timestamptz, timestamptz) from public;
grant execute on function take_channel_watches(integer, timestamptz, timestamptz) to tocsin_app;

-- Those of the channels that have failed since they last worked: that one works is news for them only.
create function troubled_channels(tenants bigint[], channels bigint[])
  returns table (tenant_id bigint, channel_id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.tenant_id, w.channel_id from unnest(tenants, channels) as n(tenant_id, channel_id)
    join channel_watches w on w.tenant_id = n.tenant_id and w.channel_id = n.channel_id
    where w.failures > 0
  $$;
alter function troubled_channels(bigint[], bigint[]) owner to tocsin_steward;
revoke all on function troubled_channels(bigint[], bigint[]) from public;
grant execute on function troubled_channels(bigint[], bigint[]) to tocsin_app;

-- When to look for gaps in the tenant's rosters: now and then, and whenever what they are made from has changed.
alter table call_directories add column gaps_due_at timestamptz not null default '-infinity';
create index call_directories_gaps on call_directories (gaps_due_at);

create or replace function move_call_directory() returns trigger
  language plpgsql as $$
begin
  insert into call_directories as d (tenant_id, version) values (current_tenant(), 1)
  on conflict (tenant_id) do update set version = d.version + 1, gaps_due_at = '-infinity';
  return null;
end
$$;

create policy steward_takes on call_directories to tocsin_steward using (true) with check (true);
grant select (tenant_id, gaps_due_at), update (gaps_due_at) on call_directories to tocsin_steward;

create function take_gap_watches(wanted integer, at timestamptz, until timestamptz) returns setof bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update call_directories d set gaps_due_at = until
    from (select x.tenant_id from call_directories x where x.gaps_due_at <= at
          order by x.gaps_due_at limit wanted for update skip locked) due
    where d.tenant_id = due.tenant_id
    returning d.tenant_id;
end
$$;
alter function take_gap_watches(integer, timestamptz, timestamptz) owner to tocsin_steward;
revoke all on function take_gap_watches(integer, timestamptz, timestamptz) from public;
grant execute on function take_gap_watches(integer, timestamptz, timestamptz) to tocsin_app;
