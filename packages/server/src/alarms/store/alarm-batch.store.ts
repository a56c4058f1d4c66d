import { createHash } from 'node:crypto';
import { type Column, rowSource } from '../../postgres/row-source.ts';
import type { Statement } from '../../postgres/statement.ts';
import type { BareTransaction } from '../../postgres/tenant-transaction.ts';
import type { AlarmRecord } from '../decide/alarm-record.ts';
import { alarmRowColumns, tagColumns } from './alarm-columns.ts';
import { type RecordRow, recordColumns, recordOf } from './alarm-row.ts';

// Each look-up is a lateral join with a limit: PostgreSQL then uses the key, row by row, also while its statistics say
// that a table is small.

/** Tags by id, or by data server (0: the tenant's first) and path. */
export type TagKeys = { tagIds: number[]; places: { dataServerId: number; path: string }[] };

export async function findRecords(
  { client, tenantId }: BareTransaction,
  { tagIds, places }: TagKeys,
): Promise<AlarmRecord[]> {
  if (tagIds.length === 0 && places.length === 0) return [];
  const { rows } = await client.query<RecordRow>({
    name: 'find-records',
    text: `
      with places as materialized (
        select p.path, p.digest, coalesce(nullif(p.data_server_id, 0),
          (select min(id) from data_servers where tenant_id = $1)) as data_server_id
        from unnest($3::bigint[], $4::text[], $5::bytea[]) as p(data_server_id, path, digest)
      ), wanted as materialized (
        select unnest($2::bigint[]) as id
        union
        select found.id from places cross join lateral (select t.id from tags t
          where t.tenant_id = $1 and t.data_server_id = places.data_server_id and t.path_digest = places.digest
            and t.path = places.path limit 1) found
      )
      select ${recordColumns}, g.group_call_group_ids,
        (select json_object_agg(c.id, c.call_group_ids) from scenarios c
          where c.tenant_id = $1 and c.id = any (t.scenario_ids)) as scenario_call_groups
      from wanted
      cross join lateral (select * from alarms a where a.tenant_id = $1 and a.tag_id = wanted.id limit 1) a
      cross join lateral (select * from tags t where t.tenant_id = $1 and t.id = wanted.id limit 1) t
      cross join lateral (select * from stations s where s.tenant_id = $1 and s.id = t.station_id limit 1) s
      cross join lateral (select * from data_servers d where d.tenant_id = $1 and d.id = t.data_server_id limit 1) d
      left join lateral (
        select g.auto_acknowledge, (select c.call_group_ids from scenarios c
          where c.tenant_id = $1 and c.id = g.scenario_id) as group_call_group_ids
        from tag_groups g where g.tenant_id = $1 and g.id = t.tag_group_id limit 1
      ) g on true`,
    values: [
      tenantId,
      tagIds,
      places.map(({ dataServerId }) => dataServerId),
      places.map(({ path }) => path),
      places.map(({ path }) => pathDigest(path)),
    ],
  });
  return rows.map(recordOf);
}

/** As the column of that name is computed. */
function pathDigest(path: string): Buffer {
  return createHash('sha256').update(path).digest();
}

/** A tag never moves. */
const immutable = ['data_server_id', 'path'];

/** Inserts rows, or replaces those with the same key. */
function upsert(table: 'tags' | 'alarms', columns: readonly Column<AlarmRecord>[], key: string) {
  const rows = rowSource(columns, 2);
  const changed = columns
    .filter(({ name }) => name !== key && !immutable.includes(name))
    .map(({ name }) => `${name} = excluded.${name}`);
  const text = `insert into ${table} (tenant_id, ${rows.names}) select $1, ${rows.values} from ${rows.source}
    on conflict (tenant_id, ${key}) do update set ${changed.join(', ')}`;
  const name = `save-${table}`;
  return (tenantId: number, records: readonly AlarmRecord[]): Statement => ({
    name,
    text,
    values: [tenantId, ...rows.parameters(records)],
  });
}

export const saveTags = upsert('tags', tagColumns, 'id');

export const saveAlarms = upsert('alarms', alarmRowColumns, 'tag_id');
