import type { BareTransaction } from '../postgres/tenant-transaction.ts';

/** What must have passed before a temporary tag is forgotten. */
export type TagAges = {
  /** The histories of what was raised before are gone. */
  keptFrom: Date | undefined;
  /** Somebody may still be looking at what has changed since. */
  restingSince: Date;
};

/**
 * Forgets up to `wanted` temporary tags that are at rest and have no history left, and tells how many. Under the lock of the
 * tenant's heads, and with a mark on them: servers that remember these tags then see that they must look again.
 */
export async function forgetTemporaryTags(
  { client, tenantId }: BareTransaction,
  { keptFrom, restingSince }: TagAges,
  wanted: number,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>({
    name: 'find-forgettable-tags',
    text: `select t.id from tags t join alarms a on a.tenant_id = $1 and a.tag_id = t.id
           where t.tenant_id = $1 and t.temporary and a.state = 0 and a.mask_until is null and a.last_change < $2
             and (a.occurrence_id = 0 or a.raised_at < $3)
             and not exists (select from occurrences o where o.tenant_id = $1 and o.tag_id = t.id)
           order by t.id limit $4`,
    values: [tenantId, restingSince, keptFrom ?? '-infinity', wanted],
  });
  if (rows.length === 0) return 0;
  const deleted = await client.query({
    name: 'forget-temporary-tags',
    text: `with gone as (
             delete from alarms a where a.tenant_id = $1 and a.tag_id = any ($2::bigint[]) returning a.tag_id
           )
           delete from tags t using gone where t.tenant_id = $1 and t.id = gone.tag_id`,
    values: [tenantId, rows.map(({ id }) => id)],
  });
  await client.query('update heads set seq = seq where tenant_id = $1', [tenantId]);
  return deleted.rowCount ?? 0;
}
