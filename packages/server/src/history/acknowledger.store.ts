import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** A user who acknowledged, and the last occurrence they acknowledged. */
export type Acknowledger = { userId: number; lastOccurrenceId: number };

/** The display names of users who acknowledged, by user id. Deleted users keep their former name. */
export async function findAcknowledgerNames(
  transaction: TenantTransaction,
  acknowledgers: readonly Acknowledger[],
): Promise<Map<number, string>> {
  const ids = acknowledgers.map(({ userId }) => userId);
  const users = await transaction
    .selectFrom('users')
    .select(['id', 'name'])
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
  const names = new Map(users.map(({ id, name }) => [id, name]));
  for (const { userId, lastOccurrenceId } of acknowledgers) {
    if (!names.has(userId)) names.set(userId, await findFormerName(transaction, lastOccurrenceId));
  }
  return names;
}

/** The name in the journal of the user who acknowledged the occurrence; empty if that month was dropped. */
async function findFormerName(transaction: TenantTransaction, occurrenceId: number): Promise<string> {
  const { tenantId } = transaction;
  const entry = await transaction
    .selectFrom('occurrences')
    .innerJoin('journal', (join) =>
      join
        .onRef('journal.tagId', '=', 'occurrences.tagId')
        .onRef('journal.occurrenceId', '=', 'occurrences.id')
        .on('journal.tenantId', '=', tenantId),
    )
    .select(sql<string>`journal.alarm ->> 'ackUser'`.as('name'))
    .where('occurrences.tenantId', '=', tenantId)
    .where('occurrences.id', '=', occurrenceId)
    .where(sql<boolean>`journal.alarm ->> 'ackUser' <> ''`)
    .orderBy('journal.seq')
    .limit(1)
    .executeTakeFirst();
  return entry?.name ?? '';
}
