-- Tenants: roles, row-level security, identifiers, and the version of each tenant's configuration.
--
-- These files are the baseline of the first release. From then on migrations are forward-only: a file is never edited,
-- each change is a new file, and each new file begins with `set local lock_timeout`, so that a migration that waits for
-- a lock fails instead of blocking the running servers.
--
-- tocsin_app           The role of the server. It owns nothing and cannot bypass row-level security.
-- tocsin_cross_tenant  The owner of the few functions that read or claim rows of all tenants (log-in, due work). It
--                      cannot log in; the server can only call its functions.
do $$
declare role_name text;
begin
  foreach role_name in array array['tocsin_app', 'tocsin_cross_tenant'] loop
    begin
      execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', role_name);
    exception when duplicate_object or unique_violation then
      null; -- Roles belong to the cluster: the migration of another database has created it.
    end;
  end loop;
  execute format('grant tocsin_app, tocsin_cross_tenant to %I', current_user);
exception when unique_violation then
  null; -- The migration of another database has made the same grant at the same moment.
end
$$;

grant usage on schema public to tocsin_app, tocsin_cross_tenant;
-- A role needs this right to become the owner of a function. tocsin_cross_tenant cannot log in to use it otherwise.
grant create on schema public to tocsin_cross_tenant;

-- The tenant of the current transaction. It is null when it is not set, and null matches no row: access fails closed.
create function current_tenant() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('tocsin.tenant', true), '')::bigint;

-- Enables row-level security on a table with a tenant column, for its owner too.
create procedure protect_tenant_table(target regclass, tenant_column text default 'tenant_id')
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant_isolation on %s using (%2$I = current_tenant()) with check (%2$I = current_tenant())',
    target, tenant_column);
end
$$;

-- A customer: one plant, or all plants of one company.
create table tenants (
  id                     bigint      primary key check (id between 1 and 4294967295),
  name                   text        not null,
  maximum_mask_seconds   integer     not null default 604800 check (maximum_mask_seconds > 0),
  fallback_call_group_id bigint,     -- called when a call group has nobody left to call
  created_at             timestamptz not null
);
create index tenants_name on tenants (lower(name));
call protect_tenant_table('tenants', 'id');
grant select, insert, update on tenants to tocsin_app;

create policy cross_tenant_reads on tenants for select to tocsin_cross_tenant using (true);
grant select on tenants to tocsin_cross_tenant;

-- Returns the id of the next tenant, 1 in an empty installation. Holds a lock until the transaction ends, so that two
-- servers that start at the same time cannot both create the first tenant.
create function next_tenant_id() returns bigint
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7420, 2);
  return (select coalesce(max(id), 0) + 1 from tenants);
end
$$;
alter function next_tenant_id() owner to tocsin_cross_tenant;
revoke all on function next_tenant_id() from public;
grant execute on function next_tenant_id() to tocsin_app;

-- Lists all tenants, for background jobs that run in each of them.
create function tenant_ids() returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select id from tenants order by id $$;
alter function tenant_ids() owner to tocsin_cross_tenant;
revoke all on function tenant_ids() from public;
grant execute on function tenant_ids() to tocsin_app;

-- The last numbers assigned while alarms are written, one row per tenant. A batch takes all its numbers under the lock of
-- this row, so that the order of commits is the order of the journal's `seq`.
create table tenant_counters (
  tenant_id     bigint      primary key references tenants (id),
  seq           bigint      not null default 0,
  tag_id        bigint      not null default 0 check (tag_id <= 4294967295),
  occurrence_id bigint      not null default 0 check (occurrence_id <= 4294967295),
  text_id       bigint      not null default 0,
  last_at       timestamptz not null default '-infinity' -- of the last change; a later change never has an earlier time
) with (fillfactor = 10); -- Every batch updates this row: the free space keeps the updates on its page.
call protect_tenant_table('tenant_counters');
grant select, insert, update on tenant_counters to tocsin_app;

create policy cross_tenant_reads on tenant_counters for select to tocsin_cross_tenant using (true);
grant select (tenant_id, seq) on tenant_counters to tocsin_cross_tenant;

-- Locks the counters of a tenant for a batch that was decided before the previous batch was committed. Fails unless the
-- counters are in the version that the batch was decided on.
create function lock_tenant_counters(tenant bigint, expected_version text) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  found_version text;
begin
  -- The lock waits for the current writer, and the row that is read after it is the one that the writer has committed.
  select c.xmin::text || '/' || c.seq || '/' || c.occurrence_id into found_version
    from tenant_counters c where c.tenant_id = tenant for update;
  if found_version is distinct from expected_version then
    raise exception 'the tenant counters have changed since the batch was decided' using errcode = 'serialization_failure';
  end if;
end
$$;

-- The last identifier assigned to each kind of configured object.
create table id_counters (
  tenant_id bigint not null references tenants (id),
  kind      text   not null,
  last      bigint not null check (last <= 4294967295),
  primary key (tenant_id, kind)
);
call protect_tenant_table('id_counters');
grant select, insert, update on id_counters to tocsin_app;

-- Returns the next identifier of a kind. Identifiers have no gaps, because a failed transaction returns its number.
create function next_id(wanted_kind text) returns bigint
  language sql volatile
  begin atomic
    insert into id_counters as c (tenant_id, kind, last) values (current_tenant(), wanted_kind, 1)
    on conflict (tenant_id, kind) do update set last = c.last + 1
    returning last;
  end;

-- The version of a tenant's configuration. It rises with each change of a table that call plans and alarm batches are
-- made from, so that servers can cache the configuration and compare one number.
create table configuration_versions (
  tenant_id           bigint      primary key references tenants (id),
  version             bigint      not null,
  roster_check_due_at timestamptz not null default '-infinity' -- when to look for roster gaps; at once after a change
);
create index configuration_versions_roster_check on configuration_versions (roster_check_due_at);
call protect_tenant_table('configuration_versions');
grant select, insert, update on configuration_versions to tocsin_app;

create policy cross_tenant_claims on configuration_versions to tocsin_cross_tenant using (true) with check (true);
grant select (tenant_id, roster_check_due_at), update (roster_check_due_at) on configuration_versions
  to tocsin_cross_tenant;

-- Trigger of each table that the configuration is read from.
create function bump_configuration_version() returns trigger
  language plpgsql as $$
begin
  insert into configuration_versions as v (tenant_id, version) values (current_tenant(), 1)
  on conflict (tenant_id) do update set version = v.version + 1, roster_check_due_at = '-infinity';
  return null;
end
$$;
create trigger bump_configuration_version after update of fallback_call_group_id on tenants
  for each statement execute function bump_configuration_version();

-- The operator of the database changes this limit outside of any tenant, so the row names the tenant.
create function bump_configuration_version_of_tenant() returns trigger
  language plpgsql as $$
begin
  insert into configuration_versions as v (tenant_id, version) values (new.id, 1)
  on conflict (tenant_id) do update set version = v.version + 1;
  return null;
end
$$;
create trigger bump_configuration_version_of_tenant after update of maximum_mask_seconds on tenants
  for each row execute function bump_configuration_version_of_tenant();
