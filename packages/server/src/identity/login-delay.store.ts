import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { LoginFailures } from './login-delay.ts';

const columns = ['failures', 'lastAt', 'retryAt'] as const;

export function listLoginFailures(
  transaction: TenantTransaction,
  subjects: readonly string[],
): Promise<LoginFailures[]> {
  return transaction
    .selectFrom('loginFailures')
    .select(columns)
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

export async function clearLoginFailures(transaction: TenantTransaction, subject: string): Promise<void> {
  await transaction.deleteFrom('loginFailures').where('subject', '=', subject).execute();
}

/** Passes over rows that somebody is counting on at this moment. */
export async function deleteForgottenLoginFailures(
  transaction: TenantTransaction,
  before: Date,
): Promise<void> {
  await sql`
    delete from login_failures where subject in (
      select subject from login_failures where last_at <= ${before} for update skip locked)`.execute(
    transaction,
  );
}
