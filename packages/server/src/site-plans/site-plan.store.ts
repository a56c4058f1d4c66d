import { searchText } from '@tocsin/domain';
import { sql } from 'kysely';
import { createCollectionStore, type StoredRow } from '../postgres/collections/collection-store.ts';
import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The place of a tag, a tag group or a beacon on a plan. */
export type PositionRecord = {
  object: 'tag' | 'tagGroup' | 'beacon';
  /** 0 for a beacon. */
  objectId: number;
  /** Empty for others. */
  beaconId: string;
  x: number;
  y: number;
  label: string;
};

export type SitePlanRecord = {
  stationId: number;
  name: string;
  mediaFileId: number;
  width: number;
  height: number;
  positions: readonly PositionRecord[];
};

const plans = createCollectionStore({
  table: 'sitePlans',
  kind: 'site-plan',
  columns: [
    'id',
    'stationId',
    'name',
    'mediaFileId',
    sql<string>`(select m.name from media_files m
      where m.tenant_id = site_plans.tenant_id and m.id = site_plans.media_file_id)`.as('image'),
    'width',
    'height',
    'version',
    'lastChange',
  ],
  filters: ['stationId'],
  toColumns: ({ stationId, name, mediaFileId, width, height }: SitePlanRecord) => ({
    stationId,
    name,
    mediaFileId,
    width,
    height,
    searchText: searchText([name]),
  }),
});

export type SitePlanRow = StoredRow<typeof plans> & { positions: PositionRecord[] };

export async function listSitePlans(
  transaction: TenantTransaction,
  query: StationScope & { stationId: number; search?: string | undefined },
  page: PageBounds,
): Promise<PageOfRows<SitePlanRow>> {
  const { rows, total } = await plans.list(transaction, query, page);
  return { rows: await withPositions(transaction, rows), total };
}

export async function findSitePlan(
  transaction: TenantTransaction,
  id: number,
  options: StationScope & { forUpdate: boolean },
): Promise<SitePlanRow | undefined> {
  const row = await plans.find(transaction, id, options);
  const [found] = await withPositions(transaction, row ? [row] : []);
  return found;
}

export async function insertSitePlan(transaction: TenantTransaction, plan: SitePlanRecord): Promise<number> {
  const id = await plans.insert(transaction, plan);
  await insertPositions(transaction, id, plan.positions);
  return id;
}

export async function updateSitePlan(
  transaction: TenantTransaction,
  id: number,
  plan: SitePlanRecord,
): Promise<void> {
  await plans.update(transaction, id, plan);
  await transaction
    .deleteFrom('sitePlanPositions')
    .where('tenantId', '=', transaction.tenantId)
    .where('planId', '=', id)
    .execute();
  await insertPositions(transaction, id, plan.positions);
}

export const deleteSitePlan = plans.remove;

async function withPositions(
  transaction: TenantTransaction,
  rows: readonly StoredRow<typeof plans>[],
): Promise<SitePlanRow[]> {
  if (rows.length === 0) return [];
  const positions = await transaction
    .selectFrom('sitePlanPositions')
    .select(['planId', sql<PositionRecord['object']>`object`.as('object'), 'objectId', 'beaconId'])
    .select(['x', 'y', 'label'])
    .where('tenantId', '=', transaction.tenantId)
    .where(
      'planId',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('number')
    .execute();
  const ofPlan = Map.groupBy(positions, ({ planId }) => planId);
  return rows.map((row) => ({ ...row, positions: ofPlan.get(row.id) ?? [] }));
}

/** In one statement with lists as parameters, because a plan has thousands of positions. */
async function insertPositions(
  transaction: TenantTransaction,
  planId: number,
  positions: readonly PositionRecord[],
): Promise<void> {
  if (positions.length === 0) return;
  await sql`
    insert into site_plan_positions (tenant_id, plan_id, number, object, object_id, beacon_id, x, y, label)
    select ${transaction.tenantId}, ${planId}, p.number, p.object, p.object_id, p.beacon_id, p.x, p.y, p.label
    from unnest(
      ${positions.map(({ object }) => object)}::text[], ${positions.map(({ objectId }) => objectId)}::bigint[],
      ${positions.map(({ beaconId }) => beaconId)}::text[], ${positions.map(({ x }) => x)}::float8[],
      ${positions.map(({ y }) => y)}::float8[], ${positions.map(({ label }) => label)}::text[]
    ) with ordinality as p(object, object_id, beacon_id, x, y, label, number)`.execute(transaction);
}

/** Which of these tags do not belong to the station. Locks the others against deletion. */
export async function tagsNotOfStation(
  transaction: TenantTransaction,
  stationId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const missing = new Set(ids);
  if (missing.size === 0) return missing;
  const { rows } = await sql<{ id: number }>`
    select id from tags where tenant_id = ${transaction.tenantId} and id = any(${[...missing]}::bigint[])
      and station_id = ${stationId}
    order by id for key share`.execute(transaction);
  for (const { id } of rows) missing.delete(id);
  return missing;
}
