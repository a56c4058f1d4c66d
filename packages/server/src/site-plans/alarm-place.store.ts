import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { PositionRecord } from './site-plan.store.ts';

/** What places an alarm. */
export type Whereabouts = {
  tagId: number;
  stationId: number;
  tagGroupId: number | null;
  /** The beacons of its location, the best one first. */
  beaconIds: readonly string[];
};

export type PlaceRow = Pick<PositionRecord, 'object' | 'x' | 'y' | 'label'> & {
  planId: number;
  plan: string;
  mediaFileId: number;
  width: number;
  height: number;
};

/** The best position on the plans of the alarm's station: of the tag, a beacon, or the nearest tag group upwards. */
export async function findPlace(
  transaction: TenantTransaction,
  { tagId, stationId, tagGroupId, beaconIds }: Whereabouts,
): Promise<PlaceRow | undefined> {
  const { tenantId } = transaction;
  const { rows } = await sql<PlaceRow>`
    with recursive climb (id, parent_id, steps) as (
      select g.id, g.parent_id, 0 from tag_groups g where g.tenant_id = ${tenantId} and g.id = ${tagGroupId}::bigint
      union all
      select g.id, g.parent_id, c.steps + 1
      from climb c join tag_groups g on g.tenant_id = ${tenantId} and g.id = c.parent_id
    ), found as (
      select q.*, 0 as rank, 0 as steps from site_plan_positions q
      where q.tenant_id = ${tenantId} and q.tag_id = ${tagId}
      union all
      select q.*, 1, array_position(${[...beaconIds]}::text[], q.beacon_id) from site_plan_positions q
      where q.tenant_id = ${tenantId} and q.object = 'beacon' and q.beacon_id = any(${[...beaconIds]}::text[])
      union all
      select q.*, 2, c.steps from climb c
      join site_plan_positions q on q.tenant_id = ${tenantId} and q.tag_group_id = c.id
    )
    select f.object, f.x, f.y, f.label, p.id as plan_id, p.name as plan, p.media_file_id, p.width, p.height
    from found f join site_plans p on p.tenant_id = ${tenantId} and p.id = f.plan_id
    where p.station_id = ${stationId}
    order by f.rank, f.steps, p.id, f.number limit 1`.execute(transaction);
  return rows[0];
}
