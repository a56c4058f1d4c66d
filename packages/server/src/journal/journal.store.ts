import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The last numbers given out in the tenant. Whoever holds them is the only one who changes its alarms. */
export type Heads = {
  seq: number;
  tagId: number;
  occurrenceId: number;
  textId: number;
  /** When the last change took place: no later one is earlier, whatever the clock does. */
  lastAt: Date;
};

/** One change of an alarm, in the order of commits. */
export type JournalEntry = {
  seq: number;
  at: Date;
  kind: string;
  tagId: number;
  occurrenceId: number;
  stationId: number;
  /** Whether subscribers of `onAlarm` hear of it. */
  announce: boolean;
  actor: string;
  detail: string;
  /** The alarm after the change, as the interface shows it. */
  alarm: unknown;
};

/**
 * Takes the tenant's heads until the transaction ends, and the time under that lock: so `seq`, identifiers and
 * times of a tenant all rise in the order of commits.
 */
export async function lockHeads({ client, tenantId }: BareTransaction): Promise<{ heads: Heads; now: Date }> {
  const { rows } = await client.query<Heads & { now: Date }>({
    name: 'lock-heads',
    text: `select seq, tag_id as "tagId", occurrence_id as "occurrenceId", text_id as "textId",
                  greatest(last_at, '0001-01-01Z') as "lastAt", clock_timestamp() as now
           from heads where tenant_id = $1 for update`,
    values: [tenantId],
  });
  const row = rows[0];
  if (!row) throw new Error(`tenant ${tenantId} has no heads`);
  const { now, ...heads } = row;
  return { heads, now };
}

export async function saveHeads({ client, tenantId }: BareTransaction, heads: Heads): Promise<void> {
  await client.query({
    name: 'save-heads',
    text: `update heads set seq = $2, tag_id = $3, occurrence_id = $4, text_id = $5, last_at = $6
           where tenant_id = $1`,
    values: [tenantId, heads.seq, heads.tagId, heads.occurrenceId, heads.textId, heads.lastAt],
  });
}

export async function appendToJournal(
  { client, tenantId }: BareTransaction,
  entries: readonly JournalEntry[],
): Promise<void> {
  await client.query({
    name: 'append-journal',
    text: `insert into journal (tenant_id, seq, at, kind, tag_id, occurrence_id, station_id, announce, actor, detail, alarm)
           select $1, e.* from json_to_recordset($2) as e(seq bigint, at timestamptz, kind text, "tagId" bigint,
             "occurrenceId" bigint, "stationId" bigint, announce boolean, actor text, detail text, alarm json)`,
    values: [tenantId, JSON.stringify(entries)],
  });
}

/** What was committed after `seq`, in order and without a gap. */
export async function readJournal(
  transaction: TenantTransaction,
  { after, limit }: { after: number; limit: number },
): Promise<JournalEntry[]> {
  return transaction
    .selectFrom('journal')
    .select(entryColumns)
    .where('tenantId', '=', transaction.tenantId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

const entryColumns = [
  'seq',
  'at',
  'kind',
  'tagId',
  'occurrenceId',
  'stationId',
  'announce',
  'actor',
  'detail',
  'alarm',
] as const;

/** The entries of one alarm, for its timeline. */
export async function listTagEntries(
  transaction: TenantTransaction,
  tagId: number,
  { offset, limit, descending }: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: JournalEntry[]; total: number }> {
  const query = transaction
    .selectFrom('journal')
    .where('tenantId', '=', transaction.tenantId)
    .where('tagId', '=', tagId);
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .select(entryColumns)
    .orderBy('seq', descending ? 'desc' : 'asc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { rows, total };
}
