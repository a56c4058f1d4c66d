-- Sums for the key figures of the alarm system (ISA-18.2): alarms per ten minutes, per tag group and priority, and
-- chattering. Triggers write them in the transaction of each occurrence, so that they are right while an older release,
-- which does not know them, still writes alarms beside this one.

-- Occurrences per station and day of the raise (UTC), for each ten minutes of the day. Station 0 stands for all of them.
create table station_days (
  tenant_id  bigint    not null,
  day        date      not null,
  station_id bigint    not null,
  alarms     integer[] not null, -- 144 numbers
  primary key (tenant_id, day, station_id)
) with (fillfactor = 60);
call protect_tenant_table('station_days');

-- Occurrences per day of the raise (UTC), station, tag group (0: none) and priority. A reaction is the time until
-- somebody acknowledged, a repair the time until the reset.
create table group_days (
  tenant_id        bigint  not null,
  day              date    not null,
  station_id       bigint  not null,
  tag_group_id     bigint  not null,
  priority         bigint  not null,
  alarms           integer not null,
  reactions        integer not null,
  reaction_seconds bigint  not null,
  repairs          integer not null,
  repair_seconds   bigint  not null,
  primary key (tenant_id, day, station_id, tag_group_id, priority)
) with (fillfactor = 60);
call protect_tenant_table('group_days');

-- Occurrences that were at least the third raise of their tag within a minute, per day of the raise (UTC).
create table chatter_days (
  tenant_id  bigint  not null,
  day        date    not null,
  station_id bigint  not null,
  tag_id     bigint  not null,
  alarms     integer not null,
  primary key (tenant_id, day, station_id, tag_id)
) with (fillfactor = 60);
call protect_tenant_table('chatter_days');

-- The last three raises of each tag, to recognize three within a minute.
create table tag_raises (
  tenant_id   bigint      not null,
  tag_id      bigint      not null,
  raised_at   timestamptz not null,
  previous_at timestamptz,
  third_at    timestamptz,
  primary key (tenant_id, tag_id)
) with (fillfactor = 60);
call protect_tenant_table('tag_raises');

grant select, insert, update, delete on station_days, group_days, chatter_days, tag_raises to tocsin_app;

create function utc_day(at timestamptz) returns date
  language sql immutable parallel safe
  return (at at time zone 'UTC')::date;

-- Numbers the ten minutes of a day (UTC) from 1 to 144.
create function ten_minutes_of(at timestamptz) returns integer
  language sql immutable parallel safe
  return (date_part('hour', at at time zone 'UTC') * 6 + floor(date_part('minute', at at time zone 'UTC') / 10) + 1)::integer;

-- Counts new occurrences. A batch has one time of the raise, so that the loop has few steps.
create function count_new_occurrences() returns trigger
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
  counted record;
begin
  for counted in
    select utc_day(o.raised_at) as day, ten_minutes_of(o.raised_at) as part, coalesce(x.station_id, 0) as station_id,
      count(*)::integer as alarms, grouping(x.station_id) = 1 as is_total
    from added o left join texts x on x.tenant_id = tenant and x.id = o.text_id
    group by grouping sets ((1, 2, x.station_id), (1, 2))
  loop
    -- Occurrences without a station are in the row of all stations only.
    continue when not counted.is_total and counted.station_id = 0;
    update station_days set alarms[counted.part] = alarms[counted.part] + counted.alarms
    where tenant_id = tenant and day = counted.day and station_id = counted.station_id;
    if not found then
      insert into station_days values (tenant, counted.day, counted.station_id,
        array_fill(0, array[counted.part - 1]) || counted.alarms || array_fill(0, array[144 - counted.part]));
    end if;
  end loop;

  insert into group_days as kept
  select tenant, utc_day(o.raised_at), coalesce(x.station_id, 0), coalesce(x.tag_group_id, 0), o.priority, count(*),
    count(*) filter (where o.acknowledged_at >= o.raised_at),
    sum(whole_seconds_between(o.raised_at, o.acknowledged_at)),
    count(*) filter (where o.reset_at >= o.raised_at), sum(whole_seconds_between(o.raised_at, o.reset_at))
  from added o left join texts x on x.tenant_id = tenant and x.id = o.text_id
  group by 2, 3, 4, 5
  on conflict (tenant_id, day, station_id, tag_group_id, priority) do update set
    alarms = kept.alarms + excluded.alarms,
    reactions = kept.reactions + excluded.reactions,
    reaction_seconds = kept.reaction_seconds + excluded.reaction_seconds,
    repairs = kept.repairs + excluded.repairs,
    repair_seconds = kept.repair_seconds + excluded.repair_seconds;

  -- A tag is seldom raised twice in a batch, and only then its raises are looked at one by one.
  if exists (select from added group by tag_id having count(*) > 1) then
    with earlier as (
      select tag_id, raised_at, previous_at, null::bigint as text_id
      from tag_raises where tenant_id = tenant and tag_id in (select tag_id from added)
    ), raises as (
      select tag_id, previous_at as raised_at, -1::bigint as id, text_id from earlier where previous_at is not null
      union all select tag_id, raised_at, 0, text_id from earlier
      union all select tag_id, raised_at, id, text_id from added
    ), ordered as (
      select *, lag(raised_at) over by_tag as previous_at, lag(raised_at, 2) over by_tag as third_at,
        lead(id) over by_tag is null as is_last
      from raises window by_tag as (partition by tag_id order by id)
    ), chattering as (
      insert into chatter_days as kept
      select tenant, utc_day(o.raised_at), coalesce(x.station_id, 0), o.tag_id, count(*)
      from ordered o left join texts x on x.tenant_id = tenant and x.id = o.text_id
      where o.id > 0 and o.raised_at - o.third_at < interval '1 minute'
      group by 2, 3, 4
      on conflict (tenant_id, day, station_id, tag_id) do update set alarms = kept.alarms + excluded.alarms
    )
    insert into tag_raises as kept select tenant, tag_id, raised_at, previous_at, third_at from ordered where is_last
    on conflict (tenant_id, tag_id) do update set
      raised_at = excluded.raised_at, previous_at = excluded.previous_at, third_at = excluded.third_at;
  else
    with raised as (
      insert into tag_raises as kept select tenant, tag_id, raised_at from added
      on conflict (tenant_id, tag_id) do update set
        raised_at = excluded.raised_at, previous_at = kept.raised_at, third_at = kept.previous_at
      returning kept.tag_id, kept.raised_at, kept.third_at
    )
    insert into chatter_days as kept
    select tenant, utc_day(r.raised_at), coalesce(x.station_id, 0), r.tag_id, 1
    from raised r join added o on o.tag_id = r.tag_id
    left join texts x on x.tenant_id = tenant and x.id = o.text_id
    where r.raised_at - r.third_at < interval '1 minute'
    on conflict (tenant_id, day, station_id, tag_id) do update set alarms = kept.alarms + excluded.alarms;
  end if;
  return null;
end
$$;

-- Counts acknowledgments and resets. What an occurrence belongs to never changes.
create function count_changed_occurrences() returns trigger
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
begin
  with changes as (
    select utc_day(n.raised_at) as day, n.text_id, n.priority,
      (n.acknowledged_at >= n.raised_at) is true as reacted, (o.acknowledged_at >= o.raised_at) is true as had_reacted,
      whole_seconds_between(n.raised_at, n.acknowledged_at) - whole_seconds_between(o.raised_at, o.acknowledged_at)
        as reaction_seconds,
      (n.reset_at >= n.raised_at) is true as repaired, (o.reset_at >= o.raised_at) is true as had_repaired,
      whole_seconds_between(n.raised_at, n.reset_at) - whole_seconds_between(o.raised_at, o.reset_at) as repair_seconds
    from after_change n join before_change o on o.id = n.id
    where n.acknowledged_at is distinct from o.acknowledged_at or n.reset_at is distinct from o.reset_at
  )
  update group_days k set
    reactions = k.reactions + s.reactions,
    reaction_seconds = k.reaction_seconds + s.reaction_seconds,
    repairs = k.repairs + s.repairs,
    repair_seconds = k.repair_seconds + s.repair_seconds
  from (
    select c.day, coalesce(x.station_id, 0) as station_id, coalesce(x.tag_group_id, 0) as tag_group_id, c.priority,
      sum(c.reacted::integer - c.had_reacted::integer) as reactions, sum(c.reaction_seconds) as reaction_seconds,
      sum(c.repaired::integer - c.had_repaired::integer) as repairs, sum(c.repair_seconds) as repair_seconds
    from changes c left join texts x on x.tenant_id = tenant and x.id = c.text_id
    group by 1, 2, 3, 4
  ) s
  where k.tenant_id = tenant and k.day = s.day and k.station_id = s.station_id and k.tag_group_id = s.tag_group_id
    and k.priority = s.priority;
  return null;
end
$$;

create trigger count_new_occurrences after insert on occurrences
  referencing new table as added for each statement execute function count_new_occurrences();
create trigger count_changed_occurrences after update on occurrences
  referencing old table as before_change new table as after_change
  for each statement execute function count_changed_occurrences();

-- Rebuilds the tenant's sums for key figures from the occurrences.
create function rebuild_kpi_sums() returns void
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
begin
  delete from station_days where tenant_id = tenant;
  delete from group_days where tenant_id = tenant;
  delete from chatter_days where tenant_id = tenant;
  delete from tag_raises where tenant_id = tenant;

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

-- As before, and with the sums for key figures.
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
        where tenant_id = current_tenant()) k
  cross join generate_series(1, 31) as day
  left join (
    select month_of(raised_at) as month, tag_id, text_id, day_of_month(raised_at) as day, count(*) as n,
      sum(whole_seconds_between(raised_at, reset_at)) as s
    from occurrences where tenant_id = current_tenant() group by 1, 2, 3, 4
  ) x using (month, tag_id, text_id, day)
  group by k.month, k.tag_id, k.text_id;

  insert into text_totals
  select current_tenant(), text_id, count(*) from occurrences where tenant_id = current_tenant() group by text_id;

  insert into tag_years
  select current_tenant(), month / 12, tag_id, bit_or(1 << (month % 12))
  from text_months where tenant_id = current_tenant() group by 2, 3;

  perform rebuild_user_sums();
  perform rebuild_kpi_sums();
end
$$;

-- As before, and with the sums for key figures.
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
  update tag_raises set third_at = null, previous_at = case when previous_at < cut then null else previous_at end
  where tenant_id = tenant and (third_at < cut or previous_at < cut);
end
$$;

-- The occurrences that are there already.
do $$
declare
  tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    perform rebuild_kpi_sums();
  end loop;
  perform set_config('tocsin.tenant', '', true);
end
$$;
