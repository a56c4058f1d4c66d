-- The tags that current alarms are listed from, in a table of their own. The index on the rows with `state <> 0` made every change
-- of a state write new entries into all indexes of `alarms`: PostgreSQL updates a row within its page only if no indexed column
-- changes, and a column in the condition of an index counts as indexed.
set local lock_timeout = '1s';

-- Every tag whose state is not 0, and those that have returned to it lately: a tag that alarms again and again has one row that
-- never changes. Upkeep deletes rows of tags at rest. Triggers insert them, so that none is missing while a server of the
-- previous release still writes alarms beside this one.
create table recent_alarms (
  tenant_id bigint not null,
  tag_id    bigint not null,
  primary key (tenant_id, tag_id)
);
call protect_tenant_table('recent_alarms');
grant select, insert, delete on recent_alarms to tocsin_app;
create policy cross_tenant_reads on recent_alarms for select to tocsin_cross_tenant using (true);
grant select (tenant_id, tag_id) on recent_alarms to tocsin_cross_tenant;

create function keep_recent_alarm() returns trigger
  language plpgsql as $$
begin
  insert into recent_alarms (tenant_id, tag_id) values (new.tenant_id, new.tag_id) on conflict do nothing;
  return null;
end
$$;
create trigger keep_new_alarm after insert on alarms
  for each row when (new.state <> 0) execute function keep_recent_alarm();
create trigger keep_changed_alarm after update on alarms
  for each row when (old.state = 0 and new.state <> 0) execute function keep_recent_alarm();

do $$
declare
  tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    insert into recent_alarms (tenant_id, tag_id) select tenant_id, tag_id from alarms where tenant_id = tenant and state <> 0;
  end loop;
  perform set_config('tocsin.tenant', '', true);
end
$$;
drop index alarms_listed;

-- Tenants with tags that are at rest since `resting_since` and still among the recent ones.
create function tenants_with_resting_alarms(resting_since timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct r.tenant_id from recent_alarms r join alarms a using (tenant_id, tag_id)
    where a.state = 0 and a.last_change < resting_since
  $$;
alter function tenants_with_resting_alarms(timestamptz) owner to tocsin_cross_tenant;
revoke all on function tenants_with_resting_alarms(timestamptz) from public;
grant execute on function tenants_with_resting_alarms(timestamptz) to tocsin_app;

-- As before, from the recent alarms.
create or replace function active_occurrences(since timestamptz, until timestamptz)
  returns table (tenant_id bigint, tag_id bigint, occurrence_id bigint, raised_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select a.tenant_id, a.tag_id, a.occurrence_id, a.raised_at from recent_alarms r join alarms a using (tenant_id, tag_id)
    where a.state & 1 = 1 and a.occurrence_id > 0 and a.raised_at >= since and a.raised_at < until
  $$;
