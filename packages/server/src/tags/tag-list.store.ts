import { type RawBuilder, sql } from 'kysely';
import type { AlarmRecord } from '../alarms/decide/alarm-record.ts';
import { callGroupsOfTag, scenariosOfTag } from '../alarms/store/alarm-reach.store.ts';
import { type RecordRow, recordColumns, recordOf } from '../alarms/store/alarm-row.ts';
import type { PageBounds } from '../postgres/collections/read-page.ts';
import { searchTermsIn } from '../postgres/collections/search.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** A filter of tags; absent members match all. */
export type TagFilter = {
  stationId?: number | undefined;
  dataServerId?: number | undefined;
  /** With its sub-groups. */
  tagGroupId?: number | undefined;
  scenarioId?: number | undefined;
  callGroupId?: number | undefined;
  priority?: number | undefined;
  guidance?: 'missing' | 'present' | undefined;
  search?: string | undefined;
  ids?: readonly number[];
  /** Stations that the reader may see; absent means all. */
  stationIds?: readonly number[] | undefined;
};

/** A tag, with the name of its group and whether guidance applies to it. */
export type ListedTag = { record: AlarmRecord; tagGroup: string; hasGuidance: boolean };

type ListedRow = RecordRow & { tag_group: string | null; has_guidance: boolean };

const joins = sql.raw(`
  join alarms a on a.tenant_id = t.tenant_id and a.tag_id = t.id
  join stations s on s.tenant_id = t.tenant_id and s.id = t.station_id
  join data_servers d on d.tenant_id = t.tenant_id and d.id = t.data_server_id
  left join tag_groups g on g.tenant_id = t.tenant_id and g.id = t.tag_group_id`);

/** The tags that guidance applies to: their own, or that of an object above them. */
const guided = sql`(select x.tag_id from guidance_of_alarms(
  (select array_agg(i.id) from tags i where i.tenant_id = current_tenant())) x)`;

export async function listTags(
  transaction: TenantTransaction,
  filter: TagFilter,
  { offset, limit, descending }: PageBounds,
): Promise<{ tags: ListedTag[]; total: number }> {
  const where = sql.join(conditions(transaction, filter), sql` and `);
  const plain = transaction.withoutPlugins();
  const counted = await sql<{ total: number }>`select count(*) as total from tags t where ${where}`.execute(
    plain,
  );
  const { rows } = await sql<ListedRow>`
    with page as materialized (
      select t.id from tags t where ${where} order by t.id ${descending ? sql`desc` : sql`asc`}
      offset ${offset} limit ${limit}
    ), guided as materialized (
      select x.tag_id as guided_id from guidance_of_alarms((select array_agg(page.id) from page)) x
    )
    select ${sql.raw(recordColumns)}, g.localized_name as tag_group, guided_id is not null as has_guidance
    from tags t ${joins} left join guided on guided_id = t.id
    where t.tenant_id = ${transaction.tenantId} and t.id in (select page.id from page)
    order by t.id ${descending ? sql`desc` : sql`asc`}`.execute(plain);
  return { tags: rows.map(listedOf), total: counted.rows[0]?.total ?? 0 };
}

function listedOf(row: ListedRow): ListedTag {
  return { record: recordOf(row), tagGroup: row.tag_group ?? '', hasGuidance: row.has_guidance };
}

/** Temporary tags end with their alarm, so nobody defines them. */
function conditions({ tenantId }: TenantTransaction, filter: TagFilter): RawBuilder<unknown>[] {
  const { stationId, dataServerId, tagGroupId, scenarioId, callGroupId, priority, ids, stationIds } = filter;
  return [
    sql`t.tenant_id = ${tenantId} and not t.temporary`,
    stationId !== undefined && sql`t.station_id = ${stationId}`,
    dataServerId !== undefined && sql`t.data_server_id = ${dataServerId}`,
    tagGroupId !== undefined && sql`t.tag_group_id in (select tag_group_subtree(${tagGroupId}))`,
    scenarioId !== undefined && sql`${sql.raw(scenariosOfTag)} @> array[${scenarioId}::bigint]`,
    callGroupId !== undefined && sql`${sql.raw(callGroupsOfTag)} @> array[${callGroupId}::bigint]`,
    priority !== undefined && sql`t.priority = ${priority}`,
    filter.guidance === 'present' && sql`t.id in ${guided}`,
    filter.guidance === 'missing' && sql`t.id not in ${guided}`,
    ids !== undefined && sql`t.id = any (${[...ids]}::bigint[])`,
    stationIds !== undefined && sql`t.station_id = any (${[...stationIds]}::bigint[])`,
    searchTermsIn(['t.search_text'], filter.search),
  ].filter((part) => part !== false);
}

/** A row that a file can name. */
export type NamedRow = { id: number; name: string; stationId: number | null };

/** The rows that a file can name by their names. */
export type NamedRows = Record<NamedTable, readonly NamedRow[]>;
type NamedTable = 'stations' | 'dataServers' | 'tagGroups' | 'scenarios';

/** The rows that the caller may name, and the data server of tags that name none. */
export async function readNames(
  transaction: TenantTransaction,
  stationIds: readonly number[] | undefined,
): Promise<{ names: NamedRows; firstDataServerId: number }> {
  const read = async (table: NamedTable): Promise<NamedRow[]> => {
    const station = table === 'stations' ? sql`id` : sql`station_id`;
    const { rows } = await sql<NamedRow>`select id, name, ${station} as station_id from ${sql.table(table)}
      where tenant_id = ${transaction.tenantId} order by id`.execute(transaction);
    return rows;
  };
  const visible = (rows: NamedRow[]) => rows.filter(({ stationId }) => isOwn(stationIds, stationId));
  const dataServers = await read('dataServers');
  const names = {
    stations: visible(await read('stations')),
    dataServers: visible(dataServers),
    tagGroups: visible(await read('tagGroups')),
    scenarios: visible(await read('scenarios')),
  };
  return { names, firstDataServerId: dataServers[0]?.id ?? 0 };
}

/** Objects of all stations can be named by everybody. */
function isOwn(stationIds: readonly number[] | undefined, stationId: number | null): boolean {
  return stationIds === undefined || stationId === null || stationIds.includes(stationId);
}

/** The bounds of a page with every tag. */
export const everyTag: PageBounds = { offset: 0, limit: 2_147_483_647, descending: false };
