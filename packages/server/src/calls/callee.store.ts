import { sql } from 'kysely';
import { stationInScope } from '../postgres/filters.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** A person who can be called, and how. */
export type Callee = {
  id: number;
  name: string;
  /** Empty: all stations. */
  stationIds: number[];
  medium: string;
  address: string;
};

/** Those of the users who are enabled and have a way to be reached, with the first such way, by their ids. */
export async function findCallees(
  transaction: TenantTransaction,
  userIds: readonly number[],
): Promise<Map<number, Callee>> {
  const callees = await transaction
    .selectFrom('users')
    .innerJoin('userMedia', (join) =>
      join.onRef('userMedia.tenantId', '=', 'users.tenantId').onRef('userMedia.userId', '=', 'users.id'),
    )
    .distinctOn('users.id')
    .select(['users.id', 'users.name', 'users.stationIds', 'userMedia.kind as medium', 'userMedia.address'])
    .where('users.tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`users.id = any(${[...userIds]}::bigint[])`)
    .where('users.enabled', '=', true)
    .where('userMedia.enabled', '=', true)
    .orderBy('users.id')
    .orderBy('userMedia.position')
    .execute();
  return new Map(callees.map((callee) => [callee.id, callee]));
}

/** A call group with everybody in it, on duty or not. */
export type CalledGroup = { id: number; stationId: number | null; userIds: number[] };

/** Those of the call groups that belong to the stations, or to all stations, by their ids. */
export async function findCalledGroups(
  transaction: TenantTransaction,
  groupIds: readonly number[],
  stationIds: readonly number[] | undefined,
): Promise<Map<number, CalledGroup>> {
  const groups = await transaction
    .selectFrom('callGroups')
    .select(['id', 'stationId'])
    .select(
      sql<number[]>`
        array(select m.user_id from call_group_members m
              where m.tenant_id = call_groups.tenant_id and m.call_group_id = call_groups.id
              order by m.position)
        || array(select u.id from call_group_teams t, unnest(t.user_ids) with ordinality as u(id, place)
                 where t.tenant_id = call_groups.tenant_id and t.call_group_id = call_groups.id
                 order by t.id, u.place)`.as('userIds'),
    )
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`id = any(${[...groupIds]}::bigint[])`)
    .where(stationInScope('stationId', stationIds))
    .execute();
  return new Map(groups.map((group) => [group.id, group]));
}

/** Which of the names no file of the media library has. */
export async function findUnknownMedia(
  transaction: TenantTransaction,
  names: readonly string[],
): Promise<string[]> {
  const files = await transaction
    .selectFrom('mediaFiles')
    .select('name')
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`name = any(${[...names]}::text[])`)
    .execute();
  const known = new Set(files.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/** Where what belongs to no station is counted; undefined in a tenant without stations. */
export async function findFirstStation(transaction: TenantTransaction): Promise<number | undefined> {
  const station = await transaction
    .selectFrom('stations')
    .select('id')
    .where('tenantId', '=', transaction.tenantId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return station?.id;
}
