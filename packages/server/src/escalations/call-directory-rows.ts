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
import type { AlarmOccasion, CallDirectory, CalledGroup } from './call-directory.ts';

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
  rotation_weeks: number;
  /** Days counted from 1 January 1970. */
  rotation_start: number;
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

type PersonRow = { id: number; name: string; language: string; rules_zone: string | null };

/** Rows of one table, each with the id of the group or person that it belongs to. */
type Owned<Item> = [ownerId: number, item: Item][] | null;

type OwnedRows = {
  members: Owned<number>;
  teams: Owned<{ id: number; userIds: number[] }>;
  slots: Owned<SlotRow>;
  overrides: Owned<OverrideRow>;
  holidays: Owned<number>;
  media: Owned<Medium>;
  unconfirmed: Owned<Medium>;
  rules: Owned<MediaRule>;
};

/** The row that the statement of the call directory returns. */
export type DirectoryRow = OwnedRows & {
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

export function directoryOf(row: DirectoryRow): CallDirectory {
  const leaves = (row.leaves ?? []).map(leaveOf);
  const owned = ownedRowsIn(row);
  const on = (occasion: AlarmOccasion) =>
    new Map((row.scenarios ?? []).map((scenario) => [scenario.id, storedActions(scenario[occasion])]));
  return {
    version: row.version ?? 0,
    fallbackGroupId: row.fallback ?? 0,
    tellsCalled: row.tells_called ?? false,
    groups: new Map((row.groups ?? []).map((group) => [group.id, groupOf(group, owned, leaves)])),
    people: new Map((row.people ?? []).map((person) => [person.id, personOf(person, owned)])),
    disabled: new Map((row.disabled ?? []).map(({ id, name }) => [id, name])),
    scenarios: { raised: on('raised'), reset: on('reset'), acknowledged: on('acknowledged') },
    scenarioOfTagGroup: new Map((row.tag_groups ?? []).map(({ id, scenarioId }) => [id, scenarioId])),
  };
}

type RowsOfOwner<Item> = ReadonlyMap<number, Item[]>;

type OwnedRowsById = {
  [Name in keyof OwnedRows]: OwnedRows[Name] extends Owned<infer Item> ? RowsOfOwner<Item> : never;
};

function ownedRowsIn(row: OwnedRows): OwnedRowsById {
  return {
    members: byOwner(row.members),
    teams: byOwner(row.teams),
    slots: byOwner(row.slots),
    overrides: byOwner(row.overrides),
    holidays: byOwner(row.holidays),
    media: byOwner(row.media),
    unconfirmed: byOwner(row.unconfirmed),
    rules: byOwner(row.rules),
  };
}

function byOwner<Item>(rows: Owned<Item>): RowsOfOwner<Item> {
  const owners = new Map<number, Item[]>();
  for (const [ownerId, item] of rows ?? []) {
    const items = owners.get(ownerId);
    if (items) items.push(item);
    else owners.set(ownerId, [item]);
  }
  return owners;
}

function groupOf(row: GroupRow, owned: OwnedRowsById, leaves: readonly Leave[]): CalledGroup {
  const members = owned.members.get(row.id) ?? [];
  const teams = owned.teams.get(row.id) ?? [];
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
      slots: (owned.slots.get(row.id) ?? []).map(slotOf),
      overrides: (owned.overrides.get(row.id) ?? []).map(overrideOf),
      rotation: { weeks: row.rotation_weeks, firstDay: row.rotation_start },
      holidays: owned.holidays.get(row.id) ?? [],
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

function personOf({ id, name, language, rules_zone }: PersonRow, owned: OwnedRowsById): Person {
  const unconfirmed = owned.unconfirmed.get(id);
  const rules = owned.rules.get(id);
  return {
    userId: id,
    name,
    language,
    media: owned.media.get(id) ?? [],
    ...(unconfirmed && { unconfirmed }),
    ...(rules && { mediaRules: { timeZone: rules_zone ?? 'UTC', rules } }),
  };
}
