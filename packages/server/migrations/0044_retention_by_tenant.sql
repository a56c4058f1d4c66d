-- Retention tenant by tenant. A transaction that took the sums of a month from all tenants locked the counters of all of them,
-- and one alarm that stayed active kept the histories of all. Now the histories of each tenant begin at a time of its own,
-- which moves in a short transaction; the sums before it are swept in batches; a month is dropped when the histories of all
-- tenants begin after it. Occurrences of active alarms outlive their month.
set local lock_timeout = '1s';

-- Lists the tenants whose histories begin before this time, or whose sums before their start are not swept yet.
create function tenants_to_retire(cut timestamptz) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id from tenants t left join history_starts h on h.tenant_id = t.id
    where h.tenant_id is null or h.starts_at < cut or not h.is_swept order by t.id
  $$;
alter function tenants_to_retire(timestamptz) owner to tocsin_cross_tenant;
revoke all on function tenants_to_retire(timestamptz) from public;
grant execute on function tenants_to_retire(timestamptz) to tocsin_app;

-- Lists the occurrences of active alarms that were raised in this period, for the owner only.
create function active_occurrences(since timestamptz, until timestamptz)
  returns table (tenant_id bigint, tag_id bigint, occurrence_id bigint, raised_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select a.tenant_id, a.tag_id, a.occurrence_id, a.raised_at from alarms a
    where a.state & 1 = 1 and a.occurrence_id > 0 and a.raised_at >= since and a.raised_at < until
  $$;
alter function active_occurrences(timestamptz, timestamptz) owner to tocsin_cross_tenant;
revoke all on function active_occurrences(timestamptz, timestamptz) from public;

-- The time before which months may be retired: never the current and the previous month, whatever the caller asks for.
create function retirement_cut(keep_from timestamptz) returns timestamptz
  language sql stable
  return date_trunc('month', least(keep_from, clock_timestamp() - interval '1 month'), 'UTC');

-- Moves the start of the current tenant's histories to `keep_from`, in whole months, and sweeps up to `most` rows of each sum
-- before it. True if there is more to sweep. Alarms of the tenant wait for one call.
create function retire_months(keep_from timestamptz, most integer) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  tenant constant bigint := current_tenant();
  started history_starts;
  swept record;
  removed integer;
begin
  perform 1 from tenant_counters where tenant_id = tenant for update;
  if not found then return false; end if;
  insert into history_starts as kept values (tenant, retirement_cut(keep_from), false)
  on conflict (tenant_id) do update set starts_at = excluded.starts_at, is_swept = false
  where kept.starts_at < excluded.starts_at;
  select * into started from history_starts where tenant_id = tenant;
  if started.is_swept then return false; end if;

  if sweep_texts(started.starts_at, most) then return true; end if;
  for swept in select * from sums_before(started.starts_at) loop
    execute format(
      'delete from %1$I where tenant_id = $1 and ctid = any (array(select t.ctid from %1$I t where t.tenant_id = $1 and %2$s limit $2))',
      swept.name, swept.condition) using tenant, most;
    get diagnostics removed = row_count;
    if removed = most then return true; end if;
  end loop;
  update tag_raises set third_at = null,
    previous_at = case when previous_at < started.starts_at then null else previous_at end
  where tenant_id = tenant and (third_at < started.starts_at or previous_at < started.starts_at);
  update history_starts set is_swept = true where tenant_id = tenant;
  return false;
end
$$;
revoke all on function retire_months(timestamptz, integer) from public;
grant execute on function retire_months(timestamptz, integer) to tocsin_app;

-- Sweeps up to `most` sums of texts and as many texts that nothing refers to any more. True if there may be more.
create function sweep_texts(cut timestamptz, most integer) returns boolean
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
  first_month constant integer := month_of(cut);
  first_year constant integer := first_month / 12;
  kept_bits constant integer := 4095 & (4095 << first_month % 12); -- of the first year
  removed integer;
begin
  with old as (
    select m.month, m.tag_id, m.text_id from text_months m where m.tenant_id = tenant and m.month < first_month limit most
  ), gone as (
    delete from text_months m using old
    where m.tenant_id = tenant and m.month = old.month and m.tag_id = old.tag_id and m.text_id = old.text_id
    returning m.text_id, m.occurrences
  ), sums as (
    select text_id, sum(occurrences) as occurrences from gone group by text_id
  ), lowered as (
    update text_totals k set occurrences = k.occurrences - sums.occurrences
    from sums where k.tenant_id = tenant and k.text_id = sums.text_id
  )
  select count(*) into removed from gone;
  if removed = most then return true; end if;

  -- Active alarms keep their texts. A later occurrence with another of these texts creates it again.
  with active as (
    select o.text_id from alarms a cross join lateral (select o.text_id from occurrences o
      where o.tenant_id = tenant and o.id = a.occurrence_id and o.raised_at = a.raised_at limit 1) o
    where a.tenant_id = tenant and a.state & 1 = 1 and a.raised_at < cut
  ), old as (
    select k.text_id from text_totals k where k.tenant_id = tenant and k.occurrences = 0
      and k.text_id not in (select text_id from active) limit most
  ), gone as (
    delete from text_totals k using old where k.tenant_id = tenant and k.text_id = old.text_id returning k.text_id
  ), texts_gone as (
    delete from texts x using gone where x.tenant_id = tenant and x.id = gone.text_id
  )
  select count(*) into removed from gone;
  -- Servers cache texts as long as no other transaction has written the counters: this write makes them read again.
  if removed > 0 then update tenant_counters set seq = seq where tenant_id = tenant; end if;

  update tag_years set months = months & kept_bits
  where tenant_id = tenant and year = first_year and months <> months & kept_bits;
  return removed = most;
end
$$;
revoke all on function sweep_texts(timestamptz, integer) from public;

-- The other sums, and which of their rows belong to the time before `cut`, in the order in which they are swept. Rows of the
-- default partitions are there only if partitions could not be created in time, and for active alarms.
create function sums_before(cut timestamptz) returns table (name text, condition text)
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
    ('occurrences_default', format('raised_at < %L and not exists (select from alarms a where a.tenant_id = $1
       and a.tag_id = t.tag_id and a.occurrence_id = t.id and a.state & 1 = 1)', cut)),
    ('journal_default', format('at < %L and not exists (select from alarms a where a.tenant_id = $1
       and a.tag_id = t.tag_id and a.occurrence_id = t.occurrence_id and a.state & 1 = 1)', cut));
end
$$;
revoke all on function sums_before(timestamptz) from public;

-- Drops the oldest month if it ended before `keep_from` and all tenants are past it, and returns it; null otherwise. The
-- occurrences of active alarms and their entries of the journal, without repeats, move to the default partitions. Fails when it
-- would have to wait for a lock, because others would queue behind it.
create function drop_retired_month(keep_from timestamptz) returns date
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '300ms' as $$
declare
  caller_tenant constant text := current_setting('tocsin.tenant', true);
  oldest timestamptz;
  next_month timestamptz;
  old_partition regclass;
  carried record;
begin
  perform pg_advisory_xact_lock(7420, 1);
  oldest := (select min(month) from monthly_partitions());
  next_month := oldest + interval '1 month';
  if oldest is null or next_month > retirement_cut(keep_from) or exists (select from tenants_to_retire(next_month)) then
    return null;
  end if;
  lock table only occurrences, only journal in access exclusive mode;
  for old_partition in select partition from monthly_partitions() where month = oldest loop
    if old_partition::text like 'occurrences%' then
      execute format('alter table occurrences detach partition %s', old_partition);
    else
      execute format('alter table journal detach partition %s', old_partition);
    end if;
    for carried in select * from active_occurrences('-infinity', next_month) loop
      perform set_config('tocsin.tenant', carried.tenant_id::text, true);
      if old_partition::text like 'occurrences%' then
        execute format('insert into occurrences_default select * from %s where tenant_id = $1 and id = $2 and raised_at = $3',
          old_partition) using carried.tenant_id, carried.occurrence_id, carried.raised_at;
      else
        execute format('insert into journal_default select * from %s
          where tenant_id = $1 and tag_id = $2 and occurrence_id = $3 and kind <> %L', old_partition, 'repeated')
          using carried.tenant_id, carried.tag_id, carried.occurrence_id;
      end if;
    end loop;
    execute format('drop table %s', old_partition);
  end loop;
  perform set_config('tocsin.tenant', coalesce(caller_tenant, ''), true);
  return oldest;
end
$$;
revoke all on function drop_retired_month(timestamptz) from public;
grant execute on function drop_retired_month(timestamptz) to tocsin_app;

-- For servers of the previous release, and to drop a month by hand: all tenants in one transaction.
create or replace function drop_old_partitions(keep_from timestamptz) returns date
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '1s' as $$
declare
  caller_tenant constant text := current_setting('tocsin.tenant', true);
  tenant bigint;
begin
  for tenant in select tenants_to_retire(retirement_cut(keep_from)) loop
    perform set_config('tocsin.tenant', tenant::text, true);
    while retire_months(keep_from, 10000) loop
      null;
    end loop;
  end loop;
  perform set_config('tocsin.tenant', coalesce(caller_tenant, ''), true);
  return drop_retired_month(keep_from);
end
$$;
drop function delete_sums_before(timestamptz);

-- Returns the time from which the current tenant's calls and commands are kept: `keep_from` in whole months, or the start of
-- the histories. Before that is set, it is the oldest month that exists.
create or replace function histories_kept_from(keep_from timestamptz) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp set timezone = 'UTC'
  as $$
    select least(date_trunc('month', keep_from), coalesce(
      (select starts_at from history_starts where tenant_id = current_tenant()),
      least((select min(month) from monthly_partitions()),
        date_trunc('month', (select min(raised_at) from occurrences_default where tenant_id = current_tenant())),
        date_trunc('month', (select at from journal_default where tenant_id = current_tenant() order by seq limit 1)))))
  $$;

-- As before, from the start of the histories on.
create or replace function rebuild_user_sums() returns void
  language plpgsql as $$
begin
  delete from user_hours where tenant_id = current_tenant();
  delete from user_days where tenant_id = current_tenant();

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

create or replace function rebuild_roll_ups() returns void
  language plpgsql as $$
begin
  perform 1 from tenant_counters where tenant_id = current_tenant() for update;
  delete from text_months where tenant_id = current_tenant();
  delete from text_totals where tenant_id = current_tenant();
  delete from tag_years where tenant_id = current_tenant();

  insert into text_months
  select current_tenant(), k.month, k.tag_id, k.text_id, sum(coalesce(x.n, 0)), sum(coalesce(x.s, 0)),
    array_agg(coalesce(x.n, 0) order by day), array_agg(coalesce(x.s, 0) order by day)
  from (select distinct month_of(raised_at) as month, tag_id, text_id from occurrences
        where tenant_id = current_tenant() and raised_at >= history_start()) k
  cross join generate_series(1, 31) as day
  left join (
    select month_of(raised_at) as month, tag_id, text_id, day_of_month(raised_at) as day, count(*) as n,
      sum(whole_seconds_between(raised_at, reset_at)) as s
    from occurrences where tenant_id = current_tenant() and raised_at >= history_start() group by 1, 2, 3, 4
  ) x using (month, tag_id, text_id, day)
  group by k.month, k.tag_id, k.text_id;

  insert into text_totals
  select current_tenant(), text_id, count(*) from occurrences
  where tenant_id = current_tenant() and raised_at >= history_start() group by text_id;

  insert into tag_years
  select current_tenant(), month / 12, tag_id, bit_or(1 << (month % 12))
  from text_months where tenant_id = current_tenant() group by 2, 3;

  perform rebuild_user_sums();
  perform rebuild_kpi_sums();
end
$$;

create or replace function rebuild_kpi_sums() returns void
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
begin
  delete from station_days where tenant_id = tenant;
  delete from group_days where tenant_id = tenant;
  delete from chatter_days where tenant_id = tenant;
  delete from tag_raises where tenant_id = tenant;
  delete from closed_months where tenant_id = tenant;
  delete from tag_running_sums where tenant_id = tenant;
  delete from station_months where tenant_id = tenant;
  delete from group_months where tenant_id = tenant;

  insert into station_days
  with counted as (
    select utc_day(o.raised_at) as day, ten_minutes_of(o.raised_at) as part, x.station_id, count(*)::integer as alarms
    from occurrences o left join texts x on x.tenant_id = tenant and x.id = o.text_id
    where o.tenant_id = tenant and o.raised_at >= history_start() group by 1, 2, 3
  ), by_station as (
    select day, part, station_id, alarms from counted where station_id is not null
    union all select day, part, 0, sum(alarms) from counted group by day, part
  )
  select tenant, k.day, k.station_id, array_agg(coalesce(c.alarms, 0) order by part)
  from (select distinct day, station_id from by_station) k
  cross join generate_series(1, 144) as part
  left join by_station c using (day, station_id, part)
  group by k.day, k.station_id;

  insert into group_days
  select tenant, utc_day(o.raised_at), coalesce(x.station_id, 0), coalesce(x.tag_group_id, 0), o.priority, count(*),
    count(*) filter (where o.acknowledged_at >= o.raised_at),
    sum(whole_seconds_between(o.raised_at, o.acknowledged_at)),
    count(*) filter (where o.reset_at >= o.raised_at), sum(whole_seconds_between(o.raised_at, o.reset_at))
  from occurrences o left join texts x on x.tenant_id = tenant and x.id = o.text_id
  where o.tenant_id = tenant and o.raised_at >= history_start() group by 2, 3, 4, 5;

  with ordered as (
    select o.tag_id, o.raised_at, o.text_id, lag(o.raised_at) over by_tag as previous_at,
      lag(o.raised_at, 2) over by_tag as third_at, lead(o.id) over by_tag is null as is_last
    from occurrences o where o.tenant_id = tenant and o.raised_at >= history_start() window by_tag as (partition by o.tag_id order by o.id)
  ), chattering as (
    insert into chatter_days
    select tenant, utc_day(o.raised_at), coalesce(x.station_id, 0), o.tag_id, count(*)
    from ordered o left join texts x on x.tenant_id = tenant and x.id = o.text_id
    where o.raised_at - o.third_at < interval '1 minute' group by 2, 3, 4
  )
  insert into tag_raises select tenant, tag_id, raised_at, previous_at, third_at from ordered where is_last;
end
$$;
