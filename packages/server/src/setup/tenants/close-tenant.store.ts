import { sha256 } from '../../identity/tokens/secret.ts';
import type { OwnerClient } from './owner-connection.store.ts';

/** The rows that let somebody in, or make a server act for the tenant, in an order that foreign keys permit. */
const accessAndWork = [
  { table: 'refresh_tokens', which: 'true' },
  { table: 'sessions', which: 'true' },
  { table: 'api_keys', which: 'true' },
  { table: 'user_identities', which: 'true' },
  { table: 'logins', which: 'true' },
  { table: 'calendar_feeds', which: 'true' },
  { table: 'channels', which: 'true' },
  { table: 'call_attempts', which: 'ended_at is null' },
  { table: 'escalations', which: 'closed_at is null' },
  { table: 'command_runs', which: 'ended_at is null' },
];

/** Deletes these rows, and returns their number by table. */
export async function deleteAccess(client: OwnerClient, tenantId: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  await forgetLoginFailures(client, tenantId);
  for (const { table, which } of accessAndWork) {
    const { rowCount } = await client.query(`delete from ${table} where tenant_id = $1 and ${which}`, [
      tenantId,
    ]);
    counts.set(table, rowCount ?? 0);
  }
  return counts;
}

/** Failed log-ins are counted under hashes of names, in a table without tenants. */
async function forgetLoginFailures(client: OwnerClient, tenantId: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select username_key as name from logins where tenant_id = $1',
    [tenantId],
  );
  const hashes = rows
    .flatMap(({ name }) => [name, `${name}\u001f${tenantId}`])
    .map((subject) => sha256(subject).toString('hex'));
  await client.query(
    `delete from login_failures where split_part(split_part(subject, ':', 2), '@', 1) = any ($1)`,
    [hashes],
  );
}
