import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import type { CallDirectory } from './call-directory.ts';
import { type DirectoryRow, directoryOf } from './call-directory-rows.ts';

/** The version of the configuration that this transaction sees; 0 while the tenant has none. */
export async function readConfigurationVersion({ client, tenantId }: BareTransaction): Promise<number> {
  const { rows } = await client.query<{ version: number }>({
    name: 'read-configuration-version',
    text: 'select version from configuration_versions where tenant_id = $1',
    values: [tenantId],
  });
  return rows[0]?.version ?? 0;
}

// One statement, so that all rows are of one version. It scans each table once, and `directoryOf` gives the rows to
// their groups and people: looking them up one by one took 342 pages for 20 groups and people, and this takes 36.
const text = `
  with first_station as materialized (select time_zone from stations where tenant_id = $1 order by id limit 1)
  select
    (select version from configuration_versions where tenant_id = $1) as version,
    (select fallback_call_group_id from tenants where id = $1) as fallback,
    (select tell_called from tenants where id = $1) as tells_called,
    (select json_agg(g) from (
      select c.id, c.name, c.station_id, c.mode, c.ack_timeout, c.attempts, c.cycles, c.relief_group_id,
        c.rotation_weeks, c.rotation_start - date '1970-01-01' as rotation_start,
        coalesce(s.time_zone, (select time_zone from first_station)) as time_zone
      from call_groups c left join stations s on s.tenant_id = $1 and s.id = c.station_id
      where c.tenant_id = $1) g) as groups,
    (select json_agg(json_build_array(call_group_id, user_id) order by call_group_id, position)
      from call_group_members where tenant_id = $1) as members,
    (select json_agg(json_build_array(call_group_id, json_build_object('id', id, 'userIds', user_ids))
      order by call_group_id, id) from call_group_teams where tenant_id = $1) as teams,
    (select json_agg(json_build_array(call_group_id, json_build_object('teamId', team_id, 'day', day,
        'startMinute', start_minute, 'endMinute', end_minute, 'week', week)) order by call_group_id, position)
      from roster_slots where tenant_id = $1) as slots,
    (select json_agg(json_build_array(call_group_id, json_build_object('teamId', team_id, 'userId', user_id,
        'replacesUserId', replaces_user_id, 'startsAt', starts_at, 'endsAt', ends_at)) order by call_group_id, position)
      from roster_overrides where tenant_id = $1) as overrides,
    (select json_agg(json_build_array(call_group_id, day - date '1970-01-01'))
      from roster_holidays where tenant_id = $1) as holidays,
    (select json_agg(p) from (
      select u.id, u.name, u.language,
        coalesce(u.media_rules_time_zone, s.time_zone, (select time_zone from first_station)) as rules_zone
      from users u left join stations s on s.tenant_id = $1 and s.id = u.station_ids[1]
      where u.tenant_id = $1 and u.enabled) p) as people,
    m.media, m.unconfirmed,
    (select json_agg(json_build_array(user_id, json_build_object('priorities', priorities, 'days', days,
        'startMinute', start_minute, 'endMinute', end_minute, 'media', media)) order by user_id, position)
      from user_media_rules where tenant_id = $1) as rules,
    (select json_agg(json_build_object('userId', l.user_id, 'startsAt', l.starts_at, 'endsAt', l.ends_at))
      from leaves l where l.tenant_id = $1) as leaves,
    (select json_agg(json_build_object('id', u.id, 'name', u.name)) from users u where u.tenant_id = $1 and not u.enabled) as disabled,
    (select json_agg(json_build_object('id', s.id, 'raised', s.alarm_actions, 'reset', s.reset_actions,
        'acknowledged', s.ack_actions)) from scenarios s where s.tenant_id = $1) as scenarios,
    (select json_agg(json_build_object('id', t.id, 'scenarioId', t.scenario_id)) from tag_groups t
      where t.tenant_id = $1 and t.scenario_id is not null) as tag_groups
  from (
    select json_agg(medium order by user_id, position) filter (where is_confirmed) as media,
      json_agg(medium order by user_id, position) filter (where not is_confirmed) as unconfirmed
    from (
      select user_id, position, confirmed_by is not null as is_confirmed,
        json_build_array(user_id, json_build_object('kind', kind, 'address', address)) as medium
      from user_media where tenant_id = $1 and enabled) o
  ) m`;

export async function readCallDirectory({ client, tenantId }: BareTransaction): Promise<CallDirectory> {
  const { rows } = await client.query<DirectoryRow>({
    name: 'read-call-directory',
    text,
    values: [tenantId],
  });
  const row = rows[0];
  if (!row) throw new Error(`tenant ${tenantId} has no call directory`);
  return directoryOf(row);
}
