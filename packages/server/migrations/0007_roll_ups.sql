-- Histories that do not grow slower: what is asked of millions of occurrences is answered from sums that are kept
-- while they are written, in the same transaction, and from few raw rows at the edges of a period.
--
-- What can be filtered by and does not change after the raise (tag, station, data server, tag group, call groups,
-- words) is in `texts`: a filter picks texts, and the sums are kept per text. Times rise with identifiers.

-- The time of the tenant's last change: the next one is never before it, whatever the clock does.
alter table heads add column last_at timestamptz not null default '-infinity';

alter table texts
  add column station_id     bigint,
  add column data_server_id bigint,
  add column tag_group_id   bigint,
  add column call_group_ids bigint[] not null default '{}';

do $$
declare tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    update texts x set station_id = o.station_id, data_server_id = o.data_server_id, tag_group_id = o.tag_group_id,
      call_group_ids = o.call_group_ids
    from occurrences o where x.tenant_id = tenant and o.tenant_id = tenant and o.text_id = x.id;
  end loop;
end
$$;

drop index occurrences_tag, occurrences_text;
alter table occurrences
  drop column station_id, drop column data_server_id, drop column tag_group_id, drop column call_group_ids;
drop index occurrences_time;
create index occurrences_time on occurrences (tenant_id, raised_at, id);
create index occurrences_text on occurrences (text_id, tenant_id, id);
create index occurrences_user on occurrences (ack_user_id, tenant_id, id) where ack_user_id is not null;

-- Occurrences per text and month of the raise (UTC), and in each of its days. `month` counts from year 0. Seconds are
-- those of the occurrences that were reset; what is still active is found in `alarms`.
create table text_months (
  tenant_id      bigint   not null,
  month          integer  not null,
  tag_id         bigint   not null,
  text_id        bigint   not null,
  occurrences    integer  not null,
  seconds        bigint   not null,
  occurrences_on integer[] not null, -- by day, 31 of them
  seconds_on     bigint[] not null,
  primary key (tenant_id, month, tag_id, text_id)
) with (fillfactor = 60);
call protect_tenant_table('text_months');

-- Occurrences per text, of all time.
create table text_totals (
  tenant_id   bigint not null,
  text_id     bigint not null,
  occurrences bigint not null,
  primary key (tenant_id, text_id)
) with (fillfactor = 60);
call protect_tenant_table('text_totals');

-- In which months of a year a tag had occurrences, as bits.
create table tag_years (
  tenant_id bigint  not null,
  year      integer not null,
  tag_id    bigint  not null,
  months    integer not null,
  primary key (tenant_id, year, tag_id)
) with (fillfactor = 80);
call protect_tenant_table('tag_years');

-- What users acknowledged, by the day of the raise. User 0 is the server itself, or a machine.
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

grant select, insert, update, delete on text_months, text_totals, tag_years, user_days to tocsin_app;

create function month_of(at timestamptz) returns integer
  language sql immutable parallel safe
  return (extract(year from at at time zone 'UTC') * 12 + extract(month from at at time zone 'UTC') - 1)::integer;

create function day_of_month(at timestamptz) returns integer
  language sql immutable parallel safe
  return extract(day from at at time zone 'UTC')::integer;

-- Whole seconds between two times as they are shown, 0 when there is no end or it lies before the start.
create function shown_seconds(start_at timestamptz, end_at timestamptz) returns bigint
  language sql immutable parallel safe
  return case when end_at >= start_at
    then (floor(extract(epoch from end_at)) - floor(extract(epoch from start_at)))::bigint else 0 end;

-- A number on one day of a month, none on the others.
create function on_day(day integer, amount bigint) returns bigint[]
  language plpgsql immutable parallel safe as $$
declare result bigint[] := array_fill(0::bigint, array[31]);
begin
  result[day] := amount;
  return result;
end
$$;

-- Adds two lists day by day.
create function add_days(one bigint[], other bigint[]) returns bigint[]
  language plpgsql immutable parallel safe as $$
begin
  for day in 1..31 loop
    one[day] := one[day] + other[day];
  end loop;
  return one;
end
$$;

-- Makes the tenant's sums anew from the raw rows: for repair, and after rows were loaded by other means.
create function rebuild_roll_ups() returns void
  language plpgsql as $$
begin
  perform 1 from heads where tenant_id = current_tenant() for update;
  delete from text_months where tenant_id = current_tenant();
  delete from text_totals where tenant_id = current_tenant();
  delete from tag_years where tenant_id = current_tenant();
  delete from user_days where tenant_id = current_tenant();

  insert into text_months
  select current_tenant(), k.month, k.tag_id, k.text_id, sum(coalesce(x.n, 0)), sum(coalesce(x.s, 0)),
    array_agg(coalesce(x.n, 0) order by day), array_agg(coalesce(x.s, 0) order by day)
  from (select distinct month_of(raised_at) as month, tag_id, text_id from occurrences
        where tenant_id = current_tenant()) k
  cross join generate_series(1, 31) as day
  left join (
    select month_of(raised_at) as month, tag_id, text_id, day_of_month(raised_at) as day, count(*) as n,
      sum(shown_seconds(raised_at, reset_at)) as s
    from occurrences where tenant_id = current_tenant() group by 1, 2, 3, 4
  ) x using (month, tag_id, text_id, day)
  group by k.month, k.tag_id, k.text_id;

  insert into text_totals
  select current_tenant(), text_id, count(*) from occurrences where tenant_id = current_tenant() group by text_id;

  insert into tag_years
  select current_tenant(), month / 12, tag_id, bit_or(1 << (month % 12))
  from text_months where tenant_id = current_tenant() group by 2, 3;

  insert into user_days
  select current_tenant(), (raised_at at time zone 'UTC')::date, ack_user_id, count(*),
    count(*) filter (where acknowledged_at >= raised_at), sum(shown_seconds(raised_at, acknowledged_at)),
    count(*) filter (where reset_at >= acknowledged_at), sum(shown_seconds(acknowledged_at, reset_at)), max(id)
  from occurrences where tenant_id = current_tenant() and ack_user_id is not null
  group by 2, 3;
end
$$;

do $$
declare tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    perform rebuild_roll_ups();
  end loop;
  perform set_config('tocsin.tenant', '', true);
end
$$;
