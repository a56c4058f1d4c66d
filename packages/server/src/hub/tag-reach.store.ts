import { type RawBuilder, sql } from 'kysely';
import { callGroupsOfTag, scenariosOfTag } from '../alarms/alarm-reach.store.ts';
import type { Database } from '../postgres/database.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import type { Homes, TagReach } from './tag-reach.ts';

/** Of these tags, by their ids; as the filters of `GET /alarms` have it. */
export function readTagReach(
  database: Database,
  tenantId: number,
  tagIds: readonly number[],
): Promise<Map<number, TagReach>> {
  return readTenant(database, tenantId, async (transaction) => {
    const { rows } = await sql<TagReach & { id: number }>`
      select t.id, r.*, jsonb_build_object(
        'tagGroups', ${homesOf('tag_groups', 'r.tag_group_ids')},
        'scenarios', ${homesOf('scenarios', 'r.scenario_ids')},
        'callGroups', ${homesOf('call_groups', 'r.call_group_ids')}) as homes
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

/** Clients must not learn from a filter that there is something at a station which they may not see. */
function homesOf(table: 'tag_groups' | 'scenarios' | 'call_groups', ids: string): RawBuilder<Homes> {
  return sql.raw(`(select coalesce(jsonb_object_agg(h.id, h.station_id), '{}') from ${table} h
    where h.tenant_id = t.tenant_id and h.id = any (${ids}))`);
}
