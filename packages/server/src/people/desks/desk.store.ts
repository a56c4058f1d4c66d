import type { Role } from '@tocsin/contract';
import { sql } from 'kysely';
import { permissionsOf } from '../../http/permissions.ts';
import { lockLoginFailures, saveLoginFailures } from '../../identity/sessions/login-delay.store.ts';
import type { LoginFailures } from '../../identity/sessions/login-delay.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { GuessCount } from './desk-guesses.ts';

/** Somebody who may sign in at a desk. */
export type DeskPersonRow = { id: number; name: string };

export type OpenDesk = { name: string; expiresAt: Date };

/** Makes an open session a desk; false if it has ended. */
export async function makeDesk(
  transaction: TenantTransaction,
  sessionId: string,
  deskName: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('sessions')
    .set({ deskName })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', sessionId)
    .where('deskSessionId', 'is', null)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks the desk, so that it is not closed before whoever signs in is stored, and is signed out with it. */
export function lockDesk(transaction: TenantTransaction, sessionId: string): Promise<OpenDesk | undefined> {
  return findDesk(transaction, sessionId, { forUpdate: true });
}

/** The desk of the session, if it is one and is open. */
export async function findDesk(
  transaction: TenantTransaction,
  sessionId: string,
  { forUpdate }: { forUpdate: boolean },
): Promise<OpenDesk | undefined> {
  const query = transaction
    .selectFrom('sessions')
    .select(['deskName', 'expiresAt'])
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', transaction.now);
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  return row && row.deskName !== null ? { name: row.deskName, expiresAt: row.expiresAt } : undefined;
}

const actingRoles = Object.entries(permissionsOf).flatMap(([role, granted]) =>
  granted.includes('alarms:act') ? [role as Role] : [],
);

/** People with a PIN or a badge who act on alarms at a station of the desk. Break-glass accounts need their password. */
function peopleOf(transaction: TenantTransaction, stationIds: readonly number[] | undefined) {
  return transaction
    .selectFrom('users')
    .select(['id', 'name'])
    .where('tenantId', '=', transaction.tenantId)
    .where('enabled', '=', true)
    .where('breakGlass', '=', false)
    .where('role', 'in', actingRoles)
    .$if(stationIds !== undefined, (query) =>
      query.where(
        sql<boolean>`(cardinality(station_ids) = 0 or station_ids && ${[...(stationIds ?? [])]}::bigint[])`,
      ),
    );
}

export function listDeskPeople(
  transaction: TenantTransaction,
  stationIds: readonly number[] | undefined,
): Promise<DeskPersonRow[]> {
  return peopleOf(transaction, stationIds)
    .where((eb) => eb.or([eb('pinHash', 'is not', null), eb('badgeHash', 'is not', null)]))
    .orderBy('name')
    .orderBy('id')
    .limit(1_000)
    .execute();
}

export function findDeskPerson(
  transaction: TenantTransaction,
  stationIds: readonly number[] | undefined,
  by: { userId: number } | { badgeHash: Buffer },
): Promise<DeskPersonRow | undefined> {
  const people = peopleOf(transaction, stationIds);
  const found =
    'userId' in by ? people.where('id', '=', by.userId) : people.where('badgeHash', '=', by.badgeHash);
  return found.executeTakeFirst();
}

/** Signs out whoever is signed in at the desk, or one of them. */
export async function endSessionsAtDesk(
  transaction: TenantTransaction,
  { deskSessionId, only, reason }: { deskSessionId: string; only?: string | undefined; reason: string },
): Promise<void> {
  await transaction
    .updateTable('sessions')
    .set({ revokedAt: transaction.now, reason })
    .where('tenantId', '=', transaction.tenantId)
    .where('deskSessionId', '=', deskSessionId)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? ''))
    .where('revokedAt', 'is', null)
    .execute();
}

/** Somebody who acts stays signed in, but never longer than the desk. */
export async function extendAtDesk(
  transaction: TenantTransaction,
  sessionId: string,
  until: Date,
): Promise<void> {
  await sql`update sessions s set expires_at = least(${until}::timestamptz, d.expires_at)
    from sessions d
    where s.tenant_id = ${transaction.tenantId} and s.id = ${sessionId} and s.revoked_at is null
      and d.tenant_id = s.tenant_id and d.id = s.desk_session_id`.execute(transaction);
}

/** Locks the counts until the transaction ends, so that tries at several servers are checked one after the other. */
export async function lockGuesses(
  transaction: TenantTransaction,
  counts: readonly GuessCount[],
): Promise<(GuessCount & { before: LoginFailures })[]> {
  const locked = [];
  for (const count of counts)
    locked.push({ ...count, before: await lockLoginFailures(transaction, count.subject) });
  return locked;
}

/** After the right PIN, the wrong ones of this person at this desk no longer count. */
export async function forgiveGuesses(
  transaction: TenantTransaction,
  counts: readonly { subject: string; before: LoginFailures }[],
): Promise<void> {
  const forgiven = counts[0]?.before.failures ?? 0;
  for (const { subject, before } of counts)
    await saveLoginFailures(transaction, subject, {
      ...before,
      failures: Math.max(0, before.failures - forgiven),
    });
}
