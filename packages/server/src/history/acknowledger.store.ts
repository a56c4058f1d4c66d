import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Someone who acknowledged, and an occurrence that shows it. */
export type Acknowledger = { userId: number; lastOccurrenceId: number };

/** The display names of those who acknowledged, by user id. Who was deleted keeps the name of back then. */
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

/** What the journal said of who acknowledged the occurrence; empty when that part of it was dropped. */
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
