-- Dispatchers ask these functions several times a second, mostly for nothing. PostgreSQL plans the statements of a function in SQL
-- at each call, and those of PL/pgSQL whenever a plan for the values of the call looks cheaper than one for all values. That took
-- longer than looking. A plan for all values must use the indexes: it does not know how few of thousands of waiting escalations
-- are due.
set local lock_timeout = '1s';

do $$
declare
  polled text;
begin
  foreach polled in array array[
    'claim_escalations(integer, timestamptz, timestamptz)',
    'claim_attempts(integer, timestamptz, timestamptz, integer, bigint[], integer[])',
    'claim_abandoned_attempts(integer, timestamptz, timestamptz)',
    'claim_accepted_calls(integer, timestamptz, timestamptz)'] loop
    execute format('alter function %s set plan_cache_mode = force_generic_plan set enable_seqscan = off', polled);
  end loop;
end
$$;

-- As before, in PL/pgSQL.
create or replace function attempts_to_hang_up(max_count integer, own_node text) returns table (tenant_id bigint, id bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  as $$
begin
  return query
    select r.tenant_id, r.id from (
      select a.tenant_id, a.id, a.hang_up_at,
        row_number() over (partition by a.tenant_id order by a.hang_up_at) as tenant_rank
      from call_attempts a where a.hang_up_at is not null and a.ended_at is null and a.outcome <> 'calling'
        and a.node in ('', own_node)) r
    order by r.tenant_rank, r.hang_up_at limit max_count;
end
$$;

create or replace function tenants_with_expired_masks(at timestamptz) returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  as $$ begin return query select distinct a.tenant_id from alarms a where a.mask_until <= at; end $$;

create or replace function unreported_system_alarms(at timestamptz) returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
begin
  return query select distinct s.tenant_id from system_alarms s
    where s.version <> s.reported_version and (s.lease_until is null or s.lease_until <= at);
end
$$;
