-- Site plans: images of a station, and the places of tags, tag groups and beacons on them.
set local lock_timeout = '5s';

create table site_plans (
  tenant_id     bigint      not null references tenants (id),
  id            bigint      not null,
  station_id    bigint      not null,
  name          text        not null,
  search_text   text        not null,
  media_file_id bigint      not null,
  width         integer     not null, -- pixels of the image when the plan was written
  height        integer     not null,
  version       integer     not null default 1,
  last_change   timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, station_id) references stations (tenant_id, id),
  foreign key (tenant_id, media_file_id) references media_files (tenant_id, id)
);
create index site_plans_station on site_plans (tenant_id, station_id, id);
create index site_plans_image on site_plans (media_file_id, tenant_id);
call protect_tenant_table('site_plans');
grant select, insert, update, delete on site_plans to tocsin_app;

create table site_plan_positions (
  tenant_id    bigint           not null,
  plan_id      bigint           not null,
  number       integer          not null, -- in the list of the plan
  object       text             not null check (object in ('tag', 'tagGroup', 'beacon')),
  object_id    bigint           not null, -- 0 for a beacon
  beacon_id    text             not null, -- the name that devices give to the beacon; empty for others
  x            double precision not null check (x between 0 and 1), -- from the left
  y            double precision not null check (y between 0 and 1), -- from the top
  label        text             not null,
  -- The place of an object goes with the object.
  tag_id       bigint generated always as (case object when 'tag' then object_id end) stored,
  tag_group_id bigint generated always as (case object when 'tagGroup' then object_id end) stored,
  primary key (tenant_id, plan_id, number),
  foreign key (tenant_id, plan_id) references site_plans (tenant_id, id) on delete cascade,
  foreign key (tenant_id, tag_id) references tags (tenant_id, id) on delete cascade,
  foreign key (tenant_id, tag_group_id) references tag_groups (tenant_id, id) on delete cascade
);
create index site_plan_positions_tag on site_plan_positions (tag_id, tenant_id) where tag_id is not null;
create index site_plan_positions_tag_group on site_plan_positions (tag_group_id, tenant_id)
  where tag_group_id is not null;
create index site_plan_positions_beacon on site_plan_positions (beacon_id, tenant_id) where object = 'beacon';
call protect_tenant_table('site_plan_positions');
grant select, insert, delete on site_plan_positions to tocsin_app;
