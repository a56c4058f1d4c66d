-- Log-ins elsewhere: OpenID Connect issuers and the LDAP directory of a tenant.
set local lock_timeout = '5s';

-- Issuers through which users of the tenant sign in. The client secret is sealed.
create table issuers (
  tenant_id     bigint      not null references tenants (id),
  id            bigint      not null,
  name          text        not null,
  search_text   text        not null,
  issuer        text        not null, -- exactly as in its tokens
  client_id     text        not null,
  client_secret bytea,
  enabled       boolean     not null,
  scopes        text        not null,
  groups_claim  text        not null,
  group_roles   jsonb       not null, -- [{"group": "…", "role": "…"}]; the first match counts
  create_users  boolean     not null,
  version       integer     not null default 1,
  last_change   timestamptz not null,
  primary key (tenant_id, id)
);
create unique index issuers_name on issuers (tenant_id, lower(name));
call protect_tenant_table('issuers');
grant select, insert, update, delete on issuers to tocsin_app;

-- Sign-ins that wait for the answer of an issuer, for ten minutes. Each is used once. Only hashes are kept: of the state in
-- the address, and of the secret in the cookie of the browser, from which nonce and PKCE verifier follow.
create table sign_ins (
  tenant_id   bigint      not null,
  state_hash  bytea       not null,
  cookie_hash bytea       not null,
  issuer_id   bigint      not null,
  created_at  timestamptz not null,
  primary key (tenant_id, state_hash),
  foreign key (tenant_id, issuer_id) references issuers (tenant_id, id) on delete cascade
);
create index sign_ins_age on sign_ins (tenant_id, created_at);
create index sign_ins_issuer on sign_ins (issuer_id, tenant_id);
call protect_tenant_table('sign_ins');
grant select, insert, delete on sign_ins to tocsin_app;

-- The directory that checks passwords of users of the tenant. The password of the search is sealed.
create table directories (
  tenant_id       bigint      primary key references tenants (id),
  enabled         boolean     not null,
  url             text        not null,
  certificate     text        not null default '', -- empty: the authorities of the system
  bind_dn         text        not null,
  bind_password   bytea,
  base_dn         text        not null,
  user_filter     text        not null,
  id_attribute    text        not null,
  name_attribute  text        not null,
  group_attribute text        not null,
  group_roles     jsonb       not null,
  create_users    boolean     not null,
  version         integer     not null default 1,
  last_change     timestamptz not null
);
call protect_tenant_table('directories');
grant select, insert, update, delete on directories to tocsin_app;

-- When the directory last confirmed that a user is still in it.
create table directory_checks (
  tenant_id  bigint      not null,
  user_id    bigint      not null,
  checked_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('directory_checks');
grant select, insert, update, delete on directory_checks to tocsin_app;

-- The issuer that authenticated the user; empty after a log-in with a password.
alter table sessions add column issuer text not null default '';

-- The tenant that a log-in is for, and the rest of the typed name. `name@tenant` names one, by name or number. A name alone
-- is meant for the only tenant of the installation; with several tenants nobody's password is tried at a guessed one.
create function find_tenant_of_name(typed_name text) returns table (tenant_id bigint, name text)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    with split as (
      select left(typed_name, i - 1) as name, lower(substr(typed_name, i + 1)) as tenant
      from generate_series(2, length(typed_name) - 1) i
      where substr(typed_name, i, 1) = '@'
    ),
    qualified as (
      select t.id, s.name from split s join tenants t on lower(t.name) = s.tenant
      union
      select t.id, s.name from split s
        join tenants t on t.id = case when s.tenant ~ '^[1-9][0-9]{0,9}$' then s.tenant::bigint end
    )
    select min(q.id), min(q.name) from qualified q having count(*) = 1
    union all
    select min(t.id), typed_name from tenants t
      where not exists (select from qualified) having count(*) = 1
  $$;
alter function find_tenant_of_name(text) owner to tocsin_cross_tenant;
revoke all on function find_tenant_of_name(text) from public;
grant execute on function find_tenant_of_name(text) to tocsin_app;

-- The tenant of this name or number, in any case; with an empty text the only tenant of the installation.
create function find_tenant(name_or_number text) returns bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select min(t.id) from tenants t
    where name_or_number = '' or lower(t.name) = lower(name_or_number)
      or t.id = case when name_or_number ~ '^[1-9][0-9]{0,9}$' then name_or_number::bigint end
    having count(*) = 1
  $$;
alter function find_tenant(text) owner to tocsin_cross_tenant;
revoke all on function find_tenant(text) from public;
grant execute on function find_tenant(text) to tocsin_app;
