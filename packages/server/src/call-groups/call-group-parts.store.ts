import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

type TeamRecord = { id: number; name: string; userIds: number[] };
/** Minutes from midnight; 1440 is the end of the day. */
export type SlotRecord = {
  teamId: number;
  day: number;
  startMinute: number;
  endMinute: number;
  /** Null: every week. */
  week: number | null;
};
/** Of a team or a person, never both; `replacesUserId` null: instead of everybody. */
export type OverrideRecord = {
  teamId: number | null;
  userId: number | null;
  replacesUserId: number | null;
  startsAt: Date;
  endsAt: Date;
  reason: string;
};
/** `2026-12-25`. */
export type HolidayRecord = { day: string; name: string };

/** The lists of a call group. */
export type CallGroupParts = {
  /** In calling order. */
  userIds: number[];
  teams: TeamRecord[];
  slots: SlotRecord[];
  overrides: OverrideRecord[];
  holidays: HolidayRecord[];
};

/** The parts of each of the call groups. */
export async function readParts(
  transaction: TenantTransaction,
  ids: readonly number[],
): Promise<(callGroupId: number) => CallGroupParts> {
  const members = byGroup(await readMembers(transaction, ids));
  const teams = byGroup(await readTeams(transaction, ids));
  const slots = byGroup(await readSlots(transaction, ids));
  const overrides = byGroup(await readOverrides(transaction, ids));
  const holidays = byGroup(await readHolidays(transaction, ids));
  return (id) => ({
    userIds: (members.get(id) ?? []).map(({ userId }) => userId),
    teams: teams.get(id) ?? [],
    slots: slots.get(id) ?? [],
    overrides: overrides.get(id) ?? [],
    holidays: (holidays.get(id) ?? []).map(({ day, name }) => ({ day, name })),
  });
}

/** Replaces all parts of the call group. */
export async function saveParts(
  transaction: TenantTransaction,
  callGroupId: number,
  { userIds, teams, slots, overrides, holidays }: CallGroupParts,
): Promise<void> {
  const owner = { tenantId: transaction.tenantId, callGroupId };
  await deleteParts(transaction, callGroupId);
  if (userIds.length > 0) {
    const rows = userIds.map((userId, position) => ({ ...owner, position, userId }));
    await transaction.insertInto('callGroupMembers').values(rows).execute();
  }
  if (teams.length > 0) {
    const rows = teams.map((team) => ({ ...owner, ...team }));
    await transaction.insertInto('callGroupTeams').values(rows).execute();
  }
  if (slots.length > 0) {
    const rows = slots.map((slot, position) => ({ ...owner, position, ...slot }));
    await transaction.insertInto('rosterSlots').values(rows).execute();
  }
  if (overrides.length > 0) {
    const rows = overrides.map((override, position) => ({ ...owner, position, ...override }));
    await transaction.insertInto('rosterOverrides').values(rows).execute();
  }
  if (holidays.length > 0) {
    const rows = holidays.map((holiday) => ({ ...owner, ...holiday }));
    await transaction.insertInto('rosterHolidays').values(rows).execute();
  }
}

/** The foreign keys delete the slots with their teams. */
async function deleteParts(transaction: TenantTransaction, callGroupId: number): Promise<void> {
  for (const table of ['callGroupMembers', 'callGroupTeams', 'rosterOverrides', 'rosterHolidays'] as const) {
    await transaction
      .deleteFrom(table)
      .where('tenantId', '=', transaction.tenantId)
      .where('callGroupId', '=', callGroupId)
      .execute();
  }
}

function readMembers(transaction: TenantTransaction, ids: readonly number[]) {
  return transaction
    .selectFrom('callGroupMembers')
    .select(['callGroupId', 'userId'])
    .where('tenantId', '=', transaction.tenantId)
    .where(ofGroups(ids))
    .orderBy('position')
    .execute();
}

function readTeams(transaction: TenantTransaction, ids: readonly number[]) {
  return transaction
    .selectFrom('callGroupTeams')
    .select(['callGroupId', 'id', 'name', 'userIds'])
    .where('tenantId', '=', transaction.tenantId)
    .where(ofGroups(ids))
    .orderBy('id')
    .execute();
}

function readSlots(transaction: TenantTransaction, ids: readonly number[]) {
  return transaction
    .selectFrom('rosterSlots')
    .select(['callGroupId', 'teamId', 'day', 'startMinute', 'endMinute', 'week'])
    .where('tenantId', '=', transaction.tenantId)
    .where(ofGroups(ids))
    .orderBy('position')
    .execute();
}

function readOverrides(transaction: TenantTransaction, ids: readonly number[]) {
  return transaction
    .selectFrom('rosterOverrides')
    .select(['callGroupId', 'teamId', 'userId', 'replacesUserId', 'startsAt', 'endsAt', 'reason'])
    .where('tenantId', '=', transaction.tenantId)
    .where(ofGroups(ids))
    .orderBy('position')
    .execute();
}

function readHolidays(transaction: TenantTransaction, ids: readonly number[]) {
  return transaction
    .selectFrom('rosterHolidays')
    .select(['callGroupId', sql<string>`day::text`.as('day'), 'name'])
    .where('tenantId', '=', transaction.tenantId)
    .where(ofGroups(ids))
    .orderBy('day')
    .execute();
}

function ofGroups(ids: readonly number[]) {
  return sql<boolean>`call_group_id = any(${[...ids]}::bigint[])`;
}

function byGroup<Row extends { callGroupId: number }>(rows: readonly Row[]): Map<number, Row[]> {
  return Map.groupBy(rows, ({ callGroupId }) => callGroupId);
}
