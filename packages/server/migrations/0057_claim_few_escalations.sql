-- Dispatchers visited every tenant with an open escalation as soon as one was due: 35 ms with 5,000 tenants, five times a
-- second. While few are due, they now read these alone.
set local lock_timeout = '5s';

-- As before: urgent ones first, notices last, and tenants in turns. Only if more are due than are wanted is each tenant visited,
-- because the first ones by time may then all belong to one tenant.
create or replace function claim_escalations(max_count integer, at timestamptz, lease_end timestamptz)
  returns table (tenant_id bigint, id bigint, fencing_token bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; wanted integer := max_count; due_count integer; row_total integer;
begin
  for level in 0..2 loop
    exit when wanted <= 0;
    select count(*) into due_count from (
      select from escalations x where x.urgency = least(level, 1) and (x.occasion = 'notice') = (level = 2)
        and x.due_at <= at and x.closed_at is null and (x.lease_until is null or x.lease_until <= at)
      limit 2 * wanted) as due;
    if due_count = 0 then
      continue;
    elsif due_count < 2 * wanted then
      return query
        with due as materialized (
          select x.tenant_id as tenant, x.id, x.due_at from escalations x
          where x.urgency = least(level, 1) and (x.occasion = 'notice') = (level = 2)
            and x.due_at <= at and x.closed_at is null and (x.lease_until is null or x.lease_until <= at)
          order by x.due_at limit 2 * wanted
          for update of x skip locked
        ), ranked as (
          select d.tenant, d.id, d.due_at, row_number() over (partition by d.tenant order by d.due_at) as tenant_rank
          from due d
        ), claimed as (
          select r.tenant, r.id from ranked r order by r.tenant_rank, r.due_at limit wanted)
        update escalations e set lease_until = lease_end, fencing_token = e.fencing_token + 1
        from claimed where e.tenant_id = claimed.tenant and e.id = claimed.id
        returning e.tenant_id, e.id, e.fencing_token;
    else
      return query
        with recursive tenant_scan(tenant) as (
          (select x.tenant_id from escalations x where x.closed_at is null order by x.tenant_id limit 1)
          union all
          select (select x.tenant_id from escalations x where x.closed_at is null and x.tenant_id > s.tenant
            order by x.tenant_id limit 1)
          from tenant_scan s where s.tenant is not null
        ), waiting_tenants as materialized (select s.tenant from tenant_scan s where s.tenant is not null),
        ranked as materialized (
          select w.tenant, q.id, q.due_at, row_number() over (partition by w.tenant order by q.due_at) as tenant_rank
          from waiting_tenants w cross join lateral (
            select x.id, x.due_at from escalations x
            where x.tenant_id = w.tenant and x.urgency = least(level, 1) and (x.occasion = 'notice') = (level = 2)
              and x.due_at <= at and x.closed_at is null
              and (x.lease_until is null or x.lease_until <= at)
            order by x.due_at limit greatest(1,
              2 * wanted / greatest(1, (select count(*) from waiting_tenants))::integer)
            for update of x skip locked) q
        ), claimed as (
          select r.tenant, r.id from ranked r order by r.tenant_rank, r.due_at limit wanted)
        update escalations e set lease_until = lease_end, fencing_token = e.fencing_token + 1
        from claimed where e.tenant_id = claimed.tenant and e.id = claimed.id
        returning e.tenant_id, e.id, e.fencing_token;
    end if;
    get diagnostics row_total = row_count;
    wanted := wanted - row_total;
  end loop;
end
$$;
