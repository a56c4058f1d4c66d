-- Rosters: people who stand in, rotations, holidays, leaves, and secret addresses of calendars.
set local lock_timeout = '5s';

-- Slots of several weeks repeat in turn. The week of rotation_start is week 1.
alter table call_groups add column rotation_weeks integer not null default 1 check (rotation_weeks between 1 and 12);
alter table call_groups add column rotation_start date not null default '1970-01-05';
alter table roster_slots add column week integer check (week between 1 and 12); -- null: every week

-- A team or a person is on duty instead of everybody, or instead of one person.
alter table roster_overrides alter column team_id drop not null;
alter table roster_overrides add column user_id bigint;
alter table roster_overrides add column replaces_user_id bigint; -- null: everybody
alter table roster_overrides add constraint roster_overrides_who check ((team_id is null) <> (user_id is null));
alter table roster_overrides add foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade;
alter table roster_overrides add foreign key (tenant_id, replaces_user_id)
  references users (tenant_id, id) on delete cascade;
-- Those of a person do not go with a team.
alter table roster_overrides add foreign key (tenant_id, call_group_id)
  references call_groups (tenant_id, id) on delete cascade;
create index roster_overrides_user on roster_overrides (user_id, tenant_id) where user_id is not null;
create index roster_overrides_replaces on roster_overrides (replaces_user_id, tenant_id)
  where replaces_user_id is not null;

-- Days on which the slots of Sunday apply.
create table roster_holidays (
  tenant_id     bigint not null,
  call_group_id bigint not null,
  day           date   not null,
  name          text   not null,
  primary key (tenant_id, call_group_id, day),
  foreign key (tenant_id, call_group_id) references call_groups (tenant_id, id) on delete cascade
);
call protect_tenant_table('roster_holidays');
grant select, insert, update, delete on roster_holidays to tocsin_app;
create trigger bump_configuration_version after insert or update or delete on roster_holidays
  for each statement execute function bump_configuration_version();

-- Times at which a person is on duty in no call group.
create table leaves (
  tenant_id   bigint      not null references tenants (id),
  id          bigint      not null,
  user_id     bigint      not null,
  starts_at   timestamptz not null,
  ends_at     timestamptz not null check (ends_at > starts_at),
  version     integer     not null default 1,
  last_change timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index leaves_user on leaves (user_id, tenant_id);
create index leaves_end on leaves (tenant_id, ends_at);
call protect_tenant_table('leaves');
grant select, insert, update, delete on leaves to tocsin_app;
create trigger bump_configuration_version after insert or update or delete on leaves
  for each statement execute function bump_configuration_version();

-- Addresses by which calendar programs read duties. Only the hash of the secret in them is kept.
create table calendar_feeds (
  tenant_id     bigint      not null references tenants (id),
  id            bigint      not null,
  user_id       bigint      not null, -- whose calendar it is, or who reads that of the call group
  call_group_id bigint,               -- null: the calendar of the person
  secret_hash   bytea       not null,
  created_at    timestamptz not null,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  foreign key (tenant_id, call_group_id) references call_groups (tenant_id, id) on delete cascade
);
create index calendar_feeds_user on calendar_feeds (user_id, tenant_id);
create index calendar_feeds_group on calendar_feeds (call_group_id, tenant_id) where call_group_id is not null;
call protect_tenant_table('calendar_feeds');
grant select, insert, update, delete on calendar_feeds to tocsin_app;
