-- Personal rules: by which media, in which order, for which priorities and at which time of the day a user is called.
set local lock_timeout = '5s';

-- Zone of the times of the rules; null: that of the user's station.
alter table users add column media_rules_time_zone text;

-- The first rule that matches decides. Without media the user is quiet: not called at that time. Never for priority 1.
create table user_media_rules (
  tenant_id    bigint     not null,
  user_id      bigint     not null,
  position     integer    not null,
  name         text       not null,
  priorities   bigint[]   not null,
  days         bigint[]   not null, -- on which the time begins, 1 Monday … 7 Sunday
  start_minute integer    not null check (start_minute between 0 and 1439),
  end_minute   integer    not null check (end_minute between 0 and 1440), -- not after the start: on the next day
  media        jsonb      not null, -- kind, address or none, seconds after the previous medium
  primary key (tenant_id, user_id, position),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  constraint priority_1_is_never_quiet check (media <> '[]' or not priorities && '{0,1}')
);
call protect_tenant_table('user_media_rules');
grant select, insert, update, delete on user_media_rules to tocsin_app;

create trigger bump_configuration_version after insert or update or delete on user_media_rules
  for each statement execute function bump_configuration_version();
