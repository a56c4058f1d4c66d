import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { outsideTenants, readTenant } from '../../postgres/tenant-transaction.ts';
import type { FeedEntry } from '../subscriptions/feed-entry.ts';

type EntryRow = Omit<FeedEntry, 'at' | 'alarmJson'> & { at: Date; alarm: string };

/** The entries committed after `after`, in order and without a gap. */
export function readFeed(
  database: Database,
  tenantId: number,
  { after, limit }: { after: number; limit: number },
): Promise<FeedEntry[]> {
  return readTenant(database, tenantId, async (transaction) => {
    const { rows } = await sql<EntryRow>`
      select seq, at, kind, station_id, announce, alarm::text as alarm
      from journal_after(${after}, ${limit}) order by seq`.execute(transaction);
    return rows.map(toEntry);
  });
}

function toEntry({ seq, at, kind, stationId, announce, alarm }: EntryRow): FeedEntry {
  return { seq, at: at.getTime(), kind, stationId, announce, alarmJson: alarm };
}

/** The last entry of a tenant's journal that a server knows; its time is unknown until it was compared. */
export type KnownEntry = { readonly tenantId: number; readonly seq: number; readonly at: number | undefined };

/** The end of a journal, and the time of the known entry; undefined if that entry is no longer kept. */
export type JournalState = { readonly end: number; readonly knownAt: number | undefined };

/** The states of these tenants' journals in one query, and the time of the query. */
export function readJournalStates(
  database: Database,
  known: readonly KnownEntry[],
): Promise<{ states: Map<number, JournalState>; now: Date }> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<{ tenantId: number; seq: number; knownAt: Date | null }>`
      select tenant_id, seq, known_at from journal_positions(
        ${known.map(({ tenantId }) => tenantId)}::bigint[],
        ${known.map(({ seq }) => seq)}::bigint[],
        ${known.map(({ at }) => (at === undefined ? null : new Date(at)))}::timestamptz[])`.execute(
      transaction,
    );
    const stateOf = ({ tenantId, seq, knownAt }: (typeof rows)[number]) =>
      [tenantId, { end: seq, knownAt: knownAt?.getTime() }] as const;
    return { states: new Map(rows.map(stateOf)), now: transaction.now };
  });
}

/** A server's memory of a journal that was replaced. */
export type RememberedJournal = {
  /** The latest entries by number and time, in order. */
  readonly marks: readonly { readonly seq: number; readonly at: number }[];
  readonly end: number;
  /** When the journal was last found to be the same. */
  readonly lastSameAt: Date;
};

/** The last entry that the journal has in common with the remembered one. */
export function readFork(
  database: Database,
  tenantId: number,
  { marks, end, lastSameAt }: RememberedJournal,
): Promise<number> {
  return readTenant(database, tenantId, async (transaction) => {
    const first = marks[0]?.seq ?? end + 1;
    const { rows } = await sql<{ seq: number; at: Date }>`
      select seq, at from journal where tenant_id = ${tenantId} and seq between ${first} and ${end}`.execute(
      transaction,
    );
    const times = new Map(rows.map(({ seq, at }) => [seq, at.getTime()]));
    const common = marks.findLast(({ seq, at }) => times.get(seq) === at);
    if (common) return common.seq;
    // Without a common entry in memory, everything after the last comparison counts as new.
    const before = await sql<{ seq: number }>`
      select seq from journal where tenant_id = ${tenantId} and seq < ${first} and at <= ${lastSameAt}
      order by seq desc limit 1`.execute(transaction);
    return before.rows[0]?.seq ?? 0;
  });
}

/** The ends of these tenants' journals, in one query. */
export function readEnds(database: Database, tenantIds: readonly number[]): Promise<Map<number, number>> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<{ tenantId: number; seq: number }>`
      select tenant_id, seq from last_journal_seqs(${[...tenantIds]}::bigint[])`.execute(transaction);
    return new Map(rows.map(({ tenantId, seq }) => [tenantId, seq]));
  });
}

/** The oldest entry of each tenant's journal, in the given order; one after the end if the journal is empty. */
export async function readOldestOf(database: Database, tenantIds: readonly number[]): Promise<number[]> {
  const found = new Map<number, number>();
  // One after the other, so that thousands of reconnecting clients do not use up all database connections.
  for (const tenantId of new Set(tenantIds)) found.set(tenantId, await readOldest(database, tenantId));
  return tenantIds.map((tenantId) => found.get(tenantId) ?? 1);
}

function readOldest(database: Database, tenantId: number): Promise<number> {
  return readTenant(database, tenantId, async (transaction) => {
    const { rows } = await sql<{ seq: number }>`
      select coalesce(oldest_journal_seq(),
                      (select seq + 1 from tenant_counters where tenant_id = ${tenantId})) as seq`.execute(
      transaction,
    );
    return rows[0]?.seq ?? 1;
  });
}
