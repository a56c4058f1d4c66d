-- Who may enter, and who can be called.

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

-- Ways to reach a person, in the order they are tried.
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

-- User names are unique in the installation, so that the log-in form needs no tenant.
create table logins (
  username_key text   primary key, -- lower case
  tenant_id    bigint not null,
  user_id      bigint not null,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create unique index logins_user on logins (tenant_id, user_id);
call protect_tenant_table('logins');

create policy steward_reads on logins for select to tocsin_steward using (true);
grant select on logins to tocsin_steward;

-- The one look across tenants that a log-in needs: from the name to the tenant and the user, no more.
create function find_login(wanted text) returns table (tenant_id bigint, user_id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select l.tenant_id, l.user_id from logins l where l.username_key = lower(wanted) $$;
alter function find_login(text) owner to tocsin_steward;
revoke all on function find_login(text) from public;
grant execute on function find_login(text) to tocsin_app;

-- A log-in and everything refreshed from it. Revoking it ends all its tokens.
create table sessions (
  tenant_id  bigint      not null,
  id         uuid        not null,
  user_id    bigint      not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  reason     text        not null default '',
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index sessions_user on sessions (tenant_id, user_id);
call protect_tenant_table('sessions');

-- Each refresh token is good once. Seeing a used one again means it was stolen: the session is revoked.
create table refresh_tokens (
  tenant_id  bigint      not null,
  hash       bytea       not null,
  session_id uuid        not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  primary key (tenant_id, hash),
  foreign key (tenant_id, session_id) references sessions (tenant_id, id) on delete cascade
);
create index refresh_tokens_session on refresh_tokens (tenant_id, session_id);
call protect_tenant_table('refresh_tokens');

-- Keys of machines. Only the SHA-256 of the secret is kept: it is 256 random bits, not a password.
create table api_keys (
  tenant_id    bigint      not null references tenants (id),
  id           bigint      not null,
  name         text        not null,
  search_text  text        not null,
  secret_hash  bytea       not null,
  role         text        not null check (role in ('viewer', 'operator', 'engineer', 'admin', 'machine', 'auditor')),
  station_ids  bigint[]    not null default '{}',
  scopes       text[],     -- null: all permissions of the role
  created_by   text        not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  primary key (tenant_id, id)
);
call protect_tenant_table('api_keys');

-- The first answer to a request that carried an Idempotency-Key, kept 24 hours. Written in the transaction of
-- what the request did, so that a retry meets either both or neither.
create table idempotency_keys (
  tenant_id    bigint      not null references tenants (id),
  principal    text        not null,
  key          text        not null,
  request_hash bytea       not null,
  status       integer,
  headers      jsonb,
  body         jsonb,
  created_at   timestamptz not null,
  primary key (tenant_id, principal, key)
);
create index idempotency_keys_age on idempotency_keys (created_at, tenant_id);
call protect_tenant_table('idempotency_keys');

grant select, insert, update, delete
  on users, user_media, logins, sessions, refresh_tokens, api_keys, idempotency_keys to tocsin_app;

-- The keys that sign access tokens, shared by all server processes. No tenant: they belong to the installation.
create table signing_keys (
  kid         text        primary key,
  private_jwk jsonb       not null,
  public_jwk  jsonb       not null,
  created_at  timestamptz not null,
  retires_at  timestamptz not null  -- until then its tokens are still accepted
);

-- Failed log-ins per user name and per address. No tenant: a name that does not exist counts like one that does.
create table login_failures (
  subject  text        primary key,
  failures integer     not null,
  last_at  timestamptz not null,
  retry_at timestamptz not null
);

-- The one-time code that makes the first administrator of an empty installation.
create table set_up_codes (
  code_hash  bytea       primary key,
  failures   integer     not null default 0, -- wrong codes tried against it
  created_at timestamptz not null
);

grant select, insert, update, delete on signing_keys, login_failures, set_up_codes to tocsin_app;
