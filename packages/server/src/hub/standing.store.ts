import type { Role } from '@tocsin/contract';
import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';

/** What a token stands on: a session or a key, or a user where an outside issuer vouches for one. */
export type Standing = {
  tenantId: number;
  sessionId: string | undefined;
  keyId: number | undefined;
  userId: number | undefined;
};

/** What it permits now. */
export type Rights = { role: Role; stationIds: number[] };

/** The rights of each, in the same order; undefined where a token of it would be refused. */
export function readRights(
  database: Database,
  standings: readonly Standing[],
): Promise<(Rights | undefined)[]> {
  return outsideTenants(database, async (transaction) => {
    const { rows } = await sql<Rights & { place: number }>`
      select place, role, station_ids from standing_of(
        ${standings.map(({ tenantId }) => tenantId)}::bigint[],
        ${standings.map(({ sessionId }) => sessionId ?? null)}::uuid[],
        ${standings.map(({ keyId }) => keyId ?? null)}::bigint[],
        ${standings.map(({ userId }) => userId ?? null)}::bigint[],
        ${transaction.now})`.execute(transaction);
    const found = new Map(rows.map(({ place, role, stationIds }) => [place, { role, stationIds }]));
    return standings.map((_, index) => found.get(index + 1));
  });
}
