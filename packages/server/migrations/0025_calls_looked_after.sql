-- The duties that somebody has cancelled, by what they are about: a repeat of the alarm has people called again. There are few,
-- so that it costs a repeat next to nothing to look.
create index duties_cancelled on duties (tenant_id, occurrence_id) where closed_reason = 'cancelled';

-- When to ask a provider next what has become of a call that it accepted: not every one calls back.
alter table call_attempts add column ask_at timestamptz;
create index call_attempts_to_ask on call_attempts (ask_at) where outcome = 'accepted' and ended_at is null;
grant select (ask_at), update (ask_at) on call_attempts to tocsin_steward;

-- Takes up to `wanted` of them, in turns between tenants; the next look is at `next`.
create function take_accepted_calls(wanted integer, at timestamptz, next timestamptz)
  returns table (tenant_id bigint, id bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with turns as materialized (
      select x.tenant_id as tenant, x.id, x.ask_at, row_number() over (partition by x.tenant_id order by x.ask_at) as turn
      from call_attempts x where x.outcome = 'accepted' and x.ended_at is null and x.ask_at <= at
    ), chosen as (select t.tenant, t.id from turns t order by t.turn, t.ask_at limit wanted),
    mine as (
      select x.tenant_id as tenant, x.id from chosen c join call_attempts x on x.tenant_id = c.tenant and x.id = c.id
      where x.ask_at <= at for update of x skip locked)
    update call_attempts a set ask_at = next
    from mine where a.tenant_id = mine.tenant and a.id = mine.id
    returning a.tenant_id, a.id;
end
$$;
alter function take_accepted_calls(integer, timestamptz, timestamptz) owner to tocsin_steward;
revoke all on function take_accepted_calls(integer, timestamptz, timestamptz) from public;
grant execute on function take_accepted_calls(integer, timestamptz, timestamptz) to tocsin_app;
