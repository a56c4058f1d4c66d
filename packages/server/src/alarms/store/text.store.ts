import { searchText } from '@tocsin/domain';
import { groupByMonth, withinMonth } from '../../postgres/month-bounds.ts';
import { awaitPipelined } from '../../postgres/pipeline.ts';
import { type Column, rowSource } from '../../postgres/row-source.ts';
import type { Statement } from '../../postgres/statement.ts';
import type { BareTransaction } from '../../postgres/tenant-transaction.ts';
import type { AlarmBatch } from '../decide/alarm-batch.ts';
import type { AlarmRecord, OccurrenceText, TagDefinition } from '../decide/alarm-record.ts';
import { digestOf } from '../decide/text-digest.ts';

type TextRow = {
  tag_id: number;
  message: string;
  comment: string;
  station_id: number;
  data_server_id: number;
  tag_group_id: number | null;
  call_group_ids: number[];
};

/** The texts of the current occurrences of these tags, by tag. One statement for each month of raises. */
export async function findOccurrenceTexts(
  { client, tenantId }: BareTransaction,
  records: readonly AlarmRecord[],
): Promise<Map<number, OccurrenceText>> {
  const months = groupByMonth(records, ({ status }) => status.raisedAt);
  const results = await awaitPipelined(
    [...months].map(([month, ofMonth]) =>
      client.query<TextRow>({
        name: `find-occurrence-texts-${month}`,
        text: findTextsOf(month),
        values: [
          tenantId,
          ofMonth.map(({ tagId }) => tagId),
          ofMonth.map(({ status }) => status.occurrenceId),
          ofMonth.map(({ status }) => status.raisedAt),
        ],
      }),
    ),
  );
  return new Map(results.flatMap(({ rows }) => rows.map((row) => [row.tag_id, textOfRow(row)] as const)));
}

const findTextsOf = (month: string) => `
  select wanted.tag_id, x.message, x.comment, x.station_id, x.data_server_id, x.tag_group_id, x.call_group_ids
  from unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) as wanted(tag_id, occurrence_id, raised_at)
  cross join lateral (select o.text_id from occurrences o
    where o.tenant_id = $1 and o.id = wanted.occurrence_id and o.raised_at = wanted.raised_at
      and ${withinMonth('o.raised_at', month)} limit 1) o
  cross join lateral (select * from texts x where x.tenant_id = $1 and x.id = o.text_id limit 1) x`;

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

type TextDraft = { id: number; tagId: number; definition: TagDefinition; text: OccurrenceText };

const columns: Column<TextDraft>[] = [
  { name: 'id', type: 'bigint', of: ({ id }) => id },
  { name: 'tag_id', type: 'bigint', of: ({ tagId }) => tagId },
  { name: 'digest', type: 'text', of: ({ text }) => digestOf(text) },
  { name: 'message', type: 'text', of: ({ text }) => text.message },
  { name: 'comment', type: 'text', of: ({ text }) => text.comment },
  {
    name: 'search_text',
    type: 'text',
    of: ({ definition: { path, name }, text }) => searchText([path, name, text.message, text.comment]),
  },
  { name: 'station_id', type: 'bigint', of: ({ text }) => text.stationId },
  { name: 'data_server_id', type: 'bigint', of: ({ text }) => text.dataServerId },
  { name: 'tag_group_id', type: 'bigint', of: ({ text }) => text.tagGroupId },
  {
    name: 'call_group_ids',
    type: 'text',
    as: 'bigint[]',
    of: ({ text }) => `{${text.callGroupIds.join(',')}}`,
  },
];
const saved = rowSource(columns, 2);

/**
 * Stores each distinct text of a tag once. Counts `textId` of the batch on; the id of a text that exists already stays
 * unused. Undefined if there are no texts to store.
 */
export function saveTexts(tenantId: number, batch: AlarmBatch): Statement | undefined {
  const rows = [...batch.occurrences.values()].flatMap(({ tagId, text, textId }): TextDraft[] => {
    const definition = batch.records.get(tagId)?.definition;
    if (!text || textId !== undefined || !definition) return [];
    batch.counters.textId += 1;
    return [{ id: batch.counters.textId, tagId, definition, text }];
  });
  if (rows.length === 0) return undefined;
  return {
    name: 'save-texts',
    text: `insert into texts (tenant_id, ${saved.names}) select $1, ${saved.values} from ${saved.source}
           on conflict (tag_id, digest, tenant_id) do nothing`,
    values: [tenantId, ...saved.parameters(rows)],
  };
}
