-- The console: the views and settings of each user, the sounds of the plant, and the last success of each channel.
set local lock_timeout = '5s';

-- Filters of the alarm list that a user has saved. Shared ones are visible to the whole tenant.
create table saved_views (
  tenant_id   bigint      not null,
  id          bigint      not null,
  owner_id    bigint      not null,
  name        text        not null,
  search      text        not null, -- the query of the console's URL
  shared      boolean     not null,
  version     integer     not null default 1,
  last_change timestamptz not null,
  primary key (tenant_id, id),
  constraint saved_views_name unique (tenant_id, owner_id, name),
  foreign key (tenant_id, owner_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('saved_views');
grant select, insert, update, delete on saved_views to tocsin_app;

-- Only users who have changed a setting have a row.
create table console_settings (
  tenant_id   bigint      not null,
  user_id     bigint      not null,
  settings    jsonb       not null,
  version     integer     not null default 1,
  last_change timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
call protect_tenant_table('console_settings');
grant select, insert, update on console_settings to tocsin_app;

-- Only tenants that have changed their sounds have a row, and then one of `console_sounds` for each priority.
create table console_sound_settings (
  tenant_id       bigint      not null references tenants (id),
  resound_seconds integer     not null check (resound_seconds between 0 and 3600),
  version         integer     not null default 1,
  last_change     timestamptz not null,
  primary key (tenant_id)
);
call protect_tenant_table('console_sound_settings');
grant select, insert, update on console_sound_settings to tocsin_app;

create table console_sounds (
  tenant_id      bigint  not null references console_sound_settings (tenant_id),
  priority       integer not null check (priority between 1 and 4),
  sound          text    not null check (sound in ('none', 'triple', 'double', 'single', 'chime', 'file')),
  media_file_id  bigint,
  repeat_seconds integer not null check (repeat_seconds between 0 and 600),
  primary key (tenant_id, priority),
  foreign key (tenant_id, media_file_id) references media_files (tenant_id, id)
);
call protect_tenant_table('console_sounds');
grant select, insert, update on console_sounds to tocsin_app;

-- The last probe that succeeded. A claim moves `due_at` before the result is known, so that is no proof.
alter table channel_health add column worked_at timestamptz;
