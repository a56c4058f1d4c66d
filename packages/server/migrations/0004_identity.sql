-- Identity: sessions, API keys, outside issuers, idempotency keys, and the secrets of the installation.

-- A log-in and all tokens refreshed from it. Revoking a session ends all its tokens.
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

create policy cross_tenant_reads on sessions for select to tocsin_cross_tenant using (true);
grant select (tenant_id, id, user_id, expires_at, revoked_at) on sessions to tocsin_cross_tenant;

-- Each refresh token can be used once. Using it a second time means that it was stolen, and revokes the session.
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

-- API keys of machines. A key belongs to the user who made it, directly or through another key, and stops working when
-- that user is disabled or deleted. Only the SHA-256 of the secret is stored: it has 256 random bits, unlike a password.
create table api_keys (
  tenant_id       bigint      not null references tenants (id),
  id              bigint      not null,
  name            text        not null,
  search_text     text        not null,
  secret_hash     bytea       not null,
  role            text        not null check (role in ('viewer', 'operator', 'engineer', 'admin', 'machine', 'auditor')),
  station_ids     bigint[]    not null default '{}', -- empty: all stations
  data_server_ids bigint[]    not null default '{}', -- empty: all data servers
  path_prefixes   text[]      not null default '{}', -- empty: all paths
  scopes          text[],     -- null: all permissions of the role
  owner_id        bigint,     -- null: no owner, and no user whose end stops the key
  tags_of_key_id  bigint,     -- the first of the keys that this one replaces; their tags belong to this key too
  created_by      text        not null,
  created_at      timestamptz not null,
  expires_at      timestamptz,
  last_used_at    timestamptz,
  revoked_at      timestamptz,
  primary key (tenant_id, id)
);
call protect_tenant_table('api_keys');

create policy cross_tenant_reads on api_keys for select to tocsin_cross_tenant using (true);
grant select (tenant_id, id, role, station_ids, owner_id, expires_at, revoked_at) on api_keys to tocsin_cross_tenant;

-- Identities of users at outside issuers: `iss` and `sub` of their tokens, which users cannot change, unlike names and
-- mail addresses. The settings of the server say which issuers are accepted for a tenant.
create table user_identities (
  tenant_id bigint not null,
  issuer    text   not null,
  subject   text   not null,
  user_id   bigint not null,
  primary key (tenant_id, issuer, subject),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index user_identities_user on user_identities (tenant_id, user_id);
call protect_tenant_table('user_identities');

-- The first response to a request with an Idempotency-Key, kept for 24 hours. It is written in the transaction of the
-- request's changes, so that a retry finds either both or neither.
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

grant select, insert, update, delete on sessions, refresh_tokens, api_keys, idempotency_keys to tocsin_app;
grant select, insert, delete on user_identities to tocsin_app;

-- Returns the current role and stations of each principal, given by the same position of the arrays: a session or an API
-- key if the token was issued for one, a user otherwise. A principal whose token would be refused has no row.
-- `ordinal` is that position, from 1.
create function access_status(tenant_ids bigint[], session_ids uuid[], key_ids bigint[], user_ids bigint[], at timestamptz)
  returns table (ordinal bigint, role text, station_ids bigint[])
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select p.ordinal, coalesce(u.role, k.role), coalesce(u.station_ids, k.station_ids)
    from unnest(tenant_ids, session_ids, key_ids, user_ids)
      with ordinality as p(tenant_id, session_id, key_id, user_id, ordinal)
    left join sessions s on s.tenant_id = p.tenant_id and s.id = p.session_id
      and s.revoked_at is null and s.expires_at > at
    left join api_keys k on k.tenant_id = p.tenant_id and k.id = p.key_id
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > at)
      and (k.owner_id is null or exists
        (select from users o where o.tenant_id = p.tenant_id and o.id = k.owner_id and o.enabled))
    left join users u on u.tenant_id = p.tenant_id and u.enabled
      and u.id = case when p.session_id is null then p.user_id else s.user_id end
    where k.id is not null or u.id is not null
  $$;
alter function access_status(bigint[], uuid[], bigint[], bigint[], timestamptz) owner to tocsin_cross_tenant;
revoke all on function access_status(bigint[], uuid[], bigint[], bigint[], timestamptz) from public;
grant execute on function access_status(bigint[], uuid[], bigint[], bigint[], timestamptz) to tocsin_app;

-- The tables below have no tenant: they belong to the installation.

-- Keys that sign access tokens, shared by all servers. The private part is sealed with a key that is not in the
-- database, so that a dump of the database is not enough to issue tokens. The server seals clear ones when it starts.
create table signing_keys (
  kid         text        primary key,
  private_jwk jsonb,      -- in clear
  sealed      bytea,
  public_jwk  jsonb       not null,
  created_at  timestamptz not null,
  retires_at  timestamptz not null, -- tokens of the key are accepted until then
  constraint signing_keys_sealed_or_clear check ((sealed is null) <> (private_jwk is null))
);

-- Failed log-ins per user name and per address. Names of no user are counted like all others.
create table login_failures (
  subject  text        primary key,
  failures integer     not null,
  last_at  timestamptz not null,
  retry_at timestamptz not null
);

-- The one-time code that creates the first administrator of an empty installation.
create table set_up_codes (
  code_hash  bytea       primary key,
  failures   integer     not null default 0, -- wrong codes tried against it
  created_at timestamptz not null
);

-- Secrets shared by all servers, sealed with a key that is not in the database. `hub` seals the tokens of hub
-- connections, `answers` signs the codes that people answer with.
create table installation_secrets (
  purpose    text        not null check (purpose in ('hub', 'answers')),
  id         uuid        not null,
  sealed     bytea       not null,
  created_at timestamptz not null,
  primary key (purpose, id)
);

grant select, insert, update, delete on signing_keys, login_failures, set_up_codes, installation_secrets to tocsin_app;

-- Secrets in clear. The server seals them when it starts and moves them to installation_secrets.
create table hub_secrets (
  secret     text        primary key,
  created_at timestamptz not null
);
create table answer_secrets (
  secret     text        primary key,
  created_at timestamptz not null
);
grant select, insert, delete on hub_secrets, answer_secrets to tocsin_app;
