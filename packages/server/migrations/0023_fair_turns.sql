-- Fair turns between tenants: one with thousands of due calls, or with a provider that never answers, keeps nobody waiting.
-- What is due is taken tenant by tenant in turns, and no longer in the order of all.

create index duties_turns on duties (tenant_id, urgency, due_at) where closed_at is null;
create index call_attempts_turns on call_attempts (tenant_id, urgency, due_at) where outcome = 'queued';

-- As before, but each tenant's first before any tenant's second. Tenants are found by skipping through the index. Rows
-- are locked where they are looked for, so that several dispatchers at once find different ones.
create or replace function take_duties(wanted integer, at timestamptz, until timestamptz)
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; taken integer := 0; got integer;
begin
  for level in 0..1 loop
    exit when taken >= wanted;
    return query
      with recursive present(tenant) as (
        (select x.tenant_id from duties x where x.closed_at is null order by x.tenant_id limit 1)
        union all
        select (select x.tenant_id from duties x where x.closed_at is null and x.tenant_id > p.tenant order by x.tenant_id limit 1)
        from present p where p.tenant is not null
      ), tenants_waiting as materialized (select p.tenant from present p where p.tenant is not null),
      turns as materialized (
        select w.tenant, q.id, q.due_at, row_number() over (partition by w.tenant order by q.due_at) as turn
        from tenants_waiting w cross join lateral (
          select x.id, x.due_at from duties x
          where x.tenant_id = w.tenant and x.urgency = level and x.due_at <= at and x.closed_at is null and (x.lease_until is null or x.lease_until <= at)
          order by x.due_at limit greatest(1, 2 * (wanted - taken) / greatest(1, (select count(*) from tenants_waiting))::integer)
          for update of x skip locked) q
      ), mine as (select t.tenant, t.id from turns t order by t.turn, t.due_at limit wanted - taken)
      update duties d set lease_until = until, fence = d.fence + 1
      from mine where d.tenant_id = mine.tenant and d.id = mine.id
      returning d.tenant_id, d.id, d.fence;
    get diagnostics got = row_count;
    taken := taken + got;
  end loop;
end
$$;

-- Takes up to `wanted` queued attempts that may be sent, in the same way: of the tenants `holding` up to their `rooms`, of
-- each other one up to `room`. Within a tenant the most urgent come first.
create function take_attempts(wanted integer, at timestamptz, until timestamptz, room integer, holding bigint[],
    rooms integer[])
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare level integer; taken integer := 0; got integer;
begin
  for level in 0..1 loop
    exit when taken >= wanted;
    return query
      with recursive present(tenant) as (
        (select x.tenant_id from call_attempts x where x.outcome = 'queued' order by x.tenant_id limit 1)
        union all
        select (select x.tenant_id from call_attempts x where x.outcome = 'queued' and x.tenant_id > p.tenant order by x.tenant_id limit 1)
        from present p where p.tenant is not null
      ), tenants_waiting as materialized (select p.tenant from present p where p.tenant is not null),
      turns as materialized (
        select w.tenant, q.id, q.due_at, row_number() over (partition by w.tenant order by q.due_at) as turn
        from tenants_waiting w cross join lateral (
          select x.id, x.due_at from call_attempts x
          where x.tenant_id = w.tenant and x.urgency = level and x.due_at <= at and x.outcome = 'queued' and (x.lease_until is null or x.lease_until <= at)
          order by x.due_at limit least(coalesce(rooms[array_position(holding, w.tenant)], room),
            greatest(1, 2 * (wanted - taken) / greatest(1, (select count(*) from tenants_waiting))::integer))
          for update of x skip locked) q
      ), mine as (select t.tenant, t.id from turns t order by t.turn, t.due_at limit wanted - taken)
      update call_attempts d set lease_until = until, fence = d.fence + 1
      from mine where d.tenant_id = mine.tenant and d.id = mine.id
      returning d.tenant_id, d.id, d.fence;
    get diagnostics got = row_count;
    taken := taken + got;
  end loop;
end
$$;
alter function take_attempts(integer, timestamptz, timestamptz, integer, bigint[], integer[]) owner to tocsin_steward;
revoke all on function take_attempts(integer, timestamptz, timestamptz, integer, bigint[], integer[]) from public;
grant execute on function take_attempts(integer, timestamptz, timestamptz, integer, bigint[], integer[]) to tocsin_app;

-- As before, in turns.
create or replace function stray_attempts(wanted integer, at timestamptz, until timestamptz)
  returns table (tenant_id bigint, id bigint, fence bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with turns as materialized (
      select x.tenant_id as tenant, x.id, x.lease_until,
        row_number() over (partition by x.tenant_id order by x.lease_until) as turn
      from call_attempts x where x.outcome = 'calling' and x.lease_until <= at
    ), chosen as (select t.tenant, t.id from turns t order by t.turn, t.lease_until limit wanted),
    mine as (
      select x.tenant_id as tenant, x.id from chosen c join call_attempts x on x.tenant_id = c.tenant and x.id = c.id
      where x.outcome = 'calling' and x.lease_until <= at for update of x skip locked)
    update call_attempts a set lease_until = until, fence = a.fence + 1
    from mine where a.tenant_id = mine.tenant and a.id = mine.id
    returning a.tenant_id, a.id, a.fence;
end
$$;

create or replace function attempts_to_hang_up(wanted integer) returns table (tenant_id bigint, id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.tenant_id, t.id from (
      select a.tenant_id, a.id, a.hang_up_at, row_number() over (partition by a.tenant_id order by a.hang_up_at) as turn
      from call_attempts a where a.hang_up_at is not null and a.ended_at is null and a.outcome <> 'calling') t
    order by t.turn, t.hang_up_at limit wanted
  $$;
