import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The name of a tag group as people see it; empty if it does not exist. */
export async function nameOfGroup(transaction: TenantTransaction, id: number): Promise<string> {
  const group = await transaction
    .selectFrom('tagGroups')
    .select('localizedName')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return group?.localizedName ?? '';
}

/** The kinds of journal entries that a report of a machine leaves. */
const reports = ['raised', 'repeated', 'reset', 'defined'];

/** When a report last changed the alarm, its value or its definition; undefined if the journal does not go back so far. */
export async function findReport(transaction: TenantTransaction, tagId: number): Promise<Date | undefined> {
  const entry = await transaction
    .selectFrom('journal')
    .select('at')
    .where('tenantId', '=', transaction.tenantId)
    .where('tagId', '=', tagId)
    .where(sql<boolean>`kind = any(${reports})`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return entry?.at;
}
