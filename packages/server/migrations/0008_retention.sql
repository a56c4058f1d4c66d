-- Old months go by themselves where the installation wants it: they are dropped whole, and the sums forget them in the
-- same transaction, so that histories show what is kept and nothing else.

-- Takes what was raised before `cut`, the start of a month, out of the tenant's sums. Whoever calls it holds the
-- tenant's heads, and sees to it that the occurrences go too.
create function forget_sums_before(cut timestamptz) returns void
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

  delete from tag_years
  where tenant_id = tenant and (year < first_year or year = first_year and months & kept_bits = 0);
  update tag_years set months = months & kept_bits
  where tenant_id = tenant and year = first_year and months <> months & kept_bits;

  delete from user_days where tenant_id = tenant and day < (cut at time zone 'UTC')::date;
end
$$;
revoke all on function forget_sums_before(timestamptz) from public;

-- As before, but a month that has rows in the default partition already keeps them there, instead of stopping the making
-- of all others.
create or replace function make_partitions(at timestamptz, months integer) returns integer
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
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
          first + make_interval(months => step), first + make_interval(months => step + 1));
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

create function monthly_partitions() returns table (partition regclass, month timestamptz)
  language sql stable
  as $$
    select c.oid::regclass, to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC'
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('occurrences'::regclass, 'journal'::regclass) and c.relname ~ '_[0-9]{4}_[0-9]{2}$'
  $$;
revoke all on function monthly_partitions() from public;

-- Drops the oldest month of all, if it is wholly before `keep_from`, and tells which; null when nothing is that old. One
-- month a call, so that whoever writes alarms waits for one only. Months from that of the longest active alarm on stay,
-- so that histories have no holes. Runs with the owner's rights, safe to run from several servers at once; fails when it
-- would have to wait long for others, because new ones would wait for it.
create function drop_old_partitions(keep_from timestamptz) returns date
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '1s' as $$
declare
  caller constant text := current_setting('tocsin.tenant', true);
  cut timestamptz := date_trunc('month', keep_from); -- what is before it goes
  oldest timestamptz;
  dropped date;
  tenant bigint;
  victim regclass;
begin
  perform pg_advisory_xact_lock(7420, 1);
  oldest := (select min(month) from monthly_partitions());
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    cut := least(cut, date_trunc('month',
      (select min(raised_at) from alarms where tenant_id = tenant and state <> 0 and state & 1 = 1)));
    oldest := least(oldest, date_trunc('month', least(
      (select min(raised_at) from occurrences_default where tenant_id = tenant),
      (select at from journal_default where tenant_id = tenant order by seq limit 1))));
  end loop;

  if oldest < cut then
    dropped := oldest;
    cut := oldest + interval '1 month';
    for tenant in select tenant_ids() loop
      perform set_config('tocsin.tenant', tenant::text, true);
      perform 1 from heads where tenant_id = tenant for update;
      perform forget_sums_before(cut);
      delete from occurrences_default where tenant_id = tenant and raised_at < cut;
      delete from journal_default where tenant_id = tenant and at < cut;
    end loop;
    -- Last, because from here on readers wait too.
    lock table only occurrences, only journal in access exclusive mode;
    for victim in select partition from monthly_partitions() where month < cut loop
      execute format('drop table %s', victim);
    end loop;
  end if;

  perform set_config('tocsin.tenant', coalesce(caller, ''), true);
  return dropped;
end
$$;
revoke all on function drop_old_partitions(timestamptz) from public;
grant execute on function drop_old_partitions(timestamptz) to tocsin_app;
