-- What the server has to say of itself by alarms, written in the transaction that finds the cause: a server that dies right
-- after it loses nothing. Whoever comes next posts the alarm, and says that it did.
create table system_alarms (
  tenant_id    bigint      not null references tenants (id),
  path         text        not null, -- of the alarm, below `tocsin/`
  kind         text        not null, -- what tells that the cause has ended
  subject      bigint      not null, -- the alarm, call group or user that it is about
  cause        text        not null, -- the same until there is something else to say
  message      text        not null,
  more         jsonb       not null default '{}', -- members of the alarm besides
  raised       boolean     not null,
  changed_at   timestamptz not null,
  version      integer     not null default 1, -- rises with each change
  told_version integer     not null default 0, -- the one that the alarm shows
  lease_until  timestamptz, -- until then another server is telling it
  primary key (tenant_id, path)
);
create index system_alarms_untold on system_alarms (tenant_id) where version <> told_version;
create index system_alarms_raised on system_alarms (tenant_id) where raised;
call protect_tenant_table('system_alarms');
grant select, insert, update, delete on system_alarms to tocsin_app;

create policy steward_reads on system_alarms for select to tocsin_steward using (true);
grant select (tenant_id, version, told_version, lease_until, raised) on system_alarms to tocsin_steward;

-- The tenants in which something is to be told.
create function untold_system_alarms(at timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct tenant_id from system_alarms
    where version <> told_version and (lease_until is null or lease_until <= at)
  $$;
alter function untold_system_alarms(timestamptz) owner to tocsin_steward;
revoke all on function untold_system_alarms(timestamptz) from public;
grant execute on function untold_system_alarms(timestamptz) to tocsin_app;

-- The tenants in which something was told and may be over.
create function raised_system_alarms() returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct tenant_id from system_alarms where raised $$;
alter function raised_system_alarms() owner to tocsin_steward;
revoke all on function raised_system_alarms() from public;
grant execute on function raised_system_alarms() to tocsin_app;
