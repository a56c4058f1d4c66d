import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { homePrefix, type LoginFailures, type LoginSubjects } from './login-delay.ts';

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

/** The count of a subject, 0 when there is none yet, locked until the transaction ends. */
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

/** Whoever came in made the failures there: they no longer count against the name. */
export async function forgiveLoginFailures(
  transaction: TenantTransaction,
  { nameThere, name, home }: LoginSubjects,
): Promise<void> {
  const { now } = transaction;
  // In the order in which failures are counted.
  const own = await transaction
    .deleteFrom('loginFailures')
    .where('subject', '=', nameThere)
    .returning('failures')
    .executeTakeFirst();
  if (own) {
    await transaction
      .updateTable('loginFailures')
      .set((eb) => ({ failures: eb.fn<number>('greatest', [eb.lit(0), eb('failures', '-', own.failures)]) }))
      .where('subject', '=', name)
      .execute();
  }
  await transaction
    .insertInto('loginFailures')
    .values({ subject: home, failures: 0, lastAt: now, retryAt: now })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ lastAt: now }))
    .execute();
}

/** Passes over rows that somebody is counting on at this moment. */
export async function deleteForgottenLoginFailures(
  transaction: TenantTransaction,
  { failuresBefore, homesBefore }: { failuresBefore: Date; homesBefore: Date },
): Promise<void> {
  await sql`
    delete from login_failures where subject in (
      select subject from login_failures
      where last_at <= case when starts_with(subject, ${homePrefix}) then ${homesBefore}::timestamptz
        else ${failuresBefore}::timestamptz end
      for update skip locked)`.execute(transaction);
}
