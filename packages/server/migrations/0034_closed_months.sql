-- Sums over whole months that have ended, so that the key figures of a year do not read every day and every tag's month.
-- No alarm is raised in an ended month any more, so these sums cost nothing when alarms are written.

-- The first month that is not in these sums. Months count from year 0. Without a row, no month is.
create table closed_months (
  tenant_id  bigint  primary key,
  first_open integer not null
);
call protect_tenant_table('closed_months');

-- Occurrences of a tag per month of the raise (UTC), in closed months.
create table tag_year_alarms (
  tenant_id bigint    not null,
  year      integer   not null,
  tag_id    bigint    not null,
  alarms    integer[] not null, -- 12 numbers
  primary key (tenant_id, year, tag_id)
);
call protect_tenant_table('tag_year_alarms');

-- `group_days`, added up over closed months.
create table group_months (
  tenant_id        bigint  not null,
  month            integer not null,
  station_id       bigint  not null,
  tag_group_id     bigint  not null,
  priority         bigint  not null,
  alarms           integer not null,
  reactions        integer not null,
  reaction_seconds bigint  not null,
  repairs          integer not null,
  repair_seconds   bigint  not null,
  primary key (tenant_id, month, station_id, tag_group_id, priority)
) with (fillfactor = 80);
call protect_tenant_table('group_months');

grant select, insert, update, delete on closed_months, tag_year_alarms, group_months to tocsin_app;

create function month_of_day(day date) returns integer
  language sql immutable parallel safe
  return (date_part('year', day) * 12 + date_part('month', day) - 1)::integer;

-- Adds the oldest open month before `until` to the sums. False if there is none. Waits for writers of alarms of the tenant,
-- because their changes must be counted either here or by their triggers.
create function close_month(until integer) returns boolean
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
  closing integer;
begin
  perform 1 from tenant_counters where tenant_id = tenant for update;
  select min(m.month) into closing from text_months m where m.tenant_id = tenant and m.month < until
    and m.month >= coalesce((select first_open from closed_months c where c.tenant_id = tenant), 0);
  if closing is null then return false; end if;

  insert into tag_year_alarms as kept
  select tenant, closing / 12, m.tag_id,
    array_fill(0, array[closing % 12]) || sum(m.occurrences)::integer || array_fill(0, array[11 - closing % 12])
  from text_months m where m.tenant_id = tenant and m.month = closing group by m.tag_id
  on conflict (tenant_id, year, tag_id) do update set
    alarms[closing % 12 + 1] = excluded.alarms[closing % 12 + 1];

  insert into group_months
  select tenant, closing, k.station_id, k.tag_group_id, k.priority, sum(k.alarms), sum(k.reactions),
    sum(k.reaction_seconds), sum(k.repairs), sum(k.repair_seconds)
  from group_days k where k.tenant_id = tenant
    and k.day >= make_date(closing / 12, closing % 12 + 1, 1)
    and k.day < make_date(closing / 12, closing % 12 + 1, 1) + interval '1 month'
  group by k.station_id, k.tag_group_id, k.priority;

  insert into closed_months as kept values (tenant, closing + 1)
  on conflict (tenant_id) do update set first_open = excluded.first_open;
  return true;
end
$$;

-- As before, and in closed months too.
create or replace function count_changed_occurrences() returns trigger
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
  ), sums as (
    select c.day, coalesce(x.station_id, 0) as station_id, coalesce(x.tag_group_id, 0) as tag_group_id, c.priority,
      sum(c.reacted::integer - c.had_reacted::integer) as reactions, sum(c.reaction_seconds) as reaction_seconds,
      sum(c.repaired::integer - c.had_repaired::integer) as repairs, sum(c.repair_seconds) as repair_seconds
    from changes c left join texts x on x.tenant_id = tenant and x.id = c.text_id
    group by 1, 2, 3, 4
  ), closed as (
    update group_months k set
      reactions = k.reactions + s.reactions,
      reaction_seconds = k.reaction_seconds + s.reaction_seconds,
      repairs = k.repairs + s.repairs,
      repair_seconds = k.repair_seconds + s.repair_seconds
    from (
      select month_of_day(day) as month, station_id, tag_group_id, priority, sum(reactions) as reactions,
        sum(reaction_seconds) as reaction_seconds, sum(repairs) as repairs, sum(repair_seconds) as repair_seconds
      from sums group by 1, 2, 3, 4
    ) s
    where k.tenant_id = tenant and k.month = s.month and k.station_id = s.station_id
      and k.tag_group_id = s.tag_group_id and k.priority = s.priority
  )
  update group_days k set
    reactions = k.reactions + s.reactions,
    reaction_seconds = k.reaction_seconds + s.reaction_seconds,
    repairs = k.repairs + s.repairs,
    repair_seconds = k.repair_seconds + s.repair_seconds
  from sums s
  where k.tenant_id = tenant and k.day = s.day and k.station_id = s.station_id and k.tag_group_id = s.tag_group_id
    and k.priority = s.priority;
  return null;
end
$$;

-- As before, and forgets the sums of closed months, which are built again month by month.
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
  delete from tag_year_alarms where tenant_id = tenant;
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

-- As before, and with the sums of closed months.
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
  delete from tag_year_alarms where tenant_id = tenant and year < first_year;
  update tag_year_alarms set alarms = array_fill(0, array[first_month % 12]) || alarms[first_month % 12 + 1:]
  where tenant_id = tenant and year = first_year and first_month % 12 > 0;
  delete from tag_year_alarms where tenant_id = tenant and year = first_year and alarms = array_fill(0, array[12]);
  update tag_raises set third_at = null, previous_at = case when previous_at < cut then null else previous_at end
  where tenant_id = tenant and (third_at < cut or previous_at < cut);
end
$$;
