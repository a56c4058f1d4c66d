-- As before, by one server at a time: two analyzed the same tables one after the other, on both processors of a small machine.
set local lock_timeout = '1s';
create or replace function refresh_statistics() returns integer
  language plpgsql security definer set search_path = public, pg_temp set default_statistics_target = 10 as $$
declare
  stale text;
  refreshed integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('refresh_statistics', 0)) then
    return 0;
  end if;
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
