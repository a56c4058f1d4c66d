-- Metrics of calling: sums over all tenants that each dispatching server reads every few seconds. Every count is cut at
-- `max_count`, so that a flood does not make the reading itself expensive.
set local lock_timeout = '5s';

-- Channels that are down are few.
create index channel_health_down on channel_health (tenant_id) where down;
grant select (down) on channel_health to tocsin_cross_tenant;

create policy cross_tenant_reads on channels for select to tocsin_cross_tenant using (true);
grant select (tenant_id, id, medium, enabled) on channels to tocsin_cross_tenant;

-- Counts open escalations, those of them that were due before `overdue_before`, queued attempts, and tenants whose channels
-- are all down. `oldest_due_at` is when the escalation that is due for longest fell due.
create function calling_state(overdue_before timestamptz, max_count integer)
  returns table (open_escalations bigint, overdue_escalations bigint, oldest_due_at timestamptz, queued_attempts bigint,
    tenants_without_channel bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select
      (select count(*) from (select from escalations e where e.closed_at is null limit max_count) x),
      (select count(*) from (select from escalations e where e.closed_at is null and e.urgency in (0, 1)
        and e.due_at < overdue_before limit max_count) x),
      (select least(
        (select min(e.due_at) from escalations e where e.closed_at is null and e.urgency = 0),
        (select min(e.due_at) from escalations e where e.closed_at is null and e.urgency = 1))),
      (select count(*) from (select from call_attempts a where a.outcome = 'queued' limit max_count) x),
      (select count(*) from (select distinct h.tenant_id from channel_health h where h.down limit max_count) d
        where not exists (select from channel_health o where o.tenant_id = d.tenant_id and not o.down))
  $$;
alter function calling_state(timestamptz, integer) owner to tocsin_cross_tenant;
revoke all on function calling_state(timestamptz, integer) from public;
grant execute on function calling_state(timestamptz, integer) to tocsin_app;

-- Counts the enabled channels by medium, and how many of them are down.
create function channel_states(max_count integer) returns table (medium text, channels bigint, down bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select c.medium, count(*), count(*) filter (where h.down)
    from (select x.tenant_id, x.channel_id, x.down from channel_health x limit max_count) h
    join channels c on c.tenant_id = h.tenant_id and c.id = h.channel_id
    where c.enabled group by c.medium
  $$;
alter function channel_states(integer) owner to tocsin_cross_tenant;
revoke all on function channel_states(integer) from public;
grant execute on function channel_states(integer) to tocsin_app;
