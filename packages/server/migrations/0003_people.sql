-- People: users, their media, and the names they log in with.

create table users (
  tenant_id     bigint      not null references tenants (id),
  id            bigint      not null,
  username      text        not null,
  name          text        not null,
  search_text   text        not null,
  role          text        not null check (role in ('viewer', 'operator', 'engineer', 'admin', 'machine', 'auditor')),
  station_ids   bigint[]    not null default '{}', -- empty: all stations
  enabled       boolean     not null default true,
  language      text        not null default '',
  password_hash text,
  version       integer     not null default 1,
  last_change   timestamptz not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('users');

create policy cross_tenant_reads on users for select to tocsin_cross_tenant using (true);
grant select (tenant_id, id, role, station_ids, enabled) on users to tocsin_cross_tenant;

-- The media of a user, in the order in which they are tried.
create table user_media (
  tenant_id bigint  not null,
  user_id   bigint  not null,
  position  integer not null,
  kind      text    not null,
  address   text    not null,
  enabled   boolean not null,
  primary key (tenant_id, user_id, position),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('user_media');

create trigger bump_configuration_version after insert or update or delete on users
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on user_media
  for each statement execute function bump_configuration_version();

-- User names are unique within a tenant. Another tenant can have the same name and does not learn of it.
create table logins (
  tenant_id    bigint      not null,
  username_key text        not null, -- lower case
  user_id      bigint      not null,
  named_at     timestamptz not null default clock_timestamp(), -- since when the user has the name
  primary key (tenant_id, username_key),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index logins_user on logins (tenant_id, user_id);
create index logins_username on logins (username_key, named_at, tenant_id);
call protect_tenant_table('logins');

create policy cross_tenant_reads on logins for select to tocsin_cross_tenant using (true);
grant select on logins to tocsin_cross_tenant;

grant select, insert, update, delete on users, user_media, logins to tocsin_app;

-- Finds the user for a typed name, and the subject that failed log-ins are counted under.
-- `name@tenant`, with the name or the number of the tenant, takes precedence, so that a user name that looks like it
-- cannot capture the log-ins of another tenant. Otherwise the whole text is a user name, and of several tenants' users
-- the one who had the name first is found. The subject does not depend on the users that exist: it would reveal them.
create function find_login(typed_name text) returns table (failure_subject text, tenant_id bigint, user_id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    with typed as (select lower(typed_name) as name),
    -- User names and tenant names may both contain an @, so every position is considered.
    split as (
      select left(typed.name, i - 1) as name, substr(typed.name, i + 1) as tenant
      from typed, generate_series(2, length(typed.name) - 1) i
      where substr(typed.name, i, 1) = '@'
    ),
    qualified as (
      select t.id, s.name from split s join tenants t on lower(t.name) = s.tenant
      union
      select t.id, s.name from split s
        join tenants t on t.id = case when s.tenant ~ '^[1-9][0-9]{0,9}$' then s.tenant::bigint end
    ),
    found as (
      select 1 as precedence, l.tenant_id, l.user_id, l.named_at
      from qualified q join logins l on l.tenant_id = q.id and l.username_key = q.name
      union all
      (select 2, l.tenant_id, l.user_id, l.named_at from typed join logins l on l.username_key = typed.name
        order by l.named_at, l.tenant_id limit 1)
    ),
    chosen as (
      select min(f.tenant_id) as tenant_id, min(f.user_id) as user_id from found f
      where f.precedence = (select min(precedence) from found)
      having count(*) = 1
    )
    select case when (select count(*) from qualified) = 1
        then (select q.name || chr(31) || q.id from qualified q) else typed.name end,
      c.tenant_id, c.user_id
    from typed left join chosen c on true
  $$;
alter function find_login(text) owner to tocsin_cross_tenant;
revoke all on function find_login(text) from public;
grant execute on function find_login(text) to tocsin_app;
