-- Guidance: what to do when an alarm comes, written for a station, a tag group or a tag.
set local lock_timeout = '5s';

-- Each change is a new version. Only the state of a version changes later: at most one version of an object is current.
create table guidance (
  tenant_id       bigint      not null references tenants (id),
  object          text        not null check (object in ('tag', 'tagGroup', 'station')),
  object_id       bigint      not null,
  version         integer     not null, -- 1, 2, 3 … of the object
  state           text        not null check (state in ('current', 'replaced', 'deletion')), -- a deletion has no texts
  steps           text[]      not null,
  cause           text        not null,
  consequence     text        not null,
  contacts        text[]      not null,
  files           text[]      not null, -- names in the media library
  respond_seconds integer     not null check (respond_seconds >= 0), -- 0 for none
  author          text        not null, -- the name at that time
  author_id       text        not null, -- `user:7`, `key:3`
  written_at      timestamptz not null,
  -- The guidance of an object goes with the object.
  tag_id          bigint generated always as (case object when 'tag' then object_id end) stored,
  tag_group_id    bigint generated always as (case object when 'tagGroup' then object_id end) stored,
  station_id      bigint generated always as (case object when 'station' then object_id end) stored,
  primary key (tenant_id, object, object_id, version),
  foreign key (tenant_id, tag_id) references tags (tenant_id, id) on delete cascade,
  foreign key (tenant_id, tag_group_id) references tag_groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, station_id) references stations (tenant_id, id) on delete cascade
);
create unique index guidance_current on guidance (tenant_id, object, object_id) where state = 'current';
create index guidance_tag on guidance (tag_id, tenant_id) where tag_id is not null;
create index guidance_tag_group on guidance (tag_group_id, tenant_id) where tag_group_id is not null;
create index guidance_station on guidance (station_id, tenant_id) where station_id is not null;
call protect_tenant_table('guidance');
grant select, insert, update (state) on guidance to tocsin_app;

-- The version of guidance that each of these alarms has: of its tag, else of the nearest tag group upwards, else of its
-- station. Alarms without guidance are left out. Each tag group is climbed from once, however many alarms it has.
create function guidance_of_alarms(ids bigint[])
  returns table (tag_id bigint, object text, object_id bigint, version integer, respond_seconds integer)
  language sql stable
  begin atomic
    with recursive asked as (
      select t.id, t.tag_group_id, t.station_id from tags t where t.tenant_id = current_tenant() and t.id = any (ids)
    ), climb (start_id, group_id, parent_id, version, respond_seconds) as (
      select g.id, g.id, g.parent_id, n.version, n.respond_seconds
      from tag_groups g
      left join guidance n on n.tenant_id = current_tenant() and n.object = 'tagGroup' and n.object_id = g.id
        and n.state = 'current'
      where g.tenant_id = current_tenant() and g.id in (select a.tag_group_id from asked a)
      union all
      select c.start_id, g.id, g.parent_id, n.version, n.respond_seconds
      from climb c
      join tag_groups g on g.tenant_id = current_tenant() and g.id = c.parent_id
      left join guidance n on n.tenant_id = current_tenant() and n.object = 'tagGroup' and n.object_id = g.id
        and n.state = 'current'
      where c.version is null
    )
    select a.id,
      case when own.version is not null then 'tag' when c.version is not null then 'tagGroup' else 'station' end,
      case when own.version is not null then a.id when c.version is not null then c.group_id else a.station_id end,
      coalesce(own.version, c.version, s.version),
      case when own.version is not null then own.respond_seconds
           when c.version is not null then c.respond_seconds else s.respond_seconds end
    from asked a
    left join guidance own on own.tenant_id = current_tenant() and own.object = 'tag' and own.object_id = a.id
      and own.state = 'current'
    left join climb c on c.start_id = a.tag_group_id and c.version is not null
    left join guidance s on s.tenant_id = current_tenant() and s.object = 'station' and s.object_id = a.station_id
      and s.state = 'current'
    where coalesce(own.version, c.version, s.version) is not null;
  end;
