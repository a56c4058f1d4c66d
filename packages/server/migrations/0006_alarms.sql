-- Alarms: tags, the alarm of each tag, the occurrences of alarms, and the journal of their changes.
--
-- Primary keys begin with the tenant, other indexes end with it: while a table is new the planner assumes that it has one
-- row, and would look up a tag by any index that begins with the tenant, reading all rows of the tenant.

-- A path can be longer than an index entry: 1,024 characters of up to four bytes, where PostgreSQL takes 2,704 bytes.
create function path_digest(path text) returns bytea
  language sql immutable strict parallel safe
  return sha256(convert_to(path, 'UTF8'));

-- Definitions of alarms. A row is written only when the definition changes; the state is in `alarms`.
-- `search_text` and the arrays of ids repeat other columns, for filters.
create table tags (
  tenant_id                bigint   not null references tenants (id),
  id                       bigint   not null,
  station_id               bigint   not null,
  data_server_id           bigint   not null,
  tag_group_id             bigint,
  path                     text     not null,
  name                     text     not null,
  localized_name           text     not null,
  priority                 bigint   not null,
  temporary                boolean  not null,
  condition_value          text     not null,
  transitory               boolean  not null,
  reactivatable            boolean  not null,
  resettable               boolean  not null,
  alarm_delay              bigint   not null, -- seconds
  alarm_message            text     not null,
  alarm_format             text     not null,
  alarm_short_message      text     not null,
  alarm_vocal_message_file text     not null,
  alarm_attached_file      text     not null,
  alarm_actions            jsonb    not null,
  reset_message            text     not null,
  reset_format             text     not null,
  reset_short_message      text     not null,
  reset_vocal_message_file text     not null,
  reset_attached_file      text     not null,
  reset_actions            jsonb    not null,
  ack_message              text     not null,
  ack_format               text     not null,
  ack_short_message        text     not null,
  ack_vocal_message_file   text     not null,
  ack_attached_file        text     not null,
  ack_actions              jsonb    not null,
  call_group_ids           bigint[] not null,
  scenario_ids             bigint[] not null,
  search_text              text     not null,
  -- A column, because row-level security prevents look-ups by an index on an expression.
  path_digest              bytea    not null generated always as (path_digest(path)) stored,
  -- The principal that created the tag (`user:7`, `key:3`). Without `alarms:define` only it can change the definition.
  -- Null: not known.
  created_by               text,
  -- The creator neither had `alarms:define` nor was limited to this path or data server. The definition is replaced by
  -- the first principal that has or is.
  provisional              boolean  not null default false,
  primary key (tenant_id, id),
  constraint tags_path unique (path_digest, data_server_id, tenant_id),
  foreign key (tenant_id, station_id) references stations (tenant_id, id),
  foreign key (tenant_id, data_server_id) references data_servers (tenant_id, id),
  foreign key (tenant_id, tag_group_id) references tag_groups (tenant_id, id)
);
create index tags_group on tags (tag_group_id, tenant_id);
create index tags_temporary on tags (tenant_id, id) where temporary;
call protect_tenant_table('tags');

-- The state of each tag's alarm: one small row per tag, updated at every change.
create table alarms (
  tenant_id     bigint      not null,
  tag_id        bigint      not null,
  state         integer     not null,
  value         text        not null,
  location      jsonb,
  raised_at     timestamptz not null, -- of the latest occurrence; of the definition before the first
  last_change   timestamptz not null,
  occurrence_id bigint      not null, -- 0 before the first
  repeats       integer     not null,
  ack_user      text        not null,
  comment       text        not null,
  search_text   text        not null, -- of the comment; path, name and message are in that of the tag
  mask_until    timestamptz,
  mask_reason   text,
  mask_by       text,
  -- The principal without rights on the tag that raised the latest occurrence (`*` for several), which can reset it.
  -- Null: a principal with rights on the tag raised it.
  raised_by     text,
  primary key (tenant_id, tag_id) -- no foreign key: one transaction writes both rows, and a check costs a look-up per row
) with (fillfactor = 70);
create index alarms_listed on alarms (tenant_id, tag_id) where state <> 0;
create index alarms_masked on alarms (mask_until) where mask_until is not null;
call protect_tenant_table('alarms');

create policy cross_tenant_reads on alarms for select to tocsin_cross_tenant using (true);
grant select on alarms to tocsin_cross_tenant;

-- Lists the tenants with expired masks, so that the server can end the masks tenant by tenant.
create function tenants_with_expired_masks(at timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct a.tenant_id from alarms a where a.mask_until <= at $$;
alter function tenants_with_expired_masks(timestamptz) owner to tocsin_cross_tenant;
revoke all on function tenants_with_expired_masks(timestamptz) from public;
grant execute on function tenants_with_expired_masks(timestamptz) to tocsin_app;

-- The distinct texts of occurrences, with all properties that histories are filtered by and that do not change after
-- the raise. Messages repeat, so that this table stays small; searches of histories read it instead of occurrences.
create table texts (
  tenant_id      bigint   not null,
  id             bigint   not null,
  tag_id         bigint   not null,
  digest         text     not null, -- of message and comment
  message        text     not null,
  comment        text     not null,
  search_text    text     not null,
  station_id     bigint,
  data_server_id bigint,
  tag_group_id   bigint,
  call_group_ids bigint[] not null default '{}', -- of the actions and their scenario, at the raise
  primary key (tenant_id, id),
  constraint texts_digest unique (tag_id, digest, tenant_id)
);
call protect_tenant_table('texts');

-- One cycle of a tag's alarm from the raise until it is closed: an entry of the history. Partitioned by month, so that
-- old months can be dropped. It has no foreign keys, because it outlives the rows it refers to.
create table occurrences (
  tenant_id       bigint      not null,
  id              bigint      not null,
  raised_at       timestamptz not null,
  tag_id          bigint      not null,
  priority        bigint      not null,
  text_id         bigint      not null,
  acknowledged_at timestamptz,
  ack_user_id     bigint,     -- 0: the server itself, or a machine
  reset_at        timestamptz,
  repeats         integer     not null,
  primary key (tenant_id, id, raised_at)
) partition by range (raised_at);
create index occurrences_time on occurrences (tenant_id, raised_at, id);
create index occurrences_text on occurrences (text_id, tenant_id, id);
create index occurrences_user on occurrences (ack_user_id, tenant_id, id) where ack_user_id is not null;
call protect_tenant_table('occurrences');

-- All changes of alarms in the order of commits; `seq` has no gaps and begins with 1 in each tenant.
-- `alarm` is the alarm after the change, as the interface shows it, so that readers need no other table.
create table journal (
  tenant_id         bigint      not null,
  seq               bigint      not null,
  at                timestamptz not null,
  kind              text        not null,
  tag_id            bigint      not null,
  occurrence_id     bigint      not null,
  station_id        bigint      not null,
  announce          boolean     not null, -- whether subscribers of onAlarm receive it
  actor             text        not null, -- a name, which several actors can have
  detail            text        not null,
  alarm             json        not null,
  definition_change json,                 -- the changed members of the definition, with old and new values
  actor_id          text,                 -- kind and number: `user:12`, `key:5`, `system`
  primary key (tenant_id, seq, at)
) partition by range (at);
create index journal_tag on journal (tenant_id, tag_id, seq);
call protect_tenant_table('journal');

create policy cross_tenant_reads on journal for select to tocsin_cross_tenant using (true);
grant select (tenant_id, seq, at) on journal to tocsin_cross_tenant;

-- The default partitions take the rows of months without a partition, should the creation of partitions fail.
create table occurrences_default partition of occurrences default;
create table journal_default partition of journal default;
call protect_tenant_table('occurrences_default');
call protect_tenant_table('journal_default');

grant select, insert, update, delete on tags, alarms to tocsin_app;
grant select, insert, update on texts, occurrences to tocsin_app;
grant select, insert on journal to tocsin_app;
