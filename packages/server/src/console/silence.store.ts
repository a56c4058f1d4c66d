import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Those of the alarms that exist and that a caller limited to these stations may see. */
export async function visibleAlarms(
  transaction: TenantTransaction,
  ids: readonly number[],
  stationIds: readonly number[] | undefined,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tags where tenant_id = ${transaction.tenantId} and id = any(${[...ids]}::bigint[])
      and (${stationIds ?? null}::bigint[] is null or station_id = any(${stationIds ?? null}))
    order by id`.execute(transaction);
  return rows.map(({ id }) => id);
}
