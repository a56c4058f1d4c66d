-- Reads of the journal by number that plan and lock only the months they need. The journal is partitioned by time, so that a
-- number alone says nothing about its month, and a plan over all months took tens of milliseconds after five years. Numbers
-- and times of a tenant rise together: the month of a number is found from the newest month backwards. The months are
-- constants of statements that are built for them, because a plan with parameters locks every partition.
set local lock_timeout = '2s';

-- Where the histories of a tenant begin. Occurrences before it are in no history and in no sum; they remain until their month
-- is dropped, those of active alarms until these are reset. Without a row, histories begin with the first occurrence.
create table history_starts (
  tenant_id bigint      primary key,
  starts_at timestamptz not null, -- of a month (UTC)
  is_swept  boolean     not null  -- whether all sums before it are deleted
);
call protect_tenant_table('history_starts');
grant select, insert, update, delete on history_starts to tocsin_app;
create policy cross_tenant_reads on history_starts for select to tocsin_cross_tenant using (true);
grant select (tenant_id, starts_at, is_swept) on history_starts to tocsin_cross_tenant;

create function history_start() returns timestamptz
  language sql stable parallel safe
  return coalesce((select starts_at from history_starts where tenant_id = current_tenant()), '-infinity');

create function oldest_journal_month() returns timestamptz
  language sql stable
  as $$
    select min(to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.journal'::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$'
  $$;

-- The month of the tenant's entry with this number, or an earlier one if the number was never given out; before all months
-- with a partition it is `-infinity`.
create function journal_month_of(tenant bigint, wanted bigint) returns timestamptz
  language plpgsql stable set timezone = 'UTC' as $$
declare
  month timestamptz := date_trunc('month', (select c.last_at from tenant_counters c where c.tenant_id = tenant));
  oldest timestamptz;
  first_seq bigint;
begin
  loop
    execute format('select seq from journal where tenant_id = $1 and at >= %L and at < %L order by seq limit 1',
      month, month + interval '1 month') into first_seq using tenant;
    if first_seq <= wanted then return month; end if;
    oldest := coalesce(oldest, oldest_journal_month(), month);
    if month <= oldest then return '-infinity'; end if;
    month := month - interval '1 month';
  end loop;
end
$$;

-- The current tenant's entries after this number, in order, and not more than `most`.
create function journal_after(after bigint, most integer) returns setof journal
  language plpgsql stable rows 256 set timezone = 'UTC' as $$
declare
  tenant constant bigint := current_tenant();
  last_month constant timestamptz :=
    date_trunc('month', (select c.last_at from tenant_counters c where c.tenant_id = tenant));
  found_month constant timestamptz := journal_month_of(tenant, after + 1);
  -- Before the start of the histories there are only entries of alarms that are still active, with gaps between them.
  since timestamptz := greatest(found_month, history_start());
  month timestamptz := case when isfinite(found_month) then found_month
    else coalesce(oldest_journal_month(), last_month) end;
  remaining integer := most;
  found_rows integer;
begin
  loop
    return query execute format(
      'select * from journal where tenant_id = $1 and seq > $2 and at >= %L and at < %L order by seq limit $3',
      since, month + interval '1 month') using tenant, after, remaining;
    get diagnostics found_rows = row_count;
    remaining := remaining - found_rows;
    month := month + interval '1 month';
    since := greatest(since, month);
    exit when remaining <= 0 or month > last_month or last_month is null;
  end loop;
end
$$;

-- The number of the current tenant's first entry from this time on; null if it has none.
create function first_journal_seq_since(earliest timestamptz) returns bigint
  language plpgsql stable set timezone = 'UTC' as $$
declare
  tenant constant bigint := current_tenant();
  last_month constant timestamptz :=
    date_trunc('month', (select c.last_at from tenant_counters c where c.tenant_id = tenant));
  since timestamptz := earliest;
  month timestamptz := case when isfinite(earliest) then date_trunc('month', earliest)
    else coalesce(oldest_journal_month(), last_month) end;
  found_seq bigint;
begin
  loop
    execute format('select seq from journal where tenant_id = $1 and at >= %L and at < %L order by seq limit 1',
      since, month + interval '1 month') into found_seq using tenant;
    month := month + interval '1 month';
    since := greatest(since, month);
    exit when found_seq is not null or month > last_month or last_month is null;
  end loop;
  return found_seq;
end
$$;

-- The number of the current tenant's oldest entry since the start of its histories; null if it has none. Numbers begin with 1,
-- so that nothing is before that one; it is looked for from the creation of the tenant on, which spares the months before.
create function oldest_journal_seq() returns bigint
  language plpgsql stable as $$
declare
  created timestamptz;
  found_seq bigint;
begin
  if not isfinite(history_start()) then
    created := (select t.created_at from tenants t where t.id = current_tenant());
    found_seq := first_journal_seq_since(date_trunc('month', created, 'UTC'));
    if found_seq = 1 then return 1; end if;
  end if;
  return first_journal_seq_since(history_start());
end
$$;

-- The time of the tenant's entry with this number; null if there is none.
create function journal_time_of(tenant bigint, wanted bigint) returns timestamptz
  language plpgsql stable set timezone = 'UTC' as $$
declare
  since constant timestamptz := journal_month_of(tenant, wanted);
  month constant timestamptz := case when isfinite(since) then since else oldest_journal_month() end;
  found_at timestamptz;
begin
  execute format('select at from journal where tenant_id = $1 and seq = $2 and at >= %L and at < %L limit 1',
    since, coalesce(month + interval '1 month', 'infinity')) into found_at using tenant, wanted;
  return found_at;
end
$$;

-- As before, with one statement for each month of the known times. An entry that is not found at its time is looked up by
-- its number.
grant select (last_at) on tenant_counters to tocsin_cross_tenant;
create or replace function journal_positions(tenant_ids bigint[], known_seqs bigint[], known_times timestamptz[])
  returns table (tenant_id bigint, seq bigint, known_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
#variable_conflict use_column
declare
  month timestamptz;
  ids_of_month bigint[];
  times_of_month timestamptz[];
  found_ids bigint[];
  found_times timestamptz[];
begin
  for month in select distinct date_trunc('month', k.at) from unnest(known_times) as k(at) where k.at is not null loop
    execute format($statement$
      select array_agg(k.tenant_id), array_agg(j.at) from unnest($1, $2, $3) as k(tenant_id, seq, at)
      cross join lateral (select j.at from journal j where j.tenant_id = k.tenant_id and j.seq = k.seq and j.at >= k.at
        and j.at < k.at + interval '1 millisecond' and j.at >= %1$L and j.at < %2$L limit 1) j
      where k.at >= %1$L and k.at < %2$L $statement$, month, month + interval '1 month')
      into ids_of_month, times_of_month using tenant_ids, known_seqs, known_times;
    found_ids := found_ids || ids_of_month;
    found_times := found_times || times_of_month;
  end loop;
  return query
    select c.tenant_id, c.seq, coalesce(f.at, journal_time_of(k.tenant_id, k.seq))
    from unnest(tenant_ids, known_seqs) as k(tenant_id, seq)
    join tenant_counters c on c.tenant_id = k.tenant_id
    left join unnest(found_ids, found_times) as f(tenant_id, at) on f.tenant_id = k.tenant_id;
end
$$;
