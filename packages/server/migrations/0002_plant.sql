-- The plant: stations, data servers, scenarios, tag groups and media files.
-- `version` is the ETag of a row. `search_text` holds the names in the form that searches compare.

create table stations (
  tenant_id      bigint      not null references tenants (id),
  id             bigint      not null,
  name           text        not null,
  localized_name text        not null,
  search_text    text        not null,
  time_zone      text        not null,
  version        integer     not null default 1,
  last_change    timestamptz not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('stations');

-- The systems that report alarms of a station.
create table data_servers (
  tenant_id      bigint      not null references tenants (id),
  id             bigint      not null,
  name           text        not null,
  localized_name text        not null,
  search_text    text        not null,
  station_id     bigint,
  version        integer     not null default 1,
  last_change    timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, station_id) references stations (tenant_id, id)
);
call protect_tenant_table('data_servers');

-- Named lists of actions. `call_group_ids` repeats the call groups of the actions, for filters.
create table scenarios (
  tenant_id      bigint      not null references tenants (id),
  id             bigint      not null,
  name           text        not null,
  localized_name text        not null,
  search_text    text        not null,
  station_id     bigint,
  alarm_actions  jsonb       not null,
  reset_actions  jsonb       not null,
  ack_actions    jsonb       not null,
  call_group_ids bigint[]    not null,
  version        integer     not null default 1,
  last_change    timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, station_id) references stations (tenant_id, id)
);
call protect_tenant_table('scenarios');

create table tag_groups (
  tenant_id        bigint      not null references tenants (id),
  id               bigint      not null,
  name             text        not null,
  localized_name   text        not null,
  search_text      text        not null,
  parent_id        bigint,
  station_id       bigint,
  auto_acknowledge boolean     not null default false,
  scenario_id      bigint,
  version          integer     not null default 1,
  last_change      timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references tag_groups (tenant_id, id),
  foreign key (tenant_id, station_id) references stations (tenant_id, id),
  foreign key (tenant_id, scenario_id) references scenarios (tenant_id, id)
);
create index tag_groups_parent on tag_groups (tenant_id, parent_id);
call protect_tenant_table('tag_groups');

-- Sounds and documents that messages refer to by name, never by a path on a disk.
create table media_files (
  tenant_id    bigint      not null references tenants (id),
  id           bigint      not null,
  name         text        not null,
  search_text  text        not null,
  content_type text        not null,
  content      bytea       not null,
  sha256       text        not null,
  version      integer     not null default 1,
  last_change  timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, name)
);
call protect_tenant_table('media_files');

grant select, insert, update, delete on stations, data_servers, scenarios, tag_groups, media_files to tocsin_app;

create trigger bump_configuration_version after insert or update or delete on stations
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on data_servers
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on scenarios
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on tag_groups
  for each statement execute function bump_configuration_version();
create trigger bump_configuration_version after insert or update or delete on media_files
  for each statement execute function bump_configuration_version();

-- Lists a tag group and all groups below it.
create function tag_group_subtree(top bigint) returns setof bigint
  language sql stable
  begin atomic
    with recursive subtree as (
      select id from tag_groups where tenant_id = current_tenant() and id = top
      union
      select g.id from tag_groups g join subtree on g.parent_id = subtree.id where g.tenant_id = current_tenant()
    )
    select id from subtree;
  end;
