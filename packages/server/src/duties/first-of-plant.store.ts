import { floodSeconds, isUrgent } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** So far back: where others fill them all, a station may be taken for one that nobody was called for, and goes first. */
const attemptsLookedAt = 200;

/** A try that failed has called nobody. */
const inVain = ['failed', 'unknown', 'cancelled'];

/**
 * Of duties that somebody is to be called for, in their order, those that are the first of their station: nobody has been
 * called there lately.
 */
export async function listFirstsOfPlant(
  transaction: TenantTransaction,
  duties: readonly { id: number; stationId: number | null; priority: number }[],
): Promise<Set<number>> {
  // Where all go first by their priority, nobody needs to be asked.
  if (duties.every(({ priority }) => isUrgent({ priority, firstOfPlant: false }))) return new Set();
  const firsts = new Map<number, number>();
  for (const { id, stationId } of duties)
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
             order by c.id desc limit ${attemptsLookedAt}) r
           where r.station_id = any ($2::bigint[]) and r.started_at > $3 and r.outcome <> all ($4::text[])`,
    values: [tenantId, stationIds, new Date(now.getTime() - floodSeconds * 1_000), inVain],
  });
  return rows.map((row) => row.station_id);
}
