-- The wall between tenants, before there is anything to wall off.
--
-- tocsin_app      what the server runs as: neither owner nor able to pass row-level security.
-- tocsin_steward  owns the few narrow functions that must look across tenants (finding the tenant of a
--                 user name, due work). It cannot log in; the server can only call its functions.
do $$
declare role_name text;
begin
  foreach role_name in array array['tocsin_app', 'tocsin_steward'] loop
    begin
      execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', role_name);
    exception when duplicate_object or unique_violation then
      null; -- roles belong to the cluster: another database made it first
    end;
  end loop;
  execute format('grant tocsin_app, tocsin_steward to %I', current_user);
exception when unique_violation then
  null; -- the same grant by another database at the same moment
end
$$;

grant usage on schema public to tocsin_app, tocsin_steward;
-- Needed while functions are handed to the steward; a nologin role cannot use it by itself.
grant create on schema public to tocsin_steward;

-- The tenant of this transaction. Not set means null, and null equals no row: it fails closed.
create function current_tenant() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('tocsin.tenant', true), '')::bigint;

-- Row-level security on a tenant table, its owner included.
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

-- A customer: one plant, or all the plants of one company. Everything else hangs on it.
create table tenants (
  id                   bigint      primary key check (id between 1 and 4294967295),
  name                 text        not null,
  maximum_mask_seconds integer     not null default 604800 check (maximum_mask_seconds > 0),
  created_at           timestamptz not null
);
call protect_tenant_table('tenants', 'id');
grant select, insert, update on tenants to tocsin_app;

create policy steward_reads on tenants for select to tocsin_steward using (true);
grant select on tenants to tocsin_steward;

-- The number of the next tenant; 1 in an empty installation. Holds its lock until the transaction ends, so that
-- two servers that start together cannot both make the first one.
create function next_tenant_id() returns bigint
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7420, 2);
  return (select coalesce(max(id), 0) + 1 from tenants);
end
$$;
alter function next_tenant_id() owner to tocsin_steward;
revoke all on function next_tenant_id() from public;
grant execute on function next_tenant_id() to tocsin_app;

-- The numbers of all tenants, for work that the server does in each of them by itself.
create function tenant_ids() returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select id from tenants order by id $$;
alter function tenant_ids() owner to tocsin_steward;
revoke all on function tenant_ids() from public;
grant execute on function tenant_ids() to tocsin_app;

-- The last number given out: one row per tenant. The journal's `seq` and all identifiers made while alarms
-- come in are taken together from it, under its row lock, so that the order of commits is the order of `seq`.
create table heads (
  tenant_id     bigint primary key references tenants (id),
  seq           bigint not null default 0,
  tag_id        bigint not null default 0 check (tag_id <= 4294967295),
  occurrence_id bigint not null default 0 check (occurrence_id <= 4294967295),
  text_id       bigint not null default 0
) with (fillfactor = 10); -- room for in-page updates: this row is rewritten by every batch
call protect_tenant_table('heads');
grant select, insert, update on heads to tocsin_app;

-- The last identifier given out for each kind of configured thing.
create table counters (
  tenant_id bigint not null references tenants (id),
  kind      text   not null,
  last      bigint not null check (last <= 4294967295),
  primary key (tenant_id, kind)
);
call protect_tenant_table('counters');
grant select, insert, update on counters to tocsin_app;

-- The next identifier of a kind: dense, because a transaction that fails gives its number back.
create function next_id(wanted_kind text) returns bigint
  language sql volatile
  begin atomic
    insert into counters as c (tenant_id, kind, last) values (current_tenant(), wanted_kind, 1)
    on conflict (tenant_id, kind) do update set last = c.last + 1
    returning last;
  end;
