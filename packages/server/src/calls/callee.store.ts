import { sql } from 'kysely';
import { stationInScope } from '../postgres/collections/filters.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** A person to be called. */
export type Callee = {
  id: number;
  name: string;
  /** Empty: all stations. */
  stationIds: number[];
  enabled: boolean;
  /** Kinds of the media that are enabled and confirmed, in calling order. */
  media: string[];
  /** Whether they have enabled media that nobody has confirmed. */
  hasUnconfirmed: boolean;
};

/** Finds users by their ids; missing ones are left out. */
export async function findCallees(
  transaction: TenantTransaction,
  userIds: readonly number[],
): Promise<Map<number, Callee>> {
  const callees = await transaction
    .selectFrom('users')
    .select(['id', 'name', 'stationIds', 'enabled'])
    .select(
      sql<string[]>`
        array(select m.kind from user_media m
              where m.tenant_id = users.tenant_id and m.user_id = users.id and m.enabled
                and m.confirmed_by is not null
              order by m.position)`.as('media'),
    )
    .select(
      sql<boolean>`
        exists (select from user_media m
                where m.tenant_id = users.tenant_id and m.user_id = users.id and m.enabled
                  and m.confirmed_by is null)`.as('hasUnconfirmed'),
    )
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`id = any(${[...userIds]}::bigint[])`)
    .execute();
  return new Map(callees.map((callee) => [callee.id, callee]));
}

/** The media that an enabled channel serves. */
export async function listServedMedia(transaction: TenantTransaction): Promise<Set<string>> {
  const rows = await transaction
    .selectFrom('channels')
    .select('medium')
    .distinct()
    .where('tenantId', '=', transaction.tenantId)
    .where('enabled', '=', true)
    .execute();
  return new Set(rows.map(({ medium }) => medium));
}

/** A call group with everybody in it, on duty or not. */
export type CalledGroup = { id: number; stationId: number | null; userIds: number[] };

/** Finds call groups that belong to one of the stations or to all, by their ids. */
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

/** Returns the names that the media library does not have. */
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

/** Calls without a station are counted here; undefined in a tenant without stations. */
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
