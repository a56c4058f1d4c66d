-- Where alarms come from: stations, the data servers that speak for them, and the groups tags are sorted into.
-- `version` is the ETag of a row; `search_text` is what searching looks at, made from the names.

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

-- A list of actions under one name. `call_group_ids` repeats what the actions name, for filters.
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

-- Sounds and documents that messages refer to by name. Never a path on a disk.
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

-- A group and all groups below it.
create function tag_group_and_below(top bigint) returns setof bigint
  language sql stable
  begin atomic
    with recursive below as (
      select id from tag_groups where tenant_id = current_tenant() and id = top
      union
      select g.id from tag_groups g join below on g.parent_id = below.id where g.tenant_id = current_tenant()
    )
    select id from below;
  end;
