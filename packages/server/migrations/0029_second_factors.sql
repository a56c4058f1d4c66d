-- Rules of the tenant for log-ins and dangerous actions, second factors of users, and the steps of a log-in with one.
set local lock_timeout = '5s';

-- Only tenants that have changed a rule have a row.
create table security_settings (
  tenant_id            bigint      not null references tenants (id),
  second_factor_roles  text[]      not null default '{}',
  confirm_dangerous    boolean     not null default false,
  confirmation_minutes integer     not null default 10 check (confirmation_minutes between 1 and 60),
  desk_minutes         integer     not null default 15 check (desk_minutes between 1 and 720),
  two_person_actions   text[]      not null default '{}',
  version              integer     not null default 1,
  last_change          timestamptz not null,
  primary key (tenant_id)
);
call protect_tenant_table('security_settings');
grant select, insert, update on security_settings to tocsin_app;
create policy cross_tenant_reads on security_settings for select to tocsin_cross_tenant using (true);
grant select (tenant_id, second_factor_roles) on security_settings to tocsin_cross_tenant;

-- The authenticator app of a user. Secrets are sealed with a key that is not in the database.
create table totp_secrets (
  tenant_id      bigint      not null,
  user_id        bigint      not null,
  sealed         bytea,                          -- null: no app yet
  confirmed_at   timestamptz,
  last_step      bigint      not null default 0, -- of the last accepted code: a code is valid once
  pending_sealed bytea,                          -- a new secret, until its first code was entered
  pending_at     timestamptz,
  primary key (tenant_id, user_id),
  constraint totp_secrets_confirmed check ((sealed is null) = (confirmed_at is null)),
  constraint totp_secrets_pending check ((pending_sealed is null) = (pending_at is null)),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('totp_secrets');
grant select, insert, update, delete on totp_secrets to tocsin_app;
create policy cross_tenant_reads on totp_secrets for select to tocsin_cross_tenant using (true);
grant select (tenant_id, user_id, confirmed_at) on totp_secrets to tocsin_cross_tenant;

-- Codes for a user who has lost the other factors. Each has 75 random bits, so a plain hash is enough.
create table recovery_codes (
  tenant_id bigint      not null,
  user_id   bigint      not null,
  hash      bytea       not null,
  used_at   timestamptz,
  primary key (tenant_id, user_id, hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('recovery_codes');
grant select, insert, update, delete on recovery_codes to tocsin_app;

-- Passkeys: only their public keys are stored.
create table passkeys (
  tenant_id     bigint      not null,
  id            bigint      not null,
  user_id       bigint      not null,
  name          text        not null,
  credential_id text        not null, -- base64url
  public_key    bytea       not null,
  counter       bigint      not null, -- uses as the device counts them; 0 if it does not
  transports    text[]      not null,
  rp_id         text        not null, -- the host name for which the device made it
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  primary key (tenant_id, id),
  constraint passkeys_credential unique (tenant_id, credential_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index passkeys_user on passkeys (tenant_id, user_id);
call protect_tenant_table('passkeys');
grant select, insert, update, delete on passkeys to tocsin_app;
create policy cross_tenant_reads on passkeys for select to tocsin_cross_tenant using (true);
grant select (tenant_id, user_id) on passkeys to tocsin_cross_tenant;

-- Challenges of passkeys that were answered. A challenge is sealed and names its purpose and end, so only used ones are kept.
create table used_challenges (
  tenant_id  bigint      not null references tenants (id),
  hash       bytea       not null,
  expires_at timestamptz not null,
  primary key (tenant_id, hash)
);
call protect_tenant_table('used_challenges');
grant select, insert, delete on used_challenges to tocsin_app;

-- Log-ins whose password was right and that wait for the second factor.
create table log_in_steps (
  tenant_id       bigint      not null,
  hash            bytea       not null,
  user_id         bigint      not null,
  failure_subject text        not null, -- under which wrong passwords of the user count
  tries           integer     not null default 0,
  expires_at      timestamptz not null,
  primary key (tenant_id, hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index log_in_steps_user on log_in_steps (tenant_id, user_id);
call protect_tenant_table('log_in_steps');
grant select, insert, update, delete on log_in_steps to tocsin_app;

alter table sessions
  -- The last proof that the user themselves is there; null: the log-in, before this migration.
  add column confirmed_at timestamptz,
  -- Whether the log-in included a second factor, or an outside issuer is responsible for it.
  add column second_factor boolean not null default false;
grant select (second_factor) on sessions to tocsin_cross_tenant;

create function has_second_factor(tenant bigint, person bigint) returns boolean
  language sql stable set search_path = public, pg_temp
  as $$
    select exists (select from totp_secrets t
        where t.tenant_id = tenant and t.user_id = person and t.confirmed_at is not null)
      or exists (select from passkeys p where p.tenant_id = tenant and p.user_id = person)
  $$;
revoke all on function has_second_factor(bigint, bigint) from public;
grant execute on function has_second_factor(bigint, bigint) to tocsin_app, tocsin_cross_tenant;

-- Whether the tenant requires a second factor of the role.
create function requires_second_factor(tenant bigint, role_name text) returns boolean
  language sql stable set search_path = public, pg_temp
  as $$
    select exists (select from security_settings s
      where s.tenant_id = tenant and role_name = any (s.second_factor_roles))
  $$;
revoke all on function requires_second_factor(bigint, text) from public;
grant execute on function requires_second_factor(bigint, text) to tocsin_app, tocsin_cross_tenant;

-- As before, but a session that may only set up a second factor has no row.
create or replace function access_status(
    tenant_ids bigint[], session_ids uuid[], key_ids bigint[], user_ids bigint[], at timestamptz)
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
    where k.id is not null
      or (u.id is not null and (s.id is null or s.second_factor or has_second_factor(u.tenant_id, u.id)
        or not requires_second_factor(u.tenant_id, u.role)))
  $$;
