-- Tenants move between cells while they raise alarms. A tenant with a row in `moved_tenants` is not served by this database:
-- servers refuse its requests with 503 and make no call for it.
set local lock_timeout = '5s';

create table moved_tenants (
  number bigint      primary key,
  state  text        not null check (state in ('arriving', 'moved')), -- to this cell, or from it
  since  timestamptz not null
);
grant select on moved_tenants to tocsin_app;
grant select (number) on moved_tenants to tocsin_cross_tenant;

-- Makes the tenant that of the transaction, and returns the time. A transaction that began before the tenant was stopped may
-- end: the move waits for it.
create function enter_tenant(tenant bigint) returns timestamptz
  language plpgsql volatile set search_path = public, pg_temp as $$
begin
  if exists (select from moved_tenants m where m.number = tenant) then
    raise exception 'tenant % is not served here', tenant using errcode = 'TM001';
  end if;
  perform set_config('tocsin.tenant', tenant::text, true);
  return clock_timestamp();
end
$$;
revoke all on function enter_tenant(bigint) from public;
grant execute on function enter_tenant(bigint) to tocsin_app;

-- Writers of alarms do not call the function, to save a round trip. They all update the counters. The function looks again
-- after it has got the lock of the row, because the tenant may have been stopped while it waited.
create function refuse_moved_tenant() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from moved_tenants m where m.number = new.tenant_id) then
    raise exception 'tenant % is not served here', new.tenant_id using errcode = 'TM001';
  end if;
  return new;
end
$$;
create trigger refuse_moved_tenant before update on tenant_counters
  for each row execute function refuse_moved_tenant();

-- Dispatchers and background jobs find no work of such a tenant. Who may log in is still read: a request is answered with
-- 503 and not with 401, which a client would take for a wrong password.
create or replace function tenant_ids() returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id from tenants t where not is_tenant_closed(t.id) and t.id not in (select number from moved_tenants)
    order by t.id
  $$;

do $$
declare
  worked_on text;
begin
  foreach worked_on in array array['configuration_versions', 'escalations', 'call_attempts', 'command_runs', 'channel_health',
    'channel_listeners'] loop
    execute format('alter policy cross_tenant_claims on %I using (tenant_id not in (select number from moved_tenants))',
      worked_on);
  end loop;
  foreach worked_on in array array['alarms', 'journal', 'tenant_counters', 'monitor_alarms', 'system_alarms', 'call_events',
    'channels'] loop
    execute format('alter policy cross_tenant_reads on %I using (tenant_id not in (select number from moved_tenants))',
      worked_on);
  end loop;
end
$$;

-- As before, without tenants that are not served here: their rows neither change nor keep a month.
create or replace function tenants_to_retire(cut timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id from tenants t left join history_starts h on h.tenant_id = t.id
    where (h.tenant_id is null or h.starts_at < cut or not h.is_swept) and t.id not in (select number from moved_tenants)
    order by t.id
  $$;

-- As before, and never the number of a tenant that has moved to another cell or from one.
create or replace function next_tenant_id() returns bigint
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7420, 2);
  return greatest((select max(id) from tenants), (select max(number) from deleted_tenants),
    (select max(number) from moved_tenants), 0) + 1;
end
$$;
