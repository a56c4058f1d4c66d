import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/**
 * Deletes up to `limit` runs that ended before `keepFrom`, with their records, and returns how many. The database itself
 * makes sure that a run is kept as long as the history of its alarm.
 */
export async function forgetRuns(
  { client }: TenantTransaction,
  keepFrom: Date,
  limit: number,
): Promise<number> {
  const { rows } = await client.query<{ gone: number }>({
    name: 'forget-command-runs',
    text: 'select delete_command_runs($1, $2) as gone',
    values: [keepFrom, limit],
  });
  return rows[0]?.gone ?? 0;
}
