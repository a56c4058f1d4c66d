import { type Column, type RowSource, rowSource } from '../postgres/row-source.ts';
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
  /** A name, as the interface shows it. Others may have the same one. */
  actor: string;
  /** `user:12`, `key:5` or `system`. */
  actorId?: string;
  detail: string;
  /** The members of the tag's definition that were changed with it, each with its old and its new value. */
  change?: unknown;
  /** The alarm after the change, as the interface shows it. */
  alarm: unknown;
};

/**
 * Takes the tenant's heads until the transaction ends, and the time under that lock: so `seq`, identifiers and
 * times of a tenant all rise in the order of commits.
 */
export async function lockHeads({ client, tenantId }: BareTransaction): Promise<FoundHeads> {
  const { rows } = await client.query<Heads & Omit<FoundHeads, keyof VersionedHeads> & { writer: string }>({
    name: 'lock-heads',
    text: `select seq, tag_id as "tagId", occurrence_id as "occurrenceId", text_id as "textId",
                  greatest(last_at, '0001-01-01Z') as "lastAt", clock_timestamp() as now,
                  xmin::text as writer, pg_current_xact_id()::xid::text as "ownWriter", ${directoryVersion}
           from heads where tenant_id = $1 for update`,
    values: [tenantId],
  });
  const row = rows[0];
  if (!row) throw new Error(`tenant ${tenantId} has no heads`);
  const { now, writer, ownWriter, directoryVersion: directory, ...heads } = row;
  return { heads, version: versionOf(writer, heads), now, ownWriter, directoryVersion: directory };
}

/** The heads as a transaction found them. */
export type FoundHeads = VersionedHeads & {
  now: Date;
  /** This transaction, for the version of the heads that it leaves. */
  ownWriter: string;
  /** Of what surrounds the tenant's alarms. */
  directoryVersion: number;
};

const directoryVersion =
  'coalesce((select version from call_directories where tenant_id = $1), 0) as "directoryVersion"';

export type VersionedHeads = {
  heads: Heads;
  /** Differs whenever somebody has written the heads in between. */
  version: string;
};

/** As `take_heads` puts it together: who wrote the heads last, and two numbers that only rise. */
export function versionOf(writer: string, { seq, occurrenceId }: Heads): string {
  return `${writer}/${seq}/${occurrenceId}`;
}

/**
 * Goes by the heads that a batch will leave which is still being written. Nothing may be written before `takeHeads`
 * has found them to be right.
 */
export async function supposeHeads(
  { client, tenantId }: BareTransaction,
  supposed: VersionedHeads,
): Promise<FoundHeads> {
  const { rows } = await client.query<Omit<FoundHeads, keyof VersionedHeads>>({
    name: 'suppose-heads',
    text: `select clock_timestamp() as now, pg_current_xact_id()::xid::text as "ownWriter", ${directoryVersion}`,
    values: [tenantId],
  });
  const [row] = rows;
  if (!row) throw new Error('the database did not tell the time');
  return { heads: supposed.heads, version: supposed.version, ...row };
}

/** Locks the tenant's heads, as `lockHeads` does. Fails, and all behind it with it, if they are of another version. */
export function takeHeads({ client, tenantId }: BareTransaction, version: string): Promise<unknown> {
  return client.query({
    name: 'take-heads',
    text: 'select take_heads($1, $2)',
    values: [tenantId, version],
  });
}

const columns: Column<JournalEntry>[] = [
  { name: 'seq', type: 'bigint', of: ({ seq }) => seq },
  { name: 'at', type: 'timestamptz', of: ({ at }) => at },
  { name: 'kind', type: 'text', of: ({ kind }) => kind },
  { name: 'tag_id', type: 'bigint', of: ({ tagId }) => tagId },
  { name: 'occurrence_id', type: 'bigint', of: ({ occurrenceId }) => occurrenceId },
  { name: 'station_id', type: 'bigint', of: ({ stationId }) => stationId },
  { name: 'announce', type: 'boolean', of: ({ announce }) => announce },
  { name: 'actor', type: 'text', of: ({ actor }) => actor },
  { name: 'actor_id', type: 'text', of: ({ actorId }) => actorId ?? null },
  { name: 'detail', type: 'text', of: ({ detail }) => detail },
  {
    name: 'definition_change',
    type: 'text',
    as: 'json',
    of: ({ change }) => (change === undefined ? null : JSON.stringify(change)),
  },
  { name: 'alarm', type: 'text', as: 'json', of: ({ alarm }) => JSON.stringify(alarm) },
];
const appendText = ({ names, values, source }: RowSource<JournalEntry>) =>
  `insert into journal (tenant_id, ${names}) select $1, ${values} from ${source}`;
const appended = rowSource(columns, 2);
const closing = rowSource(columns, 7);

export async function appendToJournal(
  { client, tenantId }: BareTransaction,
  entries: readonly JournalEntry[],
): Promise<void> {
  await client.query({
    name: 'append-journal',
    text: appendText(appended),
    values: [tenantId, ...appended.parameters(entries)],
  });
}

const closeText = `
  with saved as (
    update heads set seq = $2, tag_id = $3, occurrence_id = $4, text_id = $5, last_at = $6 where tenant_id = $1
  ) ${appendText(closing)}`;

/** Adds to the tenant's journal, and leaves the heads as they are now. */
export function closeJournal(
  { client, tenantId }: BareTransaction,
  entries: readonly JournalEntry[],
  heads: Heads,
): Promise<unknown> {
  const { seq, tagId, occurrenceId, textId, lastAt } = heads;
  return client.query({
    name: 'close-journal',
    text: closeText,
    values: [tenantId, seq, tagId, occurrenceId, textId, lastAt, ...closing.parameters(entries)],
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
