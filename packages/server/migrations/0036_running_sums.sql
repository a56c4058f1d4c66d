-- Faster key figures of long periods. Sums of tags in closed months become running sums: the occurrences of a period are
-- the difference of two of them, however long it is. The ten minutes of a closed month become one value, because turning
-- the 52,560 numbers of a year into text took longer than reading them.

-- Running sums of the occurrences of a tag (UTC), in closed months. A tag with a row in a month has one in each later month
-- that has any.
create table tag_running_sums (
  tenant_id bigint    not null,
  month     integer   not null,
  tag_id    bigint    not null,
  before    integer   not null, -- in all months before
  days      integer[] not null, -- 31 numbers: in the month up to this day, included
  primary key (tenant_id, month, tag_id)
);
call protect_tenant_table('tag_running_sums');

-- `station_days` of a closed month, one after the other from its first day: for each ten minutes 8 bytes, of which the last
-- 4 are the number of occurrences.
create table station_months (
  tenant_id  bigint  not null,
  month      integer not null,
  station_id bigint  not null,
  alarms     bytea   not null,
  primary key (tenant_id, month, station_id)
);
call protect_tenant_table('station_months');

grant select, insert, update, delete on tag_running_sums, station_months to tocsin_app;

-- As before, without looking up a time zone for each value.
create or replace function whole_seconds_between(start_at timestamptz, end_at timestamptz) returns bigint
  language sql immutable parallel safe
  return case when end_at >= start_at
    then floor(date_part('epoch', end_at - timestamptz 'epoch'))::bigint
      - floor(date_part('epoch', start_at - timestamptz 'epoch'))::bigint else 0 end;

-- All months are closed again, one after the other. Until then key figures are read from the sums of open months.
drop table tag_year_alarms;
truncate closed_months, group_months;

-- The running sums of a month follow those of the last month that has any.
create function close_tags_of_month(closing integer) returns void
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
begin
  insert into tag_running_sums
  with days as (
    select m.tag_id, d.day, sum(sum(d.occurrences)) over (partition by m.tag_id order by d.day) as occurrences
    from text_months m, unnest(m.occurrences_by_day) with ordinality as d (occurrences, day)
    where m.tenant_id = tenant and m.month = closing group by m.tag_id, d.day
  ), months as (
    select tag_id, array_agg(occurrences::integer order by day) as days from days group by tag_id
  ), previous as (
    select r.tag_id, r.before + r.days[31] as occurrences from tag_running_sums r
    where r.tenant_id = tenant and r.month = (
      select max(l.month) from tag_running_sums l where l.tenant_id = tenant and l.month < closing)
  )
  select tenant, closing, tag_id, coalesce(p.occurrences, 0), coalesce(m.days, array_fill(0, array[31]))
  from months m full join previous p using (tag_id);
end
$$;

create function close_stations_of_month(closing integer) returns void
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
  first_day constant date := make_date(closing / 12, closing % 12 + 1, 1);
  last_day constant date := first_day + interval '1 month' - interval '1 day';
begin
  -- The first 20 bytes describe the array.
  insert into station_months
  select tenant, closing, s.station_id, string_agg(
    substring(array_send(coalesce(k.alarms, array_fill(0, array[144]))) from 21), ''::bytea order by d.day)
  from (select distinct k.station_id from station_days k
    where k.tenant_id = tenant and k.day between first_day and last_day) s
  cross join (select first_day + n as day from generate_series(0, last_day - first_day) as n) d
  left join station_days k on k.tenant_id = tenant and k.day = d.day and k.station_id = s.station_id
  group by s.station_id;
end
$$;

-- As before, with the new sums. Numbers of occurrences in an ended month do not change any more, so only the sums of
-- reactions and repairs wait for writers of alarms of the tenant.
create or replace function close_month(until integer) returns boolean
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
  closing integer;
begin
  -- One at a time.
  insert into closed_months values (tenant, 0) on conflict (tenant_id) do nothing;
  perform 1 from closed_months where tenant_id = tenant for update;
  select min(m.month) into closing from text_months m where m.tenant_id = tenant and m.month < until
    and m.month >= (select first_open from closed_months c where c.tenant_id = tenant);
  if closing is null then return false; end if;

  perform close_tags_of_month(closing);
  perform close_stations_of_month(closing);
  perform 1 from tenant_counters where tenant_id = tenant for update;
  insert into group_months
  select tenant, closing, k.station_id, k.tag_group_id, k.priority, sum(k.alarms), sum(k.reactions),
    sum(k.reaction_seconds), sum(k.repairs), sum(k.repair_seconds)
  from group_days k where k.tenant_id = tenant
    and k.day >= make_date(closing / 12, closing % 12 + 1, 1)
    and k.day < make_date(closing / 12, closing % 12 + 1, 1) + interval '1 month'
  group by k.station_id, k.tag_group_id, k.priority;

  update closed_months set first_open = closing + 1 where tenant_id = tenant;
  return true;
end
$$;

-- As before, and forgets the new sums too.
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
    where o.tenant_id = tenant group by 1, 2, 3
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
  where o.tenant_id = tenant group by 2, 3, 4, 5;

  with ordered as (
    select o.tag_id, o.raised_at, o.text_id, lag(o.raised_at) over by_tag as previous_at,
      lag(o.raised_at, 2) over by_tag as third_at, lead(o.id) over by_tag is null as is_last
    from occurrences o where o.tenant_id = tenant window by_tag as (partition by o.tag_id order by o.id)
  ), chattering as (
    insert into chatter_days
    select tenant, utc_day(o.raised_at), coalesce(x.station_id, 0), o.tag_id, count(*)
    from ordered o left join texts x on x.tenant_id = tenant and x.id = o.text_id
    where o.raised_at - o.third_at < interval '1 minute' group by 2, 3, 4
  )
  insert into tag_raises select tenant, tag_id, raised_at, previous_at, third_at from ordered where is_last;
end
$$;

-- As before, and with the new sums.
create or replace function delete_sums_before(cut timestamptz) returns void
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
  first_month constant integer := month_of(cut);
  first_year constant integer := first_month / 12;
  kept_bits constant integer := 4095 & (4095 << first_month % 12); -- of the first year
begin
  with deleted as (
    delete from text_months where tenant_id = tenant and month < first_month returning text_id, occurrences
  ), sums as (
    select text_id, sum(occurrences) as occurrences from deleted group by text_id
  )
  update text_totals k set occurrences = k.occurrences - sums.occurrences
  from sums where k.tenant_id = tenant and k.text_id = sums.text_id;

  -- No occurrence refers to these texts any more. A later occurrence with the same text creates it again.
  with deleted as (
    delete from text_totals where tenant_id = tenant and occurrences = 0 returning text_id
  )
  delete from texts x using deleted where x.tenant_id = tenant and x.id = deleted.text_id;
  -- Servers cache texts as long as no other transaction has written the counters: this write makes them read again.
  if found then
    update tenant_counters set seq = seq where tenant_id = tenant;
  end if;

  delete from tag_years
  where tenant_id = tenant and (year < first_year or year = first_year and months & kept_bits = 0);
  update tag_years set months = months & kept_bits
  where tenant_id = tenant and year = first_year and months <> months & kept_bits;

  delete from user_days where tenant_id = tenant and day < (cut at time zone 'UTC')::date;
  delete from user_hours where tenant_id = tenant and hour < cut;
  delete from station_days where tenant_id = tenant and day < utc_day(cut);
  delete from group_days where tenant_id = tenant and day < utc_day(cut);
  delete from chatter_days where tenant_id = tenant and day < utc_day(cut);
  delete from tag_raises where tenant_id = tenant and raised_at < cut;
  delete from group_months where tenant_id = tenant and month < first_month;
  delete from station_months where tenant_id = tenant and month < first_month;
  delete from tag_running_sums where tenant_id = tenant and month < first_month;
  -- A tag whose occurrences are all deleted would have rows for ever.
  delete from tag_running_sums where tenant_id = tenant and tag_id not in (
    select y.tag_id from tag_years y where y.tenant_id = tenant);
  update tag_raises set third_at = null, previous_at = case when previous_at < cut then null else previous_at end
  where tenant_id = tenant and (third_at < cut or previous_at < cut);
end
$$;
