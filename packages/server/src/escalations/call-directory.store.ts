import type {
  CallMode,
  Interval,
  Leave,
  MediaRule,
  Medium,
  Person,
  RosterOverride,
  RosterSlot,
} from '@tocsin/domain';
import { storedActions } from '../plant/action.wire.ts';
import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import type { AlarmOccasion, CallDirectory, CalledGroup } from './call-directory.ts';

/** The version of the configuration that this transaction sees; 0 while the tenant has none. */
export async function readConfigurationVersion({ client, tenantId }: BareTransaction): Promise<number> {
  const { rows } = await client.query<{ version: number }>({
    name: 'read-configuration-version',
    text: 'select version from configuration_versions where tenant_id = $1',
    values: [tenantId],
  });
  return rows[0]?.version ?? 0;
}

type GroupRow = {
  id: number;
  name: string;
  station_id: number | null;
  time_zone: string | null;
  mode: CallMode;
  ack_timeout: number;
  attempts: number;
  cycles: number;
  relief_group_id: number | null;
  members: number[] | null;
  teams: { id: number; userIds: number[] }[] | null;
  slots: SlotRow[] | null;
  overrides: OverrideRow[] | null;
  rotation_weeks: number;
  /** Days counted from 1 January 1970. */
  rotation_start: number;
  holidays: number[] | null;
};

type SlotRow = Omit<RosterSlot, 'week'> & { week: number | null };

type OverrideRow = {
  teamId: number | null;
  userId: number | null;
  replacesUserId: number | null;
  startsAt: string;
  endsAt: string;
};

type LeaveRow = { userId: number; startsAt: string; endsAt: string };

type PersonRow = {
  id: number;
  name: string;
  language: string;
  media: Medium[] | null;
  unconfirmed: Medium[] | null;
  rules: MediaRule[] | null;
  rules_zone: string | null;
};

type Row = {
  version: number | null;
  fallback: number | null;
  tells_called: boolean | null;
  groups: GroupRow[] | null;
  people: PersonRow[] | null;
  leaves: LeaveRow[] | null;
  disabled: { id: number; name: string }[] | null;
  scenarios: { id: number; raised: unknown; reset: unknown; acknowledged: unknown }[] | null;
  tag_groups: { id: number; scenarioId: number }[] | null;
};

// One statement, so that all rows are of one version.
const text = `
  select
    (select version from configuration_versions where tenant_id = $1) as version,
    (select fallback_call_group_id from tenants where id = $1) as fallback,
    (select tell_called from tenants where id = $1) as tells_called,
    (select json_agg(g) from (
      select c.id, c.name, c.station_id, c.mode, c.ack_timeout, c.attempts, c.cycles, c.relief_group_id,
        c.rotation_weeks, c.rotation_start - date '1970-01-01' as rotation_start,
        coalesce((select s.time_zone from stations s where s.tenant_id = $1 and s.id = c.station_id),
          (select s.time_zone from stations s where s.tenant_id = $1 order by s.id limit 1)) as time_zone,
        (select json_agg(m.user_id order by m.position) from call_group_members m
          where m.tenant_id = $1 and m.call_group_id = c.id) as members,
        (select json_agg(json_build_object('id', t.id, 'userIds', t.user_ids) order by t.id) from call_group_teams t
          where t.tenant_id = $1 and t.call_group_id = c.id) as teams,
        (select json_agg(json_build_object('teamId', r.team_id, 'day', r.day, 'startMinute', r.start_minute,
            'endMinute', r.end_minute, 'week', r.week) order by r.position) from roster_slots r
          where r.tenant_id = $1 and r.call_group_id = c.id) as slots,
        (select json_agg(json_build_object('teamId', o.team_id, 'userId', o.user_id,
            'replacesUserId', o.replaces_user_id, 'startsAt', o.starts_at, 'endsAt', o.ends_at)
            order by o.position) from roster_overrides o
          where o.tenant_id = $1 and o.call_group_id = c.id) as overrides,
        (select json_agg(h.day - date '1970-01-01') from roster_holidays h
          where h.tenant_id = $1 and h.call_group_id = c.id) as holidays
      from call_groups c where c.tenant_id = $1) g) as groups,
    (select json_agg(p) from (
      select u.id, u.name, u.language,
        (select json_agg(json_build_object('kind', m.kind, 'address', m.address) order by m.position)
          from user_media m where m.tenant_id = $1 and m.user_id = u.id and m.enabled
            and m.confirmed_by is not null) as media,
        (select json_agg(json_build_object('kind', m.kind, 'address', m.address) order by m.position)
          from user_media m where m.tenant_id = $1 and m.user_id = u.id and m.enabled
            and m.confirmed_by is null) as unconfirmed,
        (select json_agg(json_build_object('priorities', r.priorities, 'days', r.days, 'startMinute', r.start_minute,
            'endMinute', r.end_minute, 'media', r.media) order by r.position)
          from user_media_rules r where r.tenant_id = $1 and r.user_id = u.id) as rules,
        coalesce(u.media_rules_time_zone,
          (select s.time_zone from stations s where s.tenant_id = $1 and s.id = u.station_ids[1]),
          (select s.time_zone from stations s where s.tenant_id = $1 order by s.id limit 1)) as rules_zone
      from users u where u.tenant_id = $1 and u.enabled) p) as people,
    (select json_agg(json_build_object('userId', l.user_id, 'startsAt', l.starts_at, 'endsAt', l.ends_at))
      from leaves l where l.tenant_id = $1) as leaves,
    (select json_agg(json_build_object('id', u.id, 'name', u.name)) from users u where u.tenant_id = $1 and not u.enabled) as disabled,
    (select json_agg(json_build_object('id', s.id, 'raised', s.alarm_actions, 'reset', s.reset_actions,
        'acknowledged', s.ack_actions)) from scenarios s where s.tenant_id = $1) as scenarios,
    (select json_agg(json_build_object('id', t.id, 'scenarioId', t.scenario_id)) from tag_groups t
      where t.tenant_id = $1 and t.scenario_id is not null) as tag_groups`;

export async function readCallDirectory({ client, tenantId }: BareTransaction): Promise<CallDirectory> {
  const { rows } = await client.query<Row>({ name: 'read-call-directory', text, values: [tenantId] });
  const row = rows[0];
  if (!row) throw new Error(`tenant ${tenantId} has no call directory`);
  const leaves = (row.leaves ?? []).map(leaveOf);
  const on = (occasion: AlarmOccasion) =>
    new Map((row.scenarios ?? []).map((scenario) => [scenario.id, storedActions(scenario[occasion])]));
  return {
    version: row.version ?? 0,
    fallbackGroupId: row.fallback ?? 0,
    tellsCalled: row.tells_called ?? false,
    groups: new Map((row.groups ?? []).map((group) => [group.id, groupOf(group, leaves)])),
    people: new Map((row.people ?? []).map((person) => [person.id, personOf(person)])),
    disabled: new Map((row.disabled ?? []).map(({ id, name }) => [id, name])),
    scenarios: { raised: on('raised'), reset: on('reset'), acknowledged: on('acknowledged') },
    scenarioOfTagGroup: new Map((row.tag_groups ?? []).map(({ id, scenarioId }) => [id, scenarioId])),
  };
}

function groupOf(row: GroupRow, leaves: readonly Leave[]): CalledGroup {
  const members = row.members ?? [];
  const teams = row.teams ?? [];
  return {
    id: row.id,
    name: row.name,
    stationId: row.station_id ?? 0,
    timeZone: row.time_zone ?? 'UTC',
    mode: row.mode,
    userIds: [...new Set([...members, ...teams.flatMap(({ userIds }) => userIds)])],
    rostered: true,
    ackTimeoutSeconds: row.ack_timeout,
    attempts: row.attempts,
    cycles: row.cycles,
    reliefGroupId: row.relief_group_id ?? 0,
    roster: {
      userIds: members,
      teams,
      slots: (row.slots ?? []).map(slotOf),
      overrides: (row.overrides ?? []).map(overrideOf),
      rotation: { weeks: row.rotation_weeks, firstDay: row.rotation_start },
      holidays: row.holidays ?? [],
      leaves,
    },
  };
}

function overrideOf({ teamId, userId, replacesUserId, ...period }: OverrideRow): RosterOverride {
  return {
    teamId: teamId ?? 0,
    ...(userId !== null && { userId }),
    ...(replacesUserId !== null && { replacesUserId }),
    ...periodOf(period),
  };
}

function slotOf({ week, ...slot }: SlotRow): RosterSlot {
  return { ...slot, ...(week !== null && { week }) };
}

function leaveOf({ userId, ...period }: LeaveRow): Leave {
  return { userId, ...periodOf(period) };
}

function periodOf({ startsAt, endsAt }: { startsAt: string; endsAt: string }): Interval {
  return { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
}

function personOf({ id, name, language, media, unconfirmed, rules, rules_zone }: PersonRow): Person {
  const mediaRules = rules && { timeZone: rules_zone ?? 'UTC', rules };
  return {
    userId: id,
    name,
    language,
    media: media ?? [],
    ...(unconfirmed && { unconfirmed }),
    ...(mediaRules && { mediaRules }),
  };
}
