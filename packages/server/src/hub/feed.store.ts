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
