import { floodSeconds, isUrgent } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Only the latest attempts are searched. A station whose attempts are older counts as not called, and goes first. */
const maxSearchedAttempts = 200;

/** Outcomes of attempts that reached nobody. */
const failedOutcomes = ['failed', 'unknown', 'cancelled'];

/**
 * The escalations that are the first of their station: nobody has been called there recently. The escalations are given in
 * their order, and one per station is returned.
 */
export async function listFirstOfStations(
  transaction: TenantTransaction,
  escalations: readonly { id: number; stationId: number | null; priority: number }[],
): Promise<Set<number>> {
  // Escalations that are all urgent by their priority need no query.
  if (escalations.every(({ priority }) => isUrgent({ priority, isFirstOfStation: false }))) return new Set();
  const firsts = new Map<number, number>();
  for (const { id, stationId } of escalations)
    if (stationId !== null && !firsts.has(stationId)) firsts.set(stationId, id);
  if (firsts.size === 0) return new Set();
  for (const stationId of await listCalledStations(transaction, [...firsts.keys()])) firsts.delete(stationId);
  return new Set(firsts.values());
}

async function listCalledStations(
  { client, tenantId, now }: TenantTransaction,
  stationIds: readonly number[],
): Promise<number[]> {
  const { rows } = await client.query<{ station_id: number }>({
    name: 'list-called-stations',
    text: `select distinct r.station_id from (
             select c.station_id, c.started_at, c.outcome from call_attempts c where c.tenant_id = $1
             order by c.id desc limit ${maxSearchedAttempts}) r
           where r.station_id = any ($2::bigint[]) and r.started_at > $3 and r.outcome <> all ($4::text[])`,
    values: [tenantId, stationIds, new Date(now.getTime() - floodSeconds * 1_000), failedOutcomes],
  });
  return rows.map((row) => row.station_id);
}
