import { type RawBuilder, sql } from 'kysely';
import { callGroupsOfTag, scenariosOfTag } from '../../alarms/store/alarm-reach.store.ts';
import type { Database } from '../../postgres/database.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import type { StationById, TagReach } from '../subscriptions/tag-reach.ts';

/** The reach of tags by their ids, by the same rules as the filters of `GET /alarms`. */
export function readTagReach(
  database: Database,
  tenantId: number,
  tagIds: readonly number[],
): Promise<Map<number, TagReach>> {
  return readTenant(database, tenantId, async (transaction) => {
    const { rows } = await sql<TagReach & { id: number }>`
      select t.id, r.*, jsonb_build_object(
        'tagGroups', ${stationsOf('tag_groups', 'r.tag_group_ids')},
        'scenarios', ${stationsOf('scenarios', 'r.scenario_ids')},
        'callGroups', ${stationsOf('call_groups', 'r.call_group_ids')}) as station_of
      from tags t cross join lateral (
        select ${sql.raw(scenariosOfTag)} as scenario_ids, ${sql.raw(callGroupsOfTag)} as call_group_ids,
          array(
            with recursive above as (
              select g.id, g.parent_id from tag_groups g where g.tenant_id = t.tenant_id and g.id = t.tag_group_id
              union
              select g.id, g.parent_id from tag_groups g join above on g.id = above.parent_id
              where g.tenant_id = t.tenant_id)
            select id from above) as tag_group_ids) r
      where t.tenant_id = ${tenantId} and t.id = any (${[...tagIds]}::bigint[])`.execute(transaction);
    return new Map(rows.map(({ id, ...reach }) => [id, reach]));
  });
}

/** Needed so that no client learns from a filter what exists at a station that it may not see. */
function stationsOf(table: 'tag_groups' | 'scenarios' | 'call_groups', ids: string): RawBuilder<StationById> {
  return sql.raw(`(select coalesce(jsonb_object_agg(h.id, h.station_id), '{}') from ${table} h
    where h.tenant_id = t.tenant_id and h.id = any (${ids}))`);
}
