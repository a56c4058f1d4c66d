import type { Role } from '@tocsin/contract';
import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';

/** The session or API key of a token, or the user of an external token. */
export type Credential = {
  tenantId: number;
  sessionId: string | undefined;
  keyId: number | undefined;
  userId: number | undefined;
};

export type AccessRights = { role: Role; stationIds: number[] };

/** The current rights of each credential, in the same order; undefined if it is no longer valid. */
export function readAccessRights(
  database: Database,
  credentials: readonly Credential[],
): Promise<(AccessRights | undefined)[]> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<AccessRights & { ordinal: number }>`
      select ordinal, role, station_ids from access_status(
        ${credentials.map(({ tenantId }) => tenantId)}::bigint[],
        ${credentials.map(({ sessionId }) => sessionId ?? null)}::uuid[],
        ${credentials.map(({ keyId }) => keyId ?? null)}::bigint[],
        ${credentials.map(({ userId }) => userId ?? null)}::bigint[],
        ${transaction.now})`.execute(transaction);
    const found = new Map(rows.map(({ ordinal, role, stationIds }) => [ordinal, { role, stationIds }]));
    return credentials.map((_, index) => found.get(index + 1));
  });
}
