-- A batch that was decided on what the one before it will leave: it may be written only if that is what is there.

create function take_heads(tenant bigint, expected text) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  found_version text;
begin
  -- The lock waits for whoever has the heads, and what is read behind it is what they left.
  select h.xmin::text || '/' || h.seq || '/' || h.occurrence_id into found_version
    from heads h where h.tenant_id = tenant for update;
  if found_version is distinct from expected then
    raise exception 'the heads are not those that the batch was decided on' using errcode = 'serialization_failure';
  end if;
end
$$;

-- As before, but for tables that are rewritten rather than grow: to analyze them anew every few seconds cost a tenth of a
-- processor in a storm, found nothing new, and made every connection plan its statements again. Tables that have doubled
-- are looked at at once; all others at most every minute. A small sample tells how large they are; what PostgreSQL does by
-- itself later is thorough.
create or replace function refresh_statistics() returns integer
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

-- What a batch of alarms must know of its surroundings is kept in memory for as long as the version of the directory
-- stays; these are the tables that it is read from and that did not move the version so far.
create trigger moves_call_directory after insert or update or delete on data_servers
  for each statement execute function move_call_directory();
create trigger moves_call_directory after insert or update or delete on media_files
  for each statement execute function move_call_directory();

-- This limit is set by whoever runs the database, who is in no tenant.
create function move_call_directory_of_tenant() returns trigger
  language plpgsql as $$
begin
  insert into call_directories as d (tenant_id, version) values (new.id, 1)
  on conflict (tenant_id) do update set version = d.version + 1;
  return null;
end
$$;
create trigger limits_move_call_directory after update of maximum_mask_seconds on tenants
  for each row execute function move_call_directory_of_tenant();
