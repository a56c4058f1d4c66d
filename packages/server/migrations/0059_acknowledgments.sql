-- Which user acknowledged which occurrence, in a table of its own. The index on the user made every acknowledgment write new
-- entries into all indexes of `occurrences`: PostgreSQL updates a row within its page only if no indexed column changes.
set local lock_timeout = '1s';

-- Partitioned as `occurrences`, and dropped with it. The triggers that count occurrences write it (see the next file), so
-- that it is right while a server of the previous release, which does not know it, still writes alarms beside this one.
create table acknowledgments (
  tenant_id     bigint      not null,
  user_id       bigint      not null, -- 0: the server itself, or a machine
  occurrence_id bigint      not null,
  raised_at     timestamptz not null, -- of the occurrence
  primary key (tenant_id, user_id, occurrence_id, raised_at)
) partition by range (raised_at);
call protect_tenant_table('acknowledgments');
create table acknowledgments_default partition of acknowledgments default;
call protect_tenant_table('acknowledgments_default');
grant select, insert, delete on acknowledgments to tocsin_app;

create or replace function monthly_partitions() returns table (partition regclass, month timestamptz)
  language sql stable
  as $$
    select c.oid::regclass, to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC'
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('occurrences'::regclass, 'journal'::regclass, 'acknowledgments'::regclass)
      and c.relname ~ '_[0-9]{4}_[0-9]{2}$'
  $$;

create or replace function make_partitions(at timestamptz, months integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  parent text;
  child text;
  first timestamptz := date_trunc('month', at, 'UTC');
  made integer := 0;
begin
  perform pg_advisory_xact_lock(7420, 1);
  foreach parent in array array['occurrences', 'journal', 'acknowledgments'] loop
    for step in 0..months loop
      child := parent || to_char((first + make_interval(months => step)) at time zone 'UTC', '"_"YYYY"_"MM');
      continue when to_regclass(child) is not null;
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)', child, parent,
          first + make_interval(months => step), first + make_interval(months => step + 1),
          case parent when 'occurrences' then 50 else 100 end);
        execute format('call protect_tenant_table(%L)', child);
        made := made + 1;
      exception when check_violation then
        null;
      end;
    end loop;
  end loop;
  return made;
end
$$;

-- Half of each page is free now: a row is repeated, acknowledged and reset, often together with all others of its page, and the
-- former versions are cleared only afterwards.
do $$
declare
  old_partition regclass;
begin
  for old_partition in select inhrelid::regclass from pg_inherits where inhparent = 'occurrences'::regclass loop
    execute format('alter table %s set (fillfactor = 50)', old_partition);
  end loop;
end
$$;

-- The months that exist already.
do $$
declare
  known timestamptz;
begin
  for known in select distinct month from monthly_partitions() loop
    perform make_partitions(known, 0);
  end loop;
end
$$;

-- As before, and for acknowledgments, which nothing reads once the histories begin after them.
create or replace function drop_retired_month(keep_from timestamptz) returns date
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '300ms' as $$
declare
  caller_tenant constant text := current_setting('tocsin.tenant', true);
  oldest timestamptz;
  next_month timestamptz;
  parent regclass;
  old_partition regclass;
  carried record;
begin
  perform pg_advisory_xact_lock(7420, 1);
  oldest := (select min(month) from monthly_partitions());
  next_month := oldest + interval '1 month';
  if oldest is null or next_month > retirement_cut(keep_from) or exists (select from tenants_to_retire(next_month)) then
    return null;
  end if;
  lock table only occurrences, only journal, only acknowledgments in access exclusive mode;
  for parent, old_partition in select i.inhparent, p.partition from monthly_partitions() p
    join pg_inherits i on i.inhrelid = p.partition where p.month = oldest
  loop
    execute format('alter table %s detach partition %s', parent, old_partition);
    if parent <> 'acknowledgments'::regclass then
      for carried in select * from active_occurrences('-infinity', next_month) loop
        perform set_config('tocsin.tenant', carried.tenant_id::text, true);
        if parent = 'occurrences'::regclass then
          execute format('insert into occurrences_default select * from %s where tenant_id = $1 and id = $2 and raised_at = $3',
            old_partition) using carried.tenant_id, carried.occurrence_id, carried.raised_at;
        else
          execute format('insert into journal_default select * from %s
            where tenant_id = $1 and tag_id = $2 and occurrence_id = $3 and kind <> %L', old_partition, 'repeated')
            using carried.tenant_id, carried.tag_id, carried.occurrence_id;
        end if;
      end loop;
    end if;
    execute format('drop table %s', old_partition);
  end loop;
  perform set_config('tocsin.tenant', coalesce(caller_tenant, ''), true);
  return oldest;
end
$$;

create or replace function sums_before(cut timestamptz) returns table (name text, condition text)
  language plpgsql stable set timezone = 'UTC' as $$
declare
  first_month constant integer := month_of(cut);
  day constant date := utc_day(cut);
begin
  return query values
    ('tag_years', format('(year < %s or months = 0)', first_month / 12)),
    ('user_days', format('day < %L', day)),
    ('user_hours', format('hour < %L', cut)),
    ('station_days', format('day < %L', day)),
    ('group_days', format('day < %L', day)),
    ('chatter_days', format('day < %L', day)),
    ('tag_raises', format('raised_at < %L', cut)),
    ('group_months', format('month < %s', first_month)),
    ('station_months', format('month < %s', first_month)),
    ('tag_running_sums', format('month < %s', first_month)),
    -- A tag whose occurrences are all deleted would have rows for ever.
    ('tag_running_sums', 'tag_id not in (select y.tag_id from tag_years y where y.tenant_id = $1)'),
    ('acknowledgments_default', format('raised_at < %L', cut)),
    ('occurrences_default', format('raised_at < %L and not exists (select from alarms a where a.tenant_id = $1
       and a.tag_id = t.tag_id and a.occurrence_id = t.id and a.state & 1 = 1)', cut)),
    ('journal_default', format('at < %L and not exists (select from alarms a where a.tenant_id = $1
       and a.tag_id = t.tag_id and a.occurrence_id = t.occurrence_id and a.state & 1 = 1)', cut));
end
$$;

create or replace function rebuild_user_sums() returns void
  language plpgsql as $$
begin
  delete from user_hours where tenant_id = current_tenant();
  delete from user_days where tenant_id = current_tenant();
  delete from acknowledgments where tenant_id = current_tenant();

  insert into acknowledgments
  select current_tenant(), ack_user_id, id, raised_at from occurrences
  where tenant_id = current_tenant() and raised_at >= history_start() and ack_user_id is not null;

  insert into user_hours
  select current_tenant(), hour_of(raised_at), ack_user_id, count(*),
    count(*) filter (where acknowledged_at >= raised_at), sum(whole_seconds_between(raised_at, acknowledged_at)),
    count(*) filter (where reset_at >= acknowledged_at), sum(whole_seconds_between(acknowledged_at, reset_at)), max(id)
  from occurrences where tenant_id = current_tenant() and raised_at >= history_start() and ack_user_id is not null
  group by 2, 3;

  insert into user_days
  select current_tenant(), (hour at time zone 'UTC')::date, user_id, sum(acknowledged), sum(reactions),
    sum(reaction_seconds), sum(interventions), sum(intervention_seconds), max(last_occurrence_id)
  from user_hours where tenant_id = current_tenant()
  group by 2, 3;
end
$$;
