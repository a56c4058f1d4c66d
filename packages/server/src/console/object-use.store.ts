import type { ObjectUse } from '@tocsin/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Referable } from '../postgres/collections/references.ts';
import { isVisible } from '../postgres/collections/visibility.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Tables whose rows are asked for their uses. */
export type UsedTable = Exclude<Referable, 'sitePlans'>;

/**
 * Each query answers kind, id, name, relation, whether it blocks a deletion, and the stations of the using object: an empty
 * list stands for all stations, null for objects that only callers of the whole tenant may see.
 */
type UseQuery = (tenantId: number, id: number) => RawBuilder<unknown>;

const shownName = sql`coalesce(nullif(localized_name, ''), name)`;
const ownStation = sql`case when station_id is null then '{}'::bigint[] else array[station_id] end`;

/** Rows of a table that name the object in one column. */
const rowsNaming =
  (table: string, column: string, [kind, relation]: readonly [string, string]): UseQuery =>
  (tenantId, id) =>
    sql`select ${kind}::text as kind, id, ${shownName} as name, ${relation}::text as relation, true as blocks,
          ${table === 'call_group_groupings' ? sql`'{}'::bigint[]` : ownStation} as station_ids
        from ${sql.raw(table)} where tenant_id = ${tenantId} and ${sql.raw(column)} = ${id}`;

const plans: UseQuery = (tenantId, id) =>
  sql`select 'site-plan', id, name, 'belongs', true, array[station_id] from site_plans
      where tenant_id = ${tenantId} and station_id = ${id}`;
const notes: UseQuery = (tenantId, id) =>
  sql`select 'shift-note', id, left(text, 80), 'belongs', true, array[station_id] from shift_notes
      where tenant_id = ${tenantId} and station_id = ${id}`;
const limitedUsers: UseQuery = (tenantId, id) =>
  sql`select 'user', id, name, 'limited', true, station_ids from users
      where tenant_id = ${tenantId} and ${id} = any(station_ids)`;
const limitedKeys =
  (column: string, blocks: boolean): UseQuery =>
  (tenantId, id) =>
    sql`select 'api-key', id, name, 'limited', ${blocks}::boolean, null::bigint[] from api_keys
        where tenant_id = ${tenantId} and ${id} = any(${sql.raw(column)}) and revoked_at is null`;

/** Scenarios and tags whose actions name the object. */
const callers =
  (condition: (id: number) => RawBuilder<unknown>): UseQuery =>
  (tenantId, id) =>
    sql`select 'scenario', id, ${shownName}, 'calls', true, ${ownStation} from scenarios
        where tenant_id = ${tenantId} and ${condition(id)}
        union all
        select 'tag', id, ${shownName}, 'calls', true, ${ownStation} from tags
        where tenant_id = ${tenantId} and ${condition(id)}`;
const userCalled = (id: number) => {
  const call = JSON.stringify([{ type: 'CallUser', id }]);
  return sql`(alarm_actions @> ${call}::jsonb or reset_actions @> ${call}::jsonb or ack_actions @> ${call}::jsonb)`;
};
const groupCalled = (id: number) => sql`${id} = any(call_group_ids)`;

const followingTags: UseQuery = (tenantId, id) =>
  sql`select 'tag', id, ${shownName}, 'follows', true, ${ownStation} from tags
      where tenant_id = ${tenantId} and ${id} = any(scenario_ids)`;
const lastResort: UseQuery = (tenantId, id) =>
  sql`select 'dispatch-settings', 0, '', 'last-resort', true, '{}'::bigint[] from tenants
      where id = ${tenantId} and fallback_call_group_id = ${id}`;
const calledPeople: UseQuery = (tenantId, id) =>
  sql`select 'user', id, name, 'called', false, station_ids from users
      where tenant_id = ${tenantId} and id in (
        select user_id from call_group_members where tenant_id = ${tenantId} and call_group_id = ${id}
        union
        select unnest(user_ids) from call_group_teams where tenant_id = ${tenantId} and call_group_id = ${id})`;
const groupsOfUser: UseQuery = (tenantId, id) =>
  sql`select 'call-group', id, ${shownName}, 'member', true, ${ownStation} from call_groups
      where tenant_id = ${tenantId} and id in (
        select call_group_id from call_group_members where tenant_id = ${tenantId} and user_id = ${id}
        union
        select call_group_id from call_group_teams where tenant_id = ${tenantId} and ${id} = any(user_ids))`;
const ownedKeys: UseQuery = (tenantId, id) =>
  sql`select 'api-key', id, name, 'owned', false, null::bigint[] from api_keys
      where tenant_id = ${tenantId} and owner_id = ${id} and revoked_at is null`;

/** The first query of each list names the columns. */
const queries: Record<UsedTable, readonly UseQuery[]> = {
  stations: [
    rowsNaming('data_servers', 'station_id', ['data-server', 'belongs']),
    rowsNaming('tag_groups', 'station_id', ['tag-group', 'belongs']),
    rowsNaming('scenarios', 'station_id', ['scenario', 'belongs']),
    rowsNaming('call_groups', 'station_id', ['call-group', 'belongs']),
    rowsNaming('tags', 'station_id', ['tag', 'belongs']),
    limitedUsers,
    limitedKeys('station_ids', true),
    plans,
    notes,
  ],
  dataServers: [
    rowsNaming('tags', 'data_server_id', ['tag', 'belongs']),
    limitedKeys('data_server_ids', false),
  ],
  tagGroups: [
    rowsNaming('tag_groups', 'parent_id', ['tag-group', 'belongs']),
    rowsNaming('tags', 'tag_group_id', ['tag', 'belongs']),
  ],
  scenarios: [rowsNaming('tag_groups', 'scenario_id', ['tag-group', 'follows']), followingTags],
  callGroups: [
    rowsNaming('call_groups', 'relief_group_id', ['call-group', 'relief']),
    callers(groupCalled),
    lastResort,
    calledPeople,
  ],
  callGroupGroupings: [
    rowsNaming('call_group_groupings', 'parent_id', ['grouping', 'belongs']),
    rowsNaming('call_groups', 'grouping_id', ['call-group', 'belongs']),
  ],
  users: [
    // An empty first query, which names the columns.
    (tenantId) =>
      sql`select ''::text as kind, id, name, ''::text as relation, true as blocks, station_ids
          from stations, (select '{}'::bigint[] as station_ids) nothing where tenant_id = ${tenantId} and false`,
    groupsOfUser,
    callers(userCalled),
    ownedKeys,
  ],
};

export async function isKnown(
  transaction: TenantTransaction,
  table: UsedTable,
  { id, stationIds }: { id: number; stationIds: readonly number[] | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)}
    where tenant_id = ${transaction.tenantId} and id = ${id} and ${isVisible(table, stationIds)}`.execute(
    transaction,
  );
  return rows.length > 0;
}

/** The objects that use this one, those that block its deletion first. */
export async function listObjectUses(
  transaction: TenantTransaction,
  table: UsedTable,
  {
    id,
    stationIds,
    offset,
    limit,
  }: { id: number; stationIds: readonly number[] | undefined; offset: number; limit: number },
): Promise<{ rows: ObjectUse[]; total: number }> {
  const { tenantId } = transaction;
  const all = sql.join(
    queries[table].map((query) => query(tenantId, id)),
    sql` union all `,
  );
  const visible =
    stationIds === undefined
      ? sql`true`
      : sql`(station_ids = '{}' or station_ids && ${[...stationIds]}::bigint[])`;
  const { rows: counts } = await sql<{ total: number }>`
    select count(*) as total from (${all}) uses where ${visible}`.execute(transaction);
  const { rows } = await sql<ObjectUse>`
    select kind, id, name, relation, blocks from (${all}) uses where ${visible}
    order by blocks desc, kind, name, id offset ${offset} limit ${limit}`.execute(transaction);
  return { rows, total: counts[0]?.total ?? 0 };
}
