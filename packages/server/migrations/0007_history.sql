-- Roll-ups of the history: sums that are written in the transaction of each occurrence. Statistics over millions of
-- occurrences read these sums, and single occurrences only at the edges of a period. Sums are kept per text, because a
-- filter of the history selects texts.

-- Occurrences per text and month of the raise (UTC), in total and per day. `month` counts from year 0. The seconds are
-- those of occurrences that were reset; active alarms are in `alarms`.
create table text_months (
  tenant_id          bigint    not null,
  month              integer   not null,
  tag_id             bigint    not null,
  text_id            bigint    not null,
  occurrences        integer   not null,
  seconds            bigint    not null,
  occurrences_by_day integer[] not null, -- 31 numbers
  seconds_by_day     bigint[]  not null,
  primary key (tenant_id, month, tag_id, text_id)
) with (fillfactor = 60);
call protect_tenant_table('text_months');

-- Occurrences per text, of all months.
create table text_totals (
  tenant_id   bigint not null,
  text_id     bigint not null,
  occurrences bigint not null,
  primary key (tenant_id, text_id)
) with (fillfactor = 60);
call protect_tenant_table('text_totals');

-- The months of a year in which a tag had occurrences, as bits.
create table tag_years (
  tenant_id bigint  not null,
  year      integer not null,
  tag_id    bigint  not null,
  months    integer not null,
  primary key (tenant_id, year, tag_id)
) with (fillfactor = 80);
call protect_tenant_table('tag_years');

-- Acknowledgements per user and day of the raise (UTC). User 0 is the server itself, or a machine.
create table user_days (
  tenant_id            bigint  not null,
  day                  date    not null,
  user_id              bigint  not null,
  acknowledged         integer not null,
  reactions            integer not null,
  reaction_seconds     bigint  not null,
  interventions        integer not null,
  intervention_seconds bigint  not null,
  last_occurrence_id   bigint  not null,
  primary key (tenant_id, day, user_id)
) with (fillfactor = 60);
call protect_tenant_table('user_days');

-- Acknowledgements per user and hour of the raise (UTC), for the hours at the edges of a period in local time.
create table user_hours (
  tenant_id            bigint      not null,
  hour                 timestamptz not null, -- its start
  user_id              bigint      not null,
  acknowledged         integer     not null,
  reactions            integer     not null,
  reaction_seconds     bigint      not null,
  interventions        integer     not null,
  intervention_seconds bigint      not null,
  last_occurrence_id   bigint      not null,
  primary key (tenant_id, hour, user_id)
) with (fillfactor = 60);
call protect_tenant_table('user_hours');

grant select, insert, update, delete on text_months, text_totals, tag_years, user_days, user_hours to tocsin_app;

create function month_of(at timestamptz) returns integer
  language sql immutable parallel safe
  return (extract(year from at at time zone 'UTC') * 12 + extract(month from at at time zone 'UTC') - 1)::integer;

create function day_of_month(at timestamptz) returns integer
  language sql immutable parallel safe
  return extract(day from at at time zone 'UTC')::integer;

create function hour_of(at timestamptz) returns timestamptz
  language sql immutable parallel safe
  return date_trunc('hour', at at time zone 'UTC') at time zone 'UTC';

-- Returns the difference of two times that are cut to whole seconds, as the interface shows them; 0 when the end is
-- missing or before the start. Uses no function that depends on a setting, because PostgreSQL inlines it only then. The
-- result is exact, because times are in milliseconds.
create function whole_seconds_between(start_at timestamptz, end_at timestamptz) returns bigint
  language sql immutable parallel safe
  return case when end_at >= start_at
    then floor(date_part('epoch', end_at at time zone 'UTC'))::bigint
      - floor(date_part('epoch', start_at at time zone 'UTC'))::bigint else 0 end;

-- Returns 31 numbers: the amount on one day, 0 on all others.
create function daily_values(day integer, amount bigint) returns bigint[]
  language plpgsql immutable parallel safe as $$
declare result bigint[] := array_fill(0::bigint, array[31]);
begin
  result[day] := amount;
  return result;
end
$$;

-- Adds two lists of 31 numbers day by day.
create function add_daily_values(one bigint[], other bigint[]) returns bigint[]
  language plpgsql immutable parallel safe as $$
begin
  for day in 1..31 loop
    one[day] := one[day] + other[day];
  end loop;
  return one;
end
$$;

-- Rebuilds the tenant's sums per user from the occurrences.
create function rebuild_user_sums() returns void
  language plpgsql as $$
begin
  delete from user_hours where tenant_id = current_tenant();
  delete from user_days where tenant_id = current_tenant();

  insert into user_hours
  select current_tenant(), hour_of(raised_at), ack_user_id, count(*),
    count(*) filter (where acknowledged_at >= raised_at), sum(whole_seconds_between(raised_at, acknowledged_at)),
    count(*) filter (where reset_at >= acknowledged_at), sum(whole_seconds_between(acknowledged_at, reset_at)), max(id)
  from occurrences where tenant_id = current_tenant() and ack_user_id is not null
  group by 2, 3;

  insert into user_days
  select current_tenant(), (hour at time zone 'UTC')::date, user_id, sum(acknowledged), sum(reactions),
    sum(reaction_seconds), sum(interventions), sum(intervention_seconds), max(last_occurrence_id)
  from user_hours where tenant_id = current_tenant()
  group by 2, 3;
end
$$;

-- Rebuilds all sums of the tenant from the occurrences: for repairs, and after occurrences were imported.
create function rebuild_roll_ups() returns void
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
end
$$;
