import { createHash } from 'node:crypto';
import { searchText } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { AlarmBatch } from './alarm-batch.ts';
import { callGroupsOfTag } from './alarm-reach.store.ts';
import type { AlarmRecord, OccurrenceDraft } from './alarm-record.ts';
import { alarmRowOf, type RecordRow, recordColumns, recordOf, tagRowOf } from './alarm-row.ts';

// These statements run while tables are new as well as when they are large. A look-up in a lateral join with a limit
// is always done by its key, row by row, whatever the planner believes of the tables' sizes.

/** The tags a batch speaks of: by number, or by data server (0: the tenant's first) and path. */
export type WantedTags = { tagIds: number[]; places: { dataServerId: number; path: string }[] };

export async function findRecords(
  { client, tenantId }: TenantTransaction,
  { tagIds, places }: WantedTags,
): Promise<AlarmRecord[]> {
  const { rows } = await client.query<RecordRow>({
    name: 'find-records',
    text: `
      with wanted as materialized (
        select unnest($2::bigint[]) as id
        union
        select found.id from unnest($3::bigint[], $4::text[]) as p(data_server_id, path)
        cross join lateral (select t.id from tags t where t.tenant_id = $1 and t.path = p.path and t.data_server_id =
          case p.data_server_id when 0 then (select min(id) from data_servers where tenant_id = $1)
          else p.data_server_id end limit 1) found
      )
      select ${recordColumns} from wanted
      cross join lateral (select * from alarms a where a.tenant_id = $1 and a.tag_id = wanted.id limit 1) a
      cross join lateral (select * from tags t where t.tenant_id = $1 and t.id = wanted.id limit 1) t
      cross join lateral (select * from stations s where s.tenant_id = $1 and s.id = t.station_id limit 1) s
      cross join lateral (select * from data_servers d where d.tenant_id = $1 and d.id = t.data_server_id limit 1) d
      left join lateral (select * from tag_groups g where g.tenant_id = $1 and g.id = t.tag_group_id limit 1) g on true`,
    values: [
      tenantId,
      tagIds,
      places.map(({ dataServerId }) => dataServerId),
      places.map(({ path }) => path),
    ],
  });
  return rows.map(recordOf);
}

/** The messages that the current occurrences of these tags were raised with. */
export async function findOccurrenceMessages(
  { client, tenantId }: TenantTransaction,
  tagIds: readonly number[],
): Promise<Map<number, string>> {
  if (tagIds.length === 0) return new Map();
  const { rows } = await client.query<{ tag_id: number; message: string }>(
    `select a.tag_id, x.message from alarms a
     join occurrences o on o.tenant_id = a.tenant_id and o.id = a.occurrence_id and o.raised_at = a.raised_at
     join texts x on x.tenant_id = o.tenant_id and x.id = o.text_id
     where a.tenant_id = $1 and a.tag_id = any ($2)`,
    [tenantId, tagIds],
  );
  return new Map(rows.map(({ tag_id: tagId, message }) => [tagId, message]));
}

const excluded = (columns: string) =>
  columns
    .split(/,\s*/)
    .map((column) => `${column.trim()} = excluded.${column.trim()}`)
    .join(', ');

const tagColumns = `station_id, tag_group_id, name, localized_name, priority, temporary, condition_value, transitory,
  reactivatable, resettable, alarm_delay, alarm_message, alarm_format, alarm_short_message, alarm_vocal_message_file,
  alarm_attached_file, alarm_actions, reset_message, reset_format, reset_short_message, reset_vocal_message_file,
  reset_attached_file, reset_actions, ack_message, ack_format, ack_short_message, ack_vocal_message_file,
  ack_attached_file, ack_actions, call_group_ids, scenario_ids, search_text`;

const alarmColumns = `state, value, location, raised_at, last_change, occurrence_id, repeats, ack_user, comment,
  search_text, mask_until, mask_reason, mask_by`;

/** Writes the tags, standings, texts and occurrences of a batch. All statements go out together. */
export async function saveBatch(transaction: TenantTransaction, batch: AlarmBatch): Promise<void> {
  const pick = (ids: Iterable<number>) =>
    [...ids].toSorted((a, b) => a - b).flatMap((id) => batch.records.get(id) ?? []);
  const drafts = [...batch.occurrences.values()];
  const started = drafts.filter(({ started: start }) => start !== undefined);
  const changed = drafts.filter(({ started: start }) => start === undefined);
  await Promise.all([
    saveTags(transaction, pick(batch.redefined)),
    saveAlarms(transaction, pick(new Set([...batch.redefined, ...batch.moved]))),
    saveTexts(transaction, batch, drafts),
    insertOccurrences(transaction, started),
    updateOccurrences(transaction, changed),
  ]);
}

async function saveTags(
  { client, tenantId }: TenantTransaction,
  records: readonly AlarmRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await client.query({
    name: 'save-tags',
    text: `insert into tags select * from json_populate_recordset(null::tags, $1)
           on conflict (tenant_id, id) do update set ${excluded(tagColumns)}`,
    values: [JSON.stringify(records.map((record) => tagRowOf(tenantId, record)))],
  });
}

async function saveAlarms(
  { client, tenantId }: TenantTransaction,
  records: readonly AlarmRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await client.query({
    name: 'save-alarms',
    text: `insert into alarms select * from json_populate_recordset(null::alarms, $1)
           on conflict (tenant_id, tag_id) do update set ${excluded(alarmColumns)}`,
    values: [JSON.stringify(records.map((record) => alarmRowOf(tenantId, record)))],
  });
}

/** Each distinct text of a tag is kept once; the number of one that is there already goes unused. */
async function saveTexts(
  { client, tenantId }: TenantTransaction,
  batch: AlarmBatch,
  drafts: readonly OccurrenceDraft[],
): Promise<void> {
  const rows = drafts.flatMap(({ tagId, text }) => {
    const definition = batch.records.get(tagId)?.definition;
    if (!text || !definition) return [];
    batch.heads.textId += 1;
    const words = searchText([definition.path, definition.name, text.message, text.comment]);
    return {
      tenant_id: tenantId,
      id: batch.heads.textId,
      tag_id: tagId,
      digest: digestOf(text),
      ...text,
      search_text: words,
    };
  });
  if (rows.length === 0) return;
  await client.query({
    name: 'save-texts',
    text: `insert into texts select * from json_populate_recordset(null::texts, $1)
           on conflict (tenant_id, tag_id, digest) do nothing`,
    values: [JSON.stringify(rows)],
  });
}

function digestOf({ message, comment }: { message: string; comment: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([message, comment]))
    .digest('base64url')
    .slice(0, 22);
}

async function insertOccurrences(
  { client, tenantId }: TenantTransaction,
  drafts: readonly OccurrenceDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  await client.query({
    name: 'insert-occurrences',
    text: `
      insert into occurrences (tenant_id, id, raised_at, tag_id, station_id, data_server_id, tag_group_id, priority,
        text_id, call_group_ids, acknowledged_at, ack_user_id, reset_at, repeats)
      select $1, o.id, o."raisedAt", o."tagId", o."stationId", o."dataServerId", o."tagGroupId", o.priority, x.id,
        ${callGroupsOfTag}, o."acknowledgedAt", o."ackUserId", o."resetAt", o."addedRepeats"
      from json_to_recordset($2) as o(id bigint, "raisedAt" timestamptz, "tagId" bigint, "stationId" bigint,
        "dataServerId" bigint, "tagGroupId" bigint, priority bigint, digest text, "acknowledgedAt" timestamptz,
        "ackUserId" bigint, "resetAt" timestamptz, "addedRepeats" integer)
      cross join lateral (select * from tags t where t.tenant_id = $1 and t.id = o."tagId" limit 1) t
      cross join lateral (select x.id from texts x
        where x.tenant_id = $1 and x.tag_id = o."tagId" and x.digest = o.digest limit 1) x`,
    values: [tenantId, JSON.stringify(drafts.map(flatDraft))],
  });
}

async function updateOccurrences(
  { client, tenantId }: TenantTransaction,
  drafts: readonly OccurrenceDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  await client.query({
    name: 'update-occurrences',
    text: `
      update occurrences o set
        acknowledged_at = coalesce(u."acknowledgedAt", o.acknowledged_at),
        ack_user_id = coalesce(u."ackUserId", o.ack_user_id),
        reset_at = coalesce(u."resetAt", o.reset_at),
        repeats = o.repeats + u."addedRepeats",
        text_id = coalesce(x.id, o.text_id)
      from json_to_recordset($2) as u(id bigint, "raisedAt" timestamptz, "tagId" bigint, digest text,
        "acknowledgedAt" timestamptz, "ackUserId" bigint, "resetAt" timestamptz, "addedRepeats" integer)
      left join lateral (select x.id from texts x
        where x.tenant_id = $1 and x.tag_id = u."tagId" and x.digest = u.digest limit 1) x on true
      where o.tenant_id = $1 and o.id = u.id and o.raised_at = u."raisedAt" and o.id = any ($3)`,
    values: [tenantId, JSON.stringify(drafts.map(flatDraft)), drafts.map(({ id }) => id)],
  });
}

function flatDraft({ started, text, ...draft }: OccurrenceDraft) {
  return { ...draft, ...started, ...(text && { digest: digestOf(text) }) };
}
