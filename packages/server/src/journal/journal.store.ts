import { sql } from 'kysely';
import { type Column, type RowSource, rowSource } from '../postgres/row-source.ts';
import type { Statement } from '../postgres/statement.ts';
import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The last ids and `seq` of the tenant. Only the transaction that holds their lock may change the tenant's alarms. */
export type TenantCounters = {
  seq: number;
  tagId: number;
  occurrenceId: number;
  textId: number;
  /** The time of the last change: times never go back, even if the clock does. */
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
  /** Whether it is sent to subscribers of `onAlarm`. */
  announce: boolean;
  /** The name that clients see. It is not unique. */
  actor: string;
  /** `user:12`, `key:5` or `system`. */
  actorId?: string;
  detail: string;
  /** The members of the tag's definition that were changed with it, each with its old and its new value. */
  change?: unknown;
  /** The alarm after the change, as clients see it. */
  alarm: unknown;
};

/**
 * Locks the tenant's counters until the transaction ends, and reads the time under that lock, so that `seq`, ids and
 * times of a tenant rise in the order of commits.
 */
export async function lockCounters({ client, tenantId }: BareTransaction): Promise<FoundCounters> {
  const { rows } = await client.query<
    TenantCounters & Omit<FoundCounters, keyof VersionedCounters> & { writer: string }
  >({
    name: 'lock-counters',
    text: `select seq, tag_id as "tagId", occurrence_id as "occurrenceId", text_id as "textId",
                  greatest(last_at, '0001-01-01Z') as "lastAt", clock_timestamp() as now,
                  xmin::text as writer, pg_current_xact_id()::xid::text as "ownWriter", ${configurationVersion}
           from tenant_counters where tenant_id = $1 for update`,
    values: [tenantId],
  });
  const row = rows[0];
  if (!row) throw new Error(`tenant ${tenantId} has no tenant counters`);
  const { now, writer, ownWriter, configurationVersion: configuration, ...counters } = row;
  const version = versionOf(writer, counters);
  return { counters, version, now, ownWriter, configurationVersion: configuration };
}

/** The counters as a transaction found them. */
export type FoundCounters = VersionedCounters & {
  now: Date;
  /** The id of this transaction, which becomes part of the next version of the counters. */
  ownWriter: string;
  /** The version of the tenant's configuration: stations, tag groups, call groups and so on. */
  configurationVersion: number;
};

const configurationVersion =
  'coalesce((select version from configuration_versions where tenant_id = $1), 0) as "configurationVersion"';

export type VersionedCounters = {
  counters: TenantCounters;
  /** Changes whenever the counters are written. */
  version: string;
};

/** The last writer of the counters and two counters that only rise, as `lock_tenant_counters` computes it. */
export function versionOf(writer: string, { seq, occurrenceId }: TenantCounters): string {
  return `${writer}/${seq}/${occurrenceId}`;
}

/**
 * Assumes the counters that a batch will leave which is still being written. The first statement that writes must be
 * `lockExpectedCounters`, which checks the assumption.
 */
export async function assumeCounters(
  { client, tenantId }: BareTransaction,
  assumed: VersionedCounters,
): Promise<FoundCounters> {
  const { rows } = await client.query<Omit<FoundCounters, keyof VersionedCounters>>({
    name: 'assume-counters',
    text: `select clock_timestamp() as now, pg_current_xact_id()::xid::text as "ownWriter", ${configurationVersion}`,
    values: [tenantId],
  });
  const [row] = rows;
  if (!row) throw new Error('the database did not tell the time');
  return { counters: assumed.counters, version: assumed.version, ...row };
}

/** Locks the tenant's counters. Fails if they have another version, and with it all statements behind it. */
export function lockExpectedCounters(tenantId: number, version: string): Statement {
  return {
    name: 'lock-expected-counters',
    text: 'select lock_tenant_counters($1, $2)',
    values: [tenantId, version],
  };
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
const appendedWithCounters = rowSource(columns, 7);

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

const appendWithCountersText = `
  with saved as (
    update tenant_counters set seq = $2, tag_id = $3, occurrence_id = $4, text_id = $5, last_at = $6 where tenant_id = $1
  ) ${appendText(appendedWithCounters)}`;

/** Appends to the tenant's journal and saves its counters. */
export function appendWithCounters(
  tenantId: number,
  entries: readonly JournalEntry[],
  { seq, tagId, occurrenceId, textId, lastAt }: TenantCounters,
): Statement {
  return {
    name: 'append-journal-with-counters',
    text: appendWithCountersText,
    values: [tenantId, seq, tagId, occurrenceId, textId, lastAt, ...appendedWithCounters.parameters(entries)],
  };
}

/** The entries that were committed after `seq`, in order and without a gap. */
export async function readJournal(
  transaction: TenantTransaction,
  { after, limit }: { after: number; limit: number },
): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`
    select seq, at, kind, tag_id, occurrence_id, station_id, announce, actor, detail, alarm
    from journal_after(${after}, ${limit}) order by seq`.execute(transaction);
  return rows;
}
