-- Call groups: members, teams, and the roster that says which team is on duty.

create table call_group_groupings (
  tenant_id      bigint      not null references tenants (id),
  id             bigint      not null,
  name           text        not null,
  localized_name text        not null,
  search_text    text        not null,
  parent_id      bigint,
  version        integer     not null default 1,
  last_change    timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references call_group_groupings (tenant_id, id)
);
call protect_tenant_table('call_group_groupings');

create table call_groups (
  tenant_id       bigint      not null references tenants (id),
  id              bigint      not null,
  name            text        not null,
  localized_name  text        not null,
  search_text     text        not null,
  station_id      bigint,
  mode            text        not null check (mode in ('Sequential', 'Broadcast', 'Turnover')),
  ack_timeout     integer     not null, -- seconds
  attempts        integer     not null,
  cycles          integer     not null,
  slot_minutes    integer     not null check (slot_minutes in (15, 30, 60)),
  relief_group_id bigint,
  grouping_id     bigint,
  version         integer     not null default 1,
  last_change     timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, station_id) references stations (tenant_id, id),
  foreign key (tenant_id, relief_group_id) references call_groups (tenant_id, id),
  foreign key (tenant_id, grouping_id) references call_group_groupings (tenant_id, id)
);
create index call_groups_grouping on call_groups (tenant_id, grouping_id);
call protect_tenant_table('call_groups');

-- The members of a call group, in the order in which they are called.
create table call_group_members (
  tenant_id     bigint  not null,
  call_group_id bigint  not null,
  position      integer not null,
  user_id       bigint  not null,
  primary key (tenant_id, call_group_id, position),
  foreign key (tenant_id, call_group_id) references call_groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index call_group_members_user on call_group_members (tenant_id, user_id);
call protect_tenant_table('call_group_members');

create table call_group_teams (
  tenant_id     bigint   not null,
  call_group_id bigint   not null,
  id            bigint   not null,
  name          text     not null,
  user_ids      bigint[] not null,
  primary key (tenant_id, call_group_id, id),
  foreign key (tenant_id, call_group_id) references call_groups (tenant_id, id) on delete cascade
);
call protect_tenant_table('call_group_teams');

-- Weekly shifts in the time zone of the station, in minutes from midnight; 1440 is the end of the day.
create table roster_slots (
  tenant_id     bigint  not null,
  call_group_id bigint  not null,
  position      integer not null,
  team_id       bigint  not null,
  day           integer not null check (day between 1 and 7),
  start_minute  integer not null check (start_minute between 0 and 1439),
  end_minute    integer not null check (end_minute between 1 and 1440 and end_minute > start_minute),
  primary key (tenant_id, call_group_id, position),
  foreign key (tenant_id, call_group_id, team_id)
    references call_group_teams (tenant_id, call_group_id, id) on delete cascade
);
call protect_tenant_table('roster_slots');

create table roster_overrides (
  tenant_id     bigint      not null,
  call_group_id bigint      not null,
  position      integer     not null,
  team_id       bigint      not null,
  starts_at     timestamptz not null,
  ends_at       timestamptz not null check (ends_at > starts_at),
  reason        text        not null,
  primary key (tenant_id, call_group_id, position),
  foreign key (tenant_id, call_group_id, team_id)
    references call_group_teams (tenant_id, call_group_id, id) on delete cascade
);
call protect_tenant_table('roster_overrides');

grant select, insert, update, delete
  on call_group_groupings, call_groups, call_group_members, call_group_teams, roster_slots, roster_overrides
  to tocsin_app;

create trigger bump_configuration_version after insert or update or delete on call_groups
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on call_group_members
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on call_group_teams
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on roster_slots
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on roster_overrides
  for each statement execute function bump_configuration_version();
