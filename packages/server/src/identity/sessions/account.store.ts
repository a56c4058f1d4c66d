import type { Role } from '@tocsin/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** A user with their current rights. */
export type Account = {
  userId: number;
  name: string;
  role: Role;
  stationIds: number[];
  enabled: boolean;
  /** Whether each of their log-ins raises an alarm. */
  breakGlass: boolean;
};

export type Login = { tenantId: number; userId: number };

export const accountColumns = [
  'users.id as userId',
  'users.name',
  sql<Role>`users.role`.as('role'),
  'users.stationIds',
  'users.enabled',
  'users.breakGlass',
] as const;

/**
 * Finds the user of `name@tenant`, or of a name alone, which belongs to the user who had it first. Failures count under
 * `failureSubject`, so that all spellings of a name share one count.
 */
export async function findLogin(
  transaction: TenantTransaction,
  username: string,
): Promise<{ failureSubject: string; login: Login | undefined }> {
  const { rows } = await sql<{ failureSubject: string; tenantId: number | null; userId: number | null }>`
    select failure_subject, tenant_id, user_id from find_login(${username})`.execute(transaction);
  const { failureSubject = '', tenantId = null, userId = null } = rows[0] ?? {};
  return { failureSubject, login: tenantId === null || userId === null ? undefined : { tenantId, userId } };
}

export function findAccount(transaction: TenantTransaction, userId: number): Promise<Account | undefined> {
  return transaction
    .selectFrom('users')
    .select(accountColumns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** The user of the tenant that is linked to this subject of the issuer. */
export function findLinkedAccount(
  transaction: TenantTransaction,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<Account | undefined> {
  const { tenantId } = transaction;
  return transaction
    .selectFrom('userIdentities')
    .innerJoin('users', (join) =>
      join
        .onRef('users.tenantId', '=', 'userIdentities.tenantId')
        .onRef('users.id', '=', 'userIdentities.userId'),
    )
    .select(accountColumns)
    .where('userIdentities.tenantId', '=', tenantId)
    .where('userIdentities.issuer', '=', issuer)
    .where('userIdentities.subject', '=', subject)
    .executeTakeFirst();
}

/** Null if the user has no password. */
export async function findPasswordHash(
  transaction: TenantTransaction,
  userId: number,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('users')
    .select('passwordHash')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.passwordHash ?? null;
}
