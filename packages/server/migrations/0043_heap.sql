-- Room for new versions of rows in their own page, where PostgreSQL writes them without touching an index.
set local lock_timeout = '1s';

do $$
declare
  partition regclass;
begin
  for partition in select inhrelid::regclass from pg_inherits where inhparent = 'occurrences'::regclass loop
    execute format('alter table %s set (fillfactor = 70)', partition);
  end loop;
end
$$;

-- As before; occurrences are acknowledged, repeated and reset, entries of the journal never change.
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
        execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)', child, parent,
          first + make_interval(months => step), first + make_interval(months => step + 1),
          case parent when 'occurrences' then 70 else 100 end);
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
