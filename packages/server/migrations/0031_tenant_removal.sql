-- Removal of tenants: a tenant that is being deleted is closed first, and a record of its deletion remains.
set local lock_timeout = '5s';

-- The deletions of tenants, for the operator of the installation. A tenant with a row here is closed: background jobs of the
-- servers skip it. Only the owner of the database reads and writes the table, so that the server itself can neither delete
-- a tenant nor change this record.
create table deleted_tenants (
  number       bigint      primary key, -- of the tenant
  name         text        not null,
  started_at   timestamptz not null,
  finished_at  timestamptz,
  actor        text        not null, -- the user of the operating system, and the login to the database
  -- The newest entry of the audit trail that was deleted: an export of the trail can be compared with it.
  audit_number bigint      not null,
  audit_hash   bytea,
  row_counts   jsonb       not null default '{}' -- deleted rows by table
);
grant select (number) on deleted_tenants to tocsin_cross_tenant;

-- Refuses changes of a finished record by the owner of the table too.
create function refuse_changes_of_deletions() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.finished_at is null then return new; end if;
  end if;
  raise exception 'records of deleted tenants are neither changed nor removed' using errcode = '42501';
end
$$;
create trigger refuse_changes_of_deletions before update or delete on deleted_tenants
  for each row execute function refuse_changes_of_deletions();
create trigger refuse_truncation_of_deletions before truncate on deleted_tenants
  for each statement execute function refuse_changes_of_deletions();

-- Whether a tenant is being deleted, or was.
create function is_tenant_closed(tenant bigint) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  as $$ select exists (select from deleted_tenants d where d.number = tenant) $$;
alter function is_tenant_closed(bigint) owner to tocsin_cross_tenant;
revoke all on function is_tenant_closed(bigint) from public;
grant execute on function is_tenant_closed(bigint) to tocsin_app;

-- The number of a deleted tenant is not given out again: access tokens, API keys and links contain it.
create or replace function next_tenant_id() returns bigint
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7420, 2);
  return greatest((select max(id) from tenants), (select max(number) from deleted_tenants), 0) + 1;
end
$$;

-- Lists all tenants that are not being deleted, for background jobs that run in each of them.
create or replace function tenant_ids() returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select t.id from tenants t where not is_tenant_closed(t.id) order by t.id $$;

-- As before, but signed notes are deleted with their tenant.
create or replace function refuse_changes_of_signed_notes() returns trigger language plpgsql as $$
begin
  if old.outgoing_at is null then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' and is_tenant_closed(old.tenant_id) then
    return old;
  end if;
  if tg_op = 'UPDATE' and old.incoming_at is null
    and (to_jsonb(new) - '{incoming_by,incoming_id,incoming_at,version,last_change}'::text[])
      = (to_jsonb(old) - '{incoming_by,incoming_id,incoming_at,version,last_change}'::text[]) then
    return new;
  end if;
  raise exception 'a signed shift note is neither changed nor removed' using errcode = '42501';
end
$$;
