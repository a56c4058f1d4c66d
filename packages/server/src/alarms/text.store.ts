import { createHash } from 'node:crypto';
import { searchText } from '@tocsin/domain';
import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import type { AlarmBatch } from './alarm-batch.ts';
import type { OccurrenceText } from './alarm-record.ts';

type TextRow = {
  tag_id: number;
  message: string;
  comment: string;
  station_id: number;
  data_server_id: number;
  tag_group_id: number | null;
  call_group_ids: number[];
};

/** The texts of the current occurrences of these tags. */
export async function findOccurrenceTexts(
  { client, tenantId }: BareTransaction,
  tagIds: readonly number[],
): Promise<Map<number, OccurrenceText>> {
  if (tagIds.length === 0) return new Map();
  const { rows } = await client.query<TextRow>({
    name: 'find-occurrence-texts',
    text: `
      select a.tag_id, x.message, x.comment, x.station_id, x.data_server_id, x.tag_group_id, x.call_group_ids
      from unnest($2::bigint[]) as wanted(id)
      cross join lateral (select * from alarms a where a.tenant_id = $1 and a.tag_id = wanted.id limit 1) a
      cross join lateral (select o.text_id from occurrences o
        where o.tenant_id = $1 and o.id = a.occurrence_id and o.raised_at = a.raised_at limit 1) o
      cross join lateral (select * from texts x where x.tenant_id = $1 and x.id = o.text_id limit 1) x`,
    values: [tenantId, tagIds],
  });
  return new Map(rows.map((row) => [row.tag_id, textOfRow(row)]));
}

function textOfRow(row: TextRow): OccurrenceText {
  return {
    message: row.message,
    comment: row.comment,
    stationId: row.station_id,
    dataServerId: row.data_server_id,
    tagGroupId: row.tag_group_id,
    callGroupIds: row.call_group_ids,
  };
}

/** Keeps each distinct text of a tag once; the number of one that is there already goes unused. */
export async function saveTexts({ client, tenantId }: BareTransaction, batch: AlarmBatch): Promise<void> {
  const rows = [...batch.occurrences.values()].flatMap(({ tagId, text }) => {
    const definition = batch.records.get(tagId)?.definition;
    if (!text || !definition) return [];
    batch.heads.textId += 1;
    return {
      tenant_id: tenantId,
      id: batch.heads.textId,
      tag_id: tagId,
      digest: digestOf(text),
      message: text.message,
      comment: text.comment,
      search_text: searchText([definition.path, definition.name, text.message, text.comment]),
      station_id: text.stationId,
      data_server_id: text.dataServerId,
      tag_group_id: text.tagGroupId,
      call_group_ids: text.callGroupIds,
    };
  });
  if (rows.length === 0) return;
  await client.query({
    name: 'save-texts',
    text: `insert into texts select * from json_populate_recordset(null::texts, $1)
           on conflict (tag_id, digest, tenant_id) do nothing`,
    values: [JSON.stringify(rows)],
  });
}

/** What makes two texts of a tag the same. */
export function digestOf({
  message,
  comment,
  stationId,
  dataServerId,
  tagGroupId,
  callGroupIds,
}: OccurrenceText): string {
  const facts = [message, comment, stationId, dataServerId, tagGroupId, callGroupIds];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);
}
