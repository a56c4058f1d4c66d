-- The server may drop old months, and no others, whatever it asks for: a month that is over for less than a month stays, by
-- the clock of the database. That is the shortest retention there is.
create or replace function drop_old_partitions(keep_from timestamptz) returns date
  language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '1s' as $$
declare
  caller constant text := current_setting('tocsin.tenant', true);
  -- What is before it goes.
  cut timestamptz := date_trunc('month', least(keep_from, clock_timestamp() - interval '1 month'));
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
