-- Shared desks, break-glass accounts, one-time codes for a new password, and approvals by a second person.
set local lock_timeout = '5s';

alter table users
  -- An account for emergencies: it keeps a local password, and each log-in with it raises an alarm.
  add column break_glass boolean not null default false,
  -- What the reader of a badge types, as a keyed hash: the numbers of badges are short enough to be tried one by one.
  add column badge_hash bytea;
create unique index users_badge on users (tenant_id, badge_hash) where badge_hash is not null;

-- `badges` is the key of those hashes.
alter table installation_secrets drop constraint installation_secrets_purpose_check;
alter table installation_secrets add constraint installation_secrets_purpose_check
  check (purpose in ('hub', 'answers', 'badges'));

alter table sessions
  -- The name of the shared desk; null for all other sessions.
  add column desk_name text,
  -- The session of the desk at which the person has signed in with a PIN or badge; null for all other sessions.
  add column desk_session_id uuid,
  add constraint sessions_desk foreign key (tenant_id, desk_session_id)
    references sessions (tenant_id, id) on delete cascade,
  add constraint sessions_desk_or_person check (desk_name is null or desk_session_id is null);
create index sessions_at_desk on sessions (tenant_id, desk_session_id) where desk_session_id is not null;

-- A session of a desk can end in many ways. Whoever is signed in there is signed out in the same transaction.
create function end_sessions_at_desk() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  update sessions set revoked_at = new.revoked_at, reason = 'the desk was closed'
  where tenant_id = new.tenant_id and desk_session_id = new.id and revoked_at is null;
  return null;
end
$$;
create trigger end_sessions_at_desk after update of revoked_at on sessions
  for each row when (new.revoked_at is not null and old.revoked_at is null and new.desk_name is not null)
  execute function end_sessions_at_desk();

-- Raises the alarm in the transaction that opens the session, whichever way in was taken. Each session is a new cause.
create function report_break_glass() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  insert into system_alarms as s (tenant_id, path, kind, subject, cause, message, extra_members, raised, changed_at)
  select u.tenant_id, 'break-glass/' || u.id, 'break-glass', u.id, new.id::text,
    format('Break-glass account %s (%s) was used from %s: find out who it was and why, then give it a new password',
      u.name, u.username, coalesce(nullif(new.address, ''), 'an unknown address')),
    jsonb_build_object('priority', 1, 'eventCondition', jsonb_build_object('reactivatable', true),
      'resetMessage', format('Break-glass account %s (%s) is no longer signed in', u.name, u.username)),
    true, new.created_at
  from users u where u.tenant_id = new.tenant_id and u.id = new.user_id and u.break_glass
  on conflict (tenant_id, path) do update set cause = excluded.cause, message = excluded.message,
    extra_members = excluded.extra_members, raised = true, changed_at = excluded.changed_at, version = s.version + 1;
  return null;
end
$$;
create trigger report_break_glass after insert on sessions for each row execute function report_break_glass();

-- The code with which a user sets a new password, as a hash. There is one at a time.
create table password_resets (
  tenant_id  bigint      not null,
  user_id    bigint      not null,
  code_hash  bytea       not null,
  failures   integer     not null default 0, -- wrong codes since it was made
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('password_resets');
grant select, insert, update, delete on password_resets to tocsin_app;

-- Dangerous actions that wait for a second person. The request is kept as data and checked again at the approval.
create table approvals (
  tenant_id       bigint      not null references tenants (id),
  id              bigint      not null,
  action          text        not null check (action in ('commands', 'masks', 'keys')),
  request         jsonb       not null,
  summary         text        not null,
  station_id      bigint,     -- null: the whole tenant
  state           text        not null default 'Waiting'
    check (state in ('Waiting', 'Approved', 'Refused', 'Withdrawn')),
  requested_at    timestamptz not null,
  requested_by_id bigint      not null, -- a user, who may be deleted since
  requested_by    text        not null,
  expires_at      timestamptz not null,
  decided_at      timestamptz,
  decided_by      text        not null default '',
  comment         text        not null default '',
  primary key (tenant_id, id)
);
create index approvals_requested on approvals (tenant_id, requested_by_id);
create index approvals_age on approvals (tenant_id, requested_at);
call protect_tenant_table('approvals');
grant select, insert, update, delete on approvals to tocsin_app;
