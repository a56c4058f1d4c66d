-- Tags, the alarms they have, what happened to them.
--
-- Primary keys begin with the tenant. Other indexes end with it: while a table is new the planner takes it to have one
-- row, and would look a tag up by any index that begins with the tenant, reading all of the tenant's rows.

-- What is known of an alarm point. Rewritten only when its definition changes; what moves is in `alarms`.
-- `search_text` and the id arrays repeat what other columns say, for filters.
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
  primary key (tenant_id, id),
  constraint tags_path unique (path, data_server_id, tenant_id),
  foreign key (tenant_id, station_id) references stations (tenant_id, id),
  foreign key (tenant_id, data_server_id) references data_servers (tenant_id, id),
  foreign key (tenant_id, tag_group_id) references tag_groups (tenant_id, id)
);
create index tags_group on tags (tag_group_id, tenant_id);
call protect_tenant_table('tags');

-- The alarm of a tag as it stands: one small row per tag, rewritten at every change.
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
  search_text   text        not null, -- of the comment; the tag has that of path, name and message
  mask_until    timestamptz,
  mask_reason   text,
  mask_by       text,
  primary key (tenant_id, tag_id) -- no foreign key: one transaction writes both, and checking costs a look-up a row
) with (fillfactor = 70);
create index alarms_listed on alarms (tenant_id, tag_id) where state <> 0;
create index alarms_masked on alarms (mask_until) where mask_until is not null;
call protect_tenant_table('alarms');

create policy steward_reads on alarms for select to tocsin_steward using (true);
grant select on alarms to tocsin_steward;

-- Whose masks have run out, so that the server can go and end them tenant by tenant.
create function tenants_with_expired_masks(at timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct a.tenant_id from alarms a where a.mask_until <= at $$;
alter function tenants_with_expired_masks(timestamptz) owner to tocsin_steward;
revoke all on function tenants_with_expired_masks(timestamptz) from public;
grant execute on function tenants_with_expired_masks(timestamptz) to tocsin_app;

-- Messages repeat: each distinct text of a tag is kept once and occurrences point at it. Searching histories
-- searches this small table. `digest` is over message and comment.
create table texts (
  tenant_id   bigint not null,
  id          bigint not null,
  tag_id      bigint not null,
  digest      text   not null,
  message     text   not null,
  comment     text   not null,
  search_text text   not null,
  primary key (tenant_id, id),
  constraint texts_digest unique (tag_id, digest, tenant_id)
);
call protect_tenant_table('texts');

-- One raise → … → closed cycle of a tag: what a history entry shows. By month, so that old months can be dropped
-- whole. No foreign keys: it outlives what it names.
create table occurrences (
  tenant_id       bigint      not null,
  id              bigint      not null,
  raised_at       timestamptz not null,
  tag_id          bigint      not null,
  station_id      bigint      not null,
  data_server_id  bigint      not null,
  tag_group_id    bigint,
  priority        bigint      not null,
  text_id         bigint      not null,
  call_group_ids  bigint[]    not null, -- named by its actions, directly or through its scenario, at the raise
  acknowledged_at timestamptz,
  ack_user_id     bigint,     -- 0: the server itself, or a machine
  reset_at        timestamptz,
  repeats         integer     not null,
  primary key (tenant_id, id, raised_at)
) partition by range (raised_at);
create index occurrences_time on occurrences (tenant_id, raised_at);
create index occurrences_tag on occurrences (tenant_id, tag_id, raised_at);
create index occurrences_text on occurrences (tenant_id, text_id);
call protect_tenant_table('occurrences');

-- Everything that ever happened to an alarm, in the order of commits: `seq` is dense from 1 in each tenant.
-- `alarm` is the alarm after the change, as the interface shows it, so that whoever reads on from a `seq` needs
-- nothing else.
create table journal (
  tenant_id     bigint      not null,
  seq           bigint      not null,
  at            timestamptz not null,
  kind          text        not null,
  tag_id        bigint      not null,
  occurrence_id bigint      not null,
  station_id    bigint      not null,
  announce      boolean     not null, -- whether subscribers of onAlarm hear of it
  actor         text        not null,
  detail        text        not null,
  alarm         json        not null,
  primary key (tenant_id, seq, at)
) partition by range (at);
create index journal_tag on journal (tenant_id, tag_id, seq);
call protect_tenant_table('journal');

-- Should the making of partitions ever fail for months, alarms still have somewhere to go.
create table occurrences_default partition of occurrences default;
create table journal_default partition of journal default;
call protect_tenant_table('occurrences_default');
call protect_tenant_table('journal_default');

-- Makes the monthly partitions from the month of `at` to `months` later. Runs with the owner's rights, safe to
-- run from several servers at once.
create function make_partitions(at timestamptz, months integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  parent text;
  child text;
  first timestamptz := date_trunc('month', at, 'UTC');
  made integer := 0;
begin
  perform pg_advisory_xact_lock(7420, 1);
  foreach parent in array array['occurrences', 'journal'] loop
    for step in 0..months loop
      child := parent || to_char((first + make_interval(months => step)) at time zone 'UTC', '"_"YYYY"_"MM');
      continue when to_regclass(child) is not null;
      execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
        first + make_interval(months => step), first + make_interval(months => step + 1));
      execute format('call protect_tenant_table(%L)', child);
      made := made + 1;
    end loop;
  end loop;
  return made;
end
$$;
revoke all on function make_partitions(timestamptz, integer) from public;
grant execute on function make_partitions(timestamptz, integer) to tocsin_app;

-- Tells the planner how large the tables have become, where much has changed since it last looked. PostgreSQL does
-- so by itself, but only every minute, and a table or a month that starts empty is misjudged until then.
create function refresh_statistics() returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stale text;
  refreshed integer := 0;
begin
  for stale in
    select format('%I.%I', schemaname, relname) from pg_stat_user_tables
    where schemaname = 'public' and n_mod_since_analyze > 500 + n_live_tup / 5
  loop
    execute 'analyze ' || stale;
    refreshed := refreshed + 1;
  end loop;
  return refreshed;
end
$$;
revoke all on function refresh_statistics() from public;
grant execute on function refresh_statistics() to tocsin_app;

grant select, insert, update on tags, alarms, texts, occurrences to tocsin_app;
grant select, insert on journal to tocsin_app;
