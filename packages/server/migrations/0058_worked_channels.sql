-- A probe opened a transaction in its tenant to read the settings of the channel, and another one to store that it worked. Now
-- the claim tells the version of the channel, which a server that has it open needs no settings for, and one statement stores
-- all that work as before. So thousands of tenants with a channel each cost little.
set local lock_timeout = '5s';

grant update (worked_at) on channel_health to tocsin_cross_tenant;

-- Stores that the channels worked, and returns those that must be judged instead: they have failed before, a system alarm of
-- them is raised, or another server is judging them.
create function record_worked_channels(tenant_ids bigint[], channel_ids bigint[], at timestamptz)
  returns table (tenant_id bigint, channel_id bigint)
  language sql volatile security definer set search_path = public, pg_temp as $$
    with healthy as materialized (
      select h.tenant_id, h.channel_id from unnest(tenant_ids, channel_ids) as g(tenant_id, channel_id)
      join channel_health h on h.tenant_id = g.tenant_id and h.channel_id = g.channel_id
      where h.failures = 0 and not h.down
        and not exists (select from monitor_alarms m where m.tenant_id = h.tenant_id and m.path = 'channels/' || h.channel_id)
      order by h.tenant_id, h.channel_id
      for update of h skip locked
    ), worked as (
      update channel_health h set worked_at = at from healthy
      where h.tenant_id = healthy.tenant_id and h.channel_id = healthy.channel_id
      returning h.tenant_id, h.channel_id
    )
    select * from unnest(tenant_ids, channel_ids) except select * from worked
  $$;
alter function record_worked_channels(bigint[], bigint[], timestamptz) owner to tocsin_cross_tenant;
revoke all on function record_worked_channels(bigint[], bigint[], timestamptz) from public;
grant execute on function record_worked_channels(bigint[], bigint[], timestamptz) to tocsin_app;

-- As `claim_channel_probes`, with the version of each channel; null if it is disabled.
grant select (version) on channels to tocsin_cross_tenant;
create function claim_probes_of_channels(max_count integer, at timestamptz, next_due_at timestamptz)
  returns table (tenant_id bigint, channel_id bigint, channel_version integer)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with claimed as (
      update channel_health h set due_at = next_due_at
      from (select x.tenant_id, x.channel_id from channel_health x where x.due_at <= at
            order by x.due_at limit max_count for update skip locked) due
      where h.tenant_id = due.tenant_id and h.channel_id = due.channel_id
      returning h.tenant_id, h.channel_id
    )
    select c.tenant_id, c.channel_id, (select x.version from channels x
      where x.tenant_id = c.tenant_id and x.id = c.channel_id and x.enabled) from claimed c;
end
$$;
alter function claim_probes_of_channels(integer, timestamptz, timestamptz) owner to tocsin_cross_tenant;
revoke all on function claim_probes_of_channels(integer, timestamptz, timestamptz) from public;
grant execute on function claim_probes_of_channels(integer, timestamptz, timestamptz) to tocsin_app;
