import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import { outsideTenants, readTenant } from '../postgres/tenant-transaction.ts';
import type { FeedEntry } from './feed-entry.ts';

type EntryRow = Omit<FeedEntry, 'at' | 'alarmJson'> & { at: Date; alarm: string };

/** What was committed after `seq`, in order and without a gap. */
export function readFeed(
  database: Database,
  tenantId: number,
  { after, limit }: { after: number; limit: number },
): Promise<FeedEntry[]> {
  return readTenant(database, tenantId, async (transaction) => {
    const { rows } = await sql<EntryRow>`
      select seq, at, kind, station_id, announce, alarm::text as alarm from journal
      where tenant_id = ${tenantId} and seq > ${after} order by seq limit ${limit}`.execute(transaction);
    return rows.map(toEntry);
  });
}

function toEntry({ seq, at, kind, stationId, announce, alarm }: EntryRow): FeedEntry {
  return { seq, at: at.getTime(), kind, stationId, announce, alarmJson: alarm };
}

/** The last entry that a server knows of a tenant's journal; its time is not known before it was looked at. */
export type KnownPlace = { readonly tenantId: number; readonly seq: number; readonly at: number | undefined };

/** Where a journal stands, and what it has at the place that was asked for; undefined for nothing any more. */
export type JournalPlace = { readonly end: number; readonly knownAt: number | undefined };

/** Of these tenants, in one question, with the time at which it was answered. */
export function readPlaces(
  database: Database,
  known: readonly KnownPlace[],
): Promise<{ places: Map<number, JournalPlace>; now: Date }> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<{ tenantId: number; seq: number; knownAt: Date | null }>`
      select tenant_id, seq, known_at from journal_places(
        ${known.map(({ tenantId }) => tenantId)}::bigint[],
        ${known.map(({ seq }) => seq)}::bigint[],
        ${known.map(({ at }) => (at === undefined ? null : new Date(at)))}::timestamptz[])`.execute(
      transaction,
    );
    const placeOf = ({ tenantId, seq, knownAt }: (typeof rows)[number]) =>
      [tenantId, { end: seq, knownAt: knownAt?.getTime() }] as const;
    return { places: new Map(rows.map(placeOf)), now: transaction.now };
  });
}

/** What a server remembers of a journal that is no more. */
export type Remembered = {
  /** The latest entries by number and time, in order. */
  readonly marks: readonly { readonly seq: number; readonly at: number }[];
  readonly end: number;
  /** When the journal was last seen to be the same. */
  readonly sameAt: Date;
};

/** The last entry that the journal has in common with what is remembered of it. */
export function readFork(
  database: Database,
  tenantId: number,
  { marks, end, sameAt }: Remembered,
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
    // Whatever was written after the journal was last the same is new.
    const before = await sql<{ seq: number }>`
      select seq from journal where tenant_id = ${tenantId} and seq < ${first} and at <= ${sameAt}
      order by seq desc limit 1`.execute(transaction);
    return before.rows[0]?.seq ?? 0;
  });
}

/** How far the journals of these tenants have got, in one question. */
export function readEnds(database: Database, tenantIds: readonly number[]): Promise<Map<number, number>> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<{ tenantId: number; seq: number }>`
      select tenant_id, seq from journal_ends(${[...tenantIds]}::bigint[])`.execute(transaction);
    return new Map(rows.map(({ tenantId, seq }) => [tenantId, seq]));
  });
}

/** The oldest entry that each tenant's journal has, in the order given; one after the end where it has none. */
export async function readOldestOf(database: Database, tenantIds: readonly number[]): Promise<number[]> {
  const found = new Map<number, number>();
  // One after the other: when thousands of clients come back they must not take all connections.
  for (const tenantId of new Set(tenantIds)) found.set(tenantId, await readOldest(database, tenantId));
  return tenantIds.map((tenantId) => found.get(tenantId) ?? 1);
}

function readOldest(database: Database, tenantId: number): Promise<number> {
  return readTenant(database, tenantId, async (transaction) => {
    const { rows } = await sql<{ seq: number }>`
      select coalesce((select seq from journal where tenant_id = ${tenantId} order by seq limit 1),
                      (select seq + 1 from heads where tenant_id = ${tenantId})) as seq`.execute(transaction);
    return rows[0]?.seq ?? 1;
  });
}
