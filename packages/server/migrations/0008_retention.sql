-- Retention: monthly partitions, their removal together with their sums, and planner statistics. The functions for
-- partitions run with the rights of the owner and can be called by several servers at the same time.

-- Creates the monthly partitions from the month of `at` to `months` later. A month that already has rows in the default
-- partition is left there, so that it does not prevent the creation of the others.
create function make_partitions(at timestamptz, months integer) returns integer
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
revoke all on function make_partitions(timestamptz, integer) from public;
grant execute on function make_partitions(timestamptz, integer) to tocsin_app;

create function monthly_partitions() returns table (partition regclass, month timestamptz)
  language sql stable
  as $$
    select c.oid::regclass, to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC'
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('occurrences'::regclass, 'journal'::regclass) and c.relname ~ '_[0-9]{4}_[0-9]{2}$'
  $$;
revoke all on function monthly_partitions() from public;

-- Subtracts the occurrences raised before `cut`, the start of a month, from the tenant's sums. The caller holds the lock
-- of the tenant's counters and deletes the occurrences in the same transaction.
create function delete_sums_before(cut timestamptz) returns void
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
end
$$;
revoke all on function delete_sums_before(timestamptz) from public;

-- Drops the oldest month if it ends before `keep_from`, and returns it; null when no month is that old. A call drops one
-- month only, so that writers of alarms wait for a short time. It keeps
--   * months that ended less than a month ago by the clock of the database, whatever the caller asks for, and
--   * the month of the oldest active alarm and all later ones, so that histories have no holes.
-- Fails when it would have to wait long for a lock, because others would queue behind it.
create function drop_old_partitions(keep_from timestamptz) returns date
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '1s' as $$
declare
  caller_tenant constant text := current_setting('tocsin.tenant', true);
  -- Rows before this time are deleted.
  cut timestamptz := date_trunc('month', least(keep_from, clock_timestamp() - interval '1 month'));
  oldest timestamptz;
  dropped date;
  tenant bigint;
  old_partition regclass;
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
      perform 1 from tenant_counters where tenant_id = tenant for update;
      perform delete_sums_before(cut);
      delete from occurrences_default where tenant_id = tenant and raised_at < cut;
      delete from journal_default where tenant_id = tenant and at < cut;
    end loop;
    -- This lock comes last, because it blocks readers too.
    lock table only occurrences, only journal in access exclusive mode;
    for old_partition in select partition from monthly_partitions() where month < cut loop
      execute format('drop table %s', old_partition);
    end loop;
  end if;

  perform set_config('tocsin.tenant', coalesce(caller_tenant, ''), true);
  return dropped;
end
$$;
revoke all on function drop_old_partitions(timestamptz) from public;
grant execute on function drop_old_partitions(timestamptz) to tocsin_app;

-- Returns the time from which the current tenant's histories are kept: `keep_from` in whole months, or the oldest month
-- that exists. Calls and commands of a month that could not be dropped yet are kept with it.
create function histories_kept_from(keep_from timestamptz) returns timestamptz
  language sql stable security definer set search_path = public, pg_temp set timezone = 'UTC'
  as $$
    select least(
      date_trunc('month', keep_from),
      (select min(month) from monthly_partitions()),
      date_trunc('month', (select min(raised_at) from occurrences_default where tenant_id = current_tenant())),
      date_trunc('month', (select at from journal_default where tenant_id = current_tenant() order by seq limit 1)))
  $$;
revoke all on function histories_kept_from(timestamptz) from public;
grant execute on function histories_kept_from(timestamptz) to tocsin_app;

-- Analyzes tables that have changed much since they were last analyzed. Autovacuum does so every minute at most, and the
-- planner misjudges a new table or partition until then. Tables that have doubled are analyzed at once, all others at
-- most every minute, because tables with many updates would be analyzed every few seconds, and each time all connections
-- would plan their statements again. A small sample is enough to estimate the size; autovacuum is thorough later.
create function refresh_statistics() returns integer
  language plpgsql security definer set search_path = public, pg_temp set default_statistics_target = 10 as $$
declare
  stale text;
  refreshed integer := 0;
begin
  for stale in
    select format('%I.%I', s.schemaname, s.relname) from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = 'public' and s.n_mod_since_analyze > 500 + s.n_live_tup / 5
      and (s.n_live_tup > 2 * c.reltuples
        or coalesce(greatest(s.last_analyze, s.last_autoanalyze), '-infinity') < now() - interval '1 minute')
  loop
    execute 'analyze ' || stale;
    refreshed := refreshed + 1;
  end loop;
  return refreshed;
end
$$;
revoke all on function refresh_statistics() from public;
grant execute on function refresh_statistics() to tocsin_app;
