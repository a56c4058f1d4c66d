import { stateBits } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../../http/page.ts';
import { searchTermsIn } from '../../postgres/collections/search.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { AlarmRecord } from '../decide/alarm-record.ts';
import { callGroupsOfTag, scenariosOfTag } from './alarm-reach.store.ts';
import { type RecordRow, recordColumns, recordOf } from './alarm-row.ts';
import { currentAlarms } from './current-alarms.store.ts';

/** A filter of current alarms; absent members match all. */
export type AlarmFilter = {
  stationId?: number | undefined;
  dataServerId?: number | undefined;
  /** With its sub-groups. */
  tagGroupId?: number | undefined;
  /** Named by the actions, or by the scenario of the tag group. */
  scenarioId?: number | undefined;
  /** Named by the actions, directly or through a scenario. */
  callGroupId?: number | undefined;
  /** Bits 0 and 1 of the state. */
  alarmState?: number | undefined;
  inactiveMasked: boolean;
  search?: string | undefined;
  /** Stations that the reader may see; absent means all. */
  stationIds?: readonly number[] | undefined;
};

const condition = stateBits.active | stateBits.unacknowledged;
const masked = stateBits.maskedByUser | stateBits.maskedByRule;

const recordJoins = `
  join tags t on t.tenant_id = a.tenant_id and t.id = a.tag_id
  join stations s on s.tenant_id = t.tenant_id and s.id = t.station_id
  join data_servers d on d.tenant_id = t.tenant_id and d.id = t.data_server_id
  left join tag_groups g on g.tenant_id = t.tenant_id and g.id = t.tag_group_id`;

export async function listAlarms(
  transaction: TenantTransaction,
  filter: AlarmFilter,
  { offset, limit, descending }: PageRequest,
): Promise<{ records: AlarmRecord[]; total: number }> {
  const where = sql.join(conditions(transaction, filter), sql` and `);
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${sql.raw(currentAlarms)} join tags t on t.tenant_id = a.tenant_id and t.id = a.tag_id
    where ${where}`.execute(transaction.withoutPlugins());
  const { rows } = await sql<RecordRow>`
    select ${sql.raw(recordColumns)} from ${sql.raw(currentAlarms)} ${sql.raw(recordJoins)} where ${where}
    order by r.tag_id ${descending ? sql`desc` : sql`asc`}
    offset ${offset} limit ${limit}`.execute(transaction.withoutPlugins());
  return { records: rows.map(recordOf), total: counted.rows[0]?.total ?? 0 };
}

export async function findAlarm(
  transaction: TenantTransaction,
  tagId: number,
): Promise<AlarmRecord | undefined> {
  const { rows } = await sql<RecordRow>`
    select ${sql.raw(recordColumns)} from alarms a ${sql.raw(recordJoins)}
    where a.tenant_id = ${transaction.tenantId} and a.tag_id = ${tagId}`.execute(
    transaction.withoutPlugins(),
  );
  return rows[0] && recordOf(rows[0]);
}

function conditions({ tenantId }: TenantTransaction, filter: AlarmFilter): RawBuilder<unknown>[] {
  const { stationId, dataServerId, tagGroupId, scenarioId, callGroupId, alarmState, stationIds } = filter;
  return [
    sql`r.tenant_id = ${tenantId}`,
    listed(filter),
    stationId !== undefined && sql`t.station_id = ${stationId}`,
    dataServerId !== undefined && sql`t.data_server_id = ${dataServerId}`,
    tagGroupId !== undefined && sql`t.tag_group_id in (select tag_group_subtree(${tagGroupId}))`,
    scenarioId !== undefined && sql`${sql.raw(scenariosOfTag)} @> array[${scenarioId}::bigint]`,
    callGroupId !== undefined && sql`${sql.raw(callGroupsOfTag)} @> array[${callGroupId}::bigint]`,
    alarmState !== undefined && sql`a.state & ${condition} = ${alarmState}::bigint`,
    stationIds !== undefined && sql`t.station_id = any (${[...stationIds]}::bigint[])`,
    searchTermsIn(['t.search_text', 'a.search_text'], filter.search),
  ].filter((part) => part !== false);
}

/** The rule of the domain's `isListed`: masked tags that are not in alarm on demand only, and no temporary ones. */
function listed({ inactiveMasked }: AlarmFilter): RawBuilder<unknown> {
  const quietMasked = sql`(a.state & ${condition} = 0 and a.state & ${masked} <> 0)`;
  if (!inactiveMasked) return sql`a.state <> 0 and not ${quietMasked}`;
  return sql`a.state <> 0 and not (${quietMasked} and t.temporary)`;
}

/** The tags of the tenant whose masks have expired. */
export async function expiredMasks(transaction: TenantTransaction, now: Date): Promise<number[]> {
  const rows = await transaction
    .selectFrom('alarms')
    .select('tagId')
    .where('tenantId', '=', transaction.tenantId)
    .where('maskUntil', '<=', now)
    .orderBy('tagId')
    .limit(1_000)
    .execute();
  return rows.map(({ tagId }) => tagId);
}

export async function tenantsWithExpiredMasks(transaction: TenantTransaction, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select tenants_with_expired_masks(${now}) as id`.execute(
    transaction,
  );
  return rows.map(({ id }) => id);
}
