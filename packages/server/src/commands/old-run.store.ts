import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/**
 * Forgets up to `limit` runs that ended before the histories of the tenant begin, with their records, and tells how
 * many. The database looks after `keepFrom` itself: what is run is on record as long as the alarm that asked for it.
 */
export async function forgetRuns(
  { client }: TenantTransaction,
  keepFrom: Date,
  limit: number,
): Promise<number> {
  const { rows } = await client.query<{ gone: number }>({
    name: 'forget-command-runs',
    text: 'select forget_command_runs($1, $2) as gone',
    values: [keepFrom, limit],
  });
  return rows[0]?.gone ?? 0;
}
