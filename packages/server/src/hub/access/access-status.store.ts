import type { Role } from '@tocsin/contract';
import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** The session or API key of a token, or the user of an external token. */
export type Credential = {
  tenantId: number;
  sessionId: string | undefined;
  keyId: number | undefined;
  userId: number | undefined;
};

export type AccessRights = { role: Role; stationIds: number[] };

/** What a credential may do now; undefined if it is no longer valid. Another cell serves its tenant if it is elsewhere. */
export type Access = AccessRights | 'elsewhere' | undefined;

/** The access of each credential, in the same order. */
export function readAccess(database: Database, credentials: readonly Credential[]): Promise<Access[]> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<AccessRights & { ordinal: number }>`
      select ordinal, role, station_ids from access_status(
        ${credentials.map(({ tenantId }) => tenantId)}::bigint[],
        ${credentials.map(({ sessionId }) => sessionId ?? null)}::uuid[],
        ${credentials.map(({ keyId }) => keyId ?? null)}::bigint[],
        ${credentials.map(({ userId }) => userId ?? null)}::bigint[],
        ${transaction.now})`.execute(transaction);
    const found = new Map(rows.map(({ ordinal, role, stationIds }) => [ordinal, { role, stationIds }]));
    const elsewhere = await readTenantsElsewhere(transaction);
    return credentials.map(({ tenantId }, index) =>
      elsewhere.has(tenantId) ? 'elsewhere' : found.get(index + 1),
    );
  });
}

async function readTenantsElsewhere(transaction: TenantTransaction): Promise<ReadonlySet<number>> {
  const rows = await transaction.selectFrom('movedTenants').select('number').execute();
  return new Set(rows.map(({ number }) => number));
}
