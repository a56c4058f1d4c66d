import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { knownNetworkPrefix, type LoginFailures, type LoginSubjects } from './login-delay.ts';

const columns = ['failures', 'lastAt', 'retryAt'] as const;

export function listLoginFailures(
  transaction: TenantTransaction,
  subjects: readonly string[],
): Promise<(LoginFailures & { subject: string })[]> {
  return transaction
    .selectFrom('loginFailures')
    .select(['subject', ...columns])
    .where('subject', 'in', [...subjects])
    .execute();
}

/** Locks the count of a subject until the transaction ends; a new one starts at 0. */
export function lockLoginFailures(transaction: TenantTransaction, subject: string): Promise<LoginFailures> {
  const { now } = transaction;
  return transaction
    .insertInto('loginFailures')
    .values({ subject, failures: 0, lastAt: now, retryAt: now })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((eb) => ({ subject: eb.ref('excluded.subject') })),
    )
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function saveLoginFailures(
  transaction: TenantTransaction,
  subject: string,
  failures: LoginFailures,
): Promise<void> {
  await transaction.updateTable('loginFailures').set(failures).where('subject', '=', subject).execute();
}

/** After a log-in, failures of the name in this network no longer count, and the network counts as known. */
export async function clearLoginFailures(
  transaction: TenantTransaction,
  { nameInNetwork, name, knownNetwork }: LoginSubjects,
): Promise<void> {
  const { now } = transaction;
  // Locks rows in the same order as the counting of failures, so that the two cannot deadlock.
  const cleared = await transaction
    .deleteFrom('loginFailures')
    .where('subject', '=', nameInNetwork)
    .returning('failures')
    .executeTakeFirst();
  if (cleared) {
    await transaction
      .updateTable('loginFailures')
      .set((eb) => ({
        failures: eb.fn<number>('greatest', [eb.lit(0), eb('failures', '-', cleared.failures)]),
      }))
      .where('subject', '=', name)
      .execute();
  }
  await transaction
    .insertInto('loginFailures')
    .values({ subject: knownNetwork, failures: 0, lastAt: now, retryAt: now })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ lastAt: now }))
    .execute();
}

/** Skips rows that are being counted at this moment. */
export async function deleteOldLoginFailures(
  transaction: TenantTransaction,
  { failuresBefore, networksBefore }: { failuresBefore: Date; networksBefore: Date },
): Promise<void> {
  await sql`
    delete from login_failures where subject in (
      select subject from login_failures
      where last_at <= case when starts_with(subject, ${knownNetworkPrefix}) then ${networksBefore}::timestamptz
        else ${failuresBefore}::timestamptz end
      for update skip locked)`.execute(transaction);
}
