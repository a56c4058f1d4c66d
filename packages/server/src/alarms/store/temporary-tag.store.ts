import type { BareTransaction } from '../../postgres/tenant-transaction.ts';

/** The age limits of temporary tags. */
export type TagAges = {
  /** Histories of occurrences before this time are deleted. */
  keptFrom: Date | undefined;
  /** Tags that changed after this time are kept, because a client may still show them. */
  restingSince: Date;
};

/**
 * Deletes up to `limit` temporary tags that are not in alarm and have no history, and returns their number. The caller holds
 * the lock of the tenant's counters; writing them invalidates the record caches of all servers.
 */
export async function deleteTemporaryTags(
  { client, tenantId }: BareTransaction,
  { keptFrom, restingSince }: TagAges,
  limit: number,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>({
    name: 'find-old-temporary-tags',
    text: `select t.id from tags t join alarms a on a.tenant_id = $1 and a.tag_id = t.id
           where t.tenant_id = $1 and t.temporary and a.state = 0 and a.mask_until is null and a.last_change < $2
             and (a.occurrence_id = 0 or a.raised_at < $3)
             and not exists (select from occurrences o where o.tenant_id = $1 and o.tag_id = t.id)
           order by t.id limit $4`,
    values: [tenantId, restingSince, keptFrom ?? '-infinity', limit],
  });
  if (rows.length === 0) return 0;
  const deleted = await client.query({
    name: 'delete-temporary-tags',
    text: `with gone as (
             delete from alarms a where a.tenant_id = $1 and a.tag_id = any ($2::bigint[]) returning a.tag_id
           ), recent_gone as (
             delete from recent_alarms r using gone where r.tenant_id = $1 and r.tag_id = gone.tag_id
           )
           delete from tags t using gone where t.tenant_id = $1 and t.id = gone.tag_id`,
    values: [tenantId, rows.map(({ id }) => id)],
  });
  await client.query('update tenant_counters set seq = seq where tenant_id = $1', [tenantId]);
  return deleted.rowCount ?? 0;
}
