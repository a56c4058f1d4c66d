import type { Role } from '@tocsin/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** What a user is and may do, at this moment. */
export type Account = {
  userId: number;
  name: string;
  role: Role;
  stationIds: number[];
  enabled: boolean;
};

export type Login = { tenantId: number; userId: number };

export const accountColumns = [
  'users.id as userId',
  'users.name',
  sql<Role>`users.role`.as('role'),
  'users.stationIds',
  'users.enabled',
] as const;

/**
 * Whose user name this is, as `name@tenant` or alone, when it is that of the user who had it first. With it the name that failures are
 * counted under, or every way to spell a name would have a count of its own.
 */
export async function findLogin(
  transaction: TenantTransaction,
  username: string,
): Promise<{ countedName: string; login: Login | undefined }> {
  const { rows } = await sql<{ countedName: string; tenantId: number | null; userId: number | null }>`
    select counted_name, tenant_id, user_id from find_login(${username})`.execute(transaction);
  const { countedName = '', tenantId = null, userId = null } = rows[0] ?? {};
  return { countedName, login: tenantId === null || userId === null ? undefined : { tenantId, userId } };
}

export function findAccount(transaction: TenantTransaction, userId: number): Promise<Account | undefined> {
  return transaction
    .selectFrom('users')
    .select(accountColumns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** The user of the tenant who is this subject to this issuer. */
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

/** Null when the user has no password. */
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
