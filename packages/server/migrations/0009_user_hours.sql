-- What users acknowledged, by the hour of the raise (UTC) as well: a day of a plant begins and ends within a day of UTC,
-- and until now every row of such a day was read to say how fast people were.

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
grant select, insert, update, delete on user_hours to tocsin_app;

create function hour_of(at timestamptz) returns timestamptz
  language sql immutable parallel safe
  return date_trunc('hour', at at time zone 'UTC') at time zone 'UTC';

-- As before, but of parts that depend on no setting: only then it is put into the queries that use it, instead of being
-- called for each row. Exact, because times are in milliseconds.
create or replace function shown_seconds(start_at timestamptz, end_at timestamptz) returns bigint
  language sql immutable parallel safe
  return case when end_at >= start_at
    then floor(date_part('epoch', end_at at time zone 'UTC'))::bigint
      - floor(date_part('epoch', start_at at time zone 'UTC'))::bigint else 0 end;

-- Makes the tenant's sums per user anew from the raw rows.
create function rebuild_user_sums() returns void
  language plpgsql as $$
begin
  delete from user_hours where tenant_id = current_tenant();
  delete from user_days where tenant_id = current_tenant();

  insert into user_hours
  select current_tenant(), hour_of(raised_at), ack_user_id, count(*),
    count(*) filter (where acknowledged_at >= raised_at), sum(shown_seconds(raised_at, acknowledged_at)),
    count(*) filter (where reset_at >= acknowledged_at), sum(shown_seconds(acknowledged_at, reset_at)), max(id)
  from occurrences where tenant_id = current_tenant() and ack_user_id is not null
  group by 2, 3;

  insert into user_days
  select current_tenant(), (hour at time zone 'UTC')::date, user_id, sum(acknowledged), sum(reactions),
    sum(reaction_seconds), sum(interventions), sum(intervention_seconds), max(last_occurrence_id)
  from user_hours where tenant_id = current_tenant()
  group by 2, 3;
end
$$;

-- As before, with the hours.
create or replace function rebuild_roll_ups() returns void
  language plpgsql as $$
begin
  perform 1 from heads where tenant_id = current_tenant() for update;
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
      sum(shown_seconds(raised_at, reset_at)) as s
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

-- As before, with the hours.
create or replace function forget_sums_before(cut timestamptz) returns void
  language plpgsql as $$
declare
  tenant constant bigint := current_tenant();
  first_month constant integer := month_of(cut);
  first_year constant integer := first_month / 12;
  kept_bits constant integer := 4095 & (4095 << first_month % 12); -- of the first year
begin
  with gone as (
    delete from text_months where tenant_id = tenant and month < first_month returning text_id, occurrences
  ), sums as (
    select text_id, sum(occurrences) as occurrences from gone group by text_id
  )
  update text_totals k set occurrences = k.occurrences - sums.occurrences
  from sums where k.tenant_id = tenant and k.text_id = sums.text_id;

  -- Nothing points at these texts any more. Should one be said again, it is kept anew.
  with gone as (
    delete from text_totals where tenant_id = tenant and occurrences = 0 returning text_id
  )
  delete from texts x using gone where x.tenant_id = tenant and x.id = gone.text_id;
  -- Servers remember texts as long as nobody else has written the heads.
  if found then
    update heads set seq = seq where tenant_id = tenant;
  end if;

  delete from tag_years
  where tenant_id = tenant and (year < first_year or year = first_year and months & kept_bits = 0);
  update tag_years set months = months & kept_bits
  where tenant_id = tenant and year = first_year and months <> months & kept_bits;

  delete from user_days where tenant_id = tenant and day < (cut at time zone 'UTC')::date;
  delete from user_hours where tenant_id = tenant and hour < cut;
end
$$;

do $$
declare tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    perform 1 from heads where tenant_id = tenant for update;
    perform rebuild_user_sums();
  end loop;
  perform set_config('tocsin.tenant', '', true);
end
$$;
