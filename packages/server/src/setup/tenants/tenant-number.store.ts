import type { OwnerClient } from './owner-connection.store.ts';

/**
 * Takes the next free number, or `wanted`; undefined if that is or was the number of another tenant. Others wait for it until
 * the transaction ends.
 */
export async function claimTenantNumber(
  client: OwnerClient,
  wanted: number | undefined,
): Promise<number | undefined> {
  const { rows } = await client.query<{ next: string; taken: boolean }>(
    `select next_tenant_id() as next,
       coalesce(is_tenant_closed($1) or $1 in (select tenant_ids())
         or $1 in (select number from moved_tenants), false) as taken`,
    [wanted ?? null],
  );
  const [found] = rows;
  if (found === undefined) throw new Error('no number for a tenant');
  if (wanted === undefined) return Number(found.next);
  return found.taken ? undefined : wanted;
}

export async function renameTenant(client: OwnerClient, tenantId: number, name: string): Promise<void> {
  await client.query('update tenants set name = $2 where id = $1', [tenantId, name]);
}

export async function readTime(client: OwnerClient): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const now = rows[0]?.now;
  if (!now) throw new Error('the database returned no time');
  return now;
}
