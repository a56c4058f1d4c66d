import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { CodeTries } from './code-tries.ts';

/**
 * Locks the count of a user's wrong codes until the transaction ends, so that parallel guesses, on whichever server, are
 * checked one after the other.
 */
export function lockCodeTries(transaction: TenantTransaction, userId: number): Promise<CodeTries> {
  const { now } = transaction;
  return transaction
    .insertInto('loginFailures')
    .values({ subject: subjectOf(transaction, userId), failures: 0, lastAt: now, retryAt: now })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((eb) => ({ subject: eb.ref('excluded.subject') })),
    )
    .returning(['failures', 'lastAt', 'retryAt'])
    .executeTakeFirstOrThrow();
}

export async function saveCodeTries(
  transaction: TenantTransaction,
  userId: number,
  tries: CodeTries,
): Promise<void> {
  await transaction
    .updateTable('loginFailures')
    .set(tries)
    .where('subject', '=', subjectOf(transaction, userId))
    .execute();
}

export async function clearCodeTries(transaction: TenantTransaction, userId: number): Promise<void> {
  await transaction
    .deleteFrom('loginFailures')
    .where('subject', '=', subjectOf(transaction, userId))
    .execute();
}

function subjectOf({ tenantId }: TenantTransaction, userId: number): string {
  return `code:${tenantId}/${userId}`;
}
