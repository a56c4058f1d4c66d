import { appendAudit } from '../../audit/audit.store.ts';
import { type AuditOrigin, systemActor } from '../../audit/audit-entry.ts';
import { revokeSessions } from '../../people/user-use.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { admitPerson } from '../admit-person.ts';
import type { DirectoryRow } from './directory.store.ts';
import { DirectoryAway } from './directory-away.ts';
import type { WithDirectory } from './directory-connections.ts';
import { filterOfId } from './directory-filter.ts';
import { personOfEntry, rulesOf, settingsOf } from './directory-settings.ts';
import { type DirectoryUser, saveDirectoryCheck } from './directory-user.store.ts';
import { type Searched, searchDirectory } from './search-directory.ts';

export type Recheck = {
  tenantId: number;
  user: DirectoryUser;
  row: DirectoryRow;
  origin: AuditOrigin;
};

/**
 * Looks whether the user is still in the directory. If not, all their sessions end. While the directory does not answer,
 * they go on until their end: nobody on duty is signed out because another server failed.
 */
export async function checkAgain(
  runtime: Runtime,
  { withDirectory, countAway }: { withDirectory: WithDirectory; countAway: () => void },
  { tenantId, user, row, origin }: Recheck,
): Promise<void> {
  const { database, box, log } = runtime;
  const filter = filterOfId(row.userFilter, row.idAttribute, user.subject);
  const searched = await searchDirectory(withDirectory, settingsOf(row, { box, tenantId }), filter).catch(
    (error: unknown) => {
      if (!(error instanceof DirectoryAway)) throw error;
      countAway();
      log.warn({ tenantId, userId: user.userId, reason: error.message }, 'directory away: a session goes on');
      return undefined;
    },
  );
  if (!searched) return;
  await inTenant(database, tenantId, async (transaction) => {
    if (!isPresent(searched)) return endSessions(transaction, user, origin);
    await saveDirectoryCheck(transaction, user.userId);
    // A role that has changed ends the sessions, as a change by an administrator does.
    const person = personOfEntry(searched.entry, user.username);
    await admitPerson(transaction, person, { rules: rulesOf(row), origin, log });
  });
}

function isPresent(searched: Searched): searched is Extract<Searched, { kind: 'found' }> {
  return searched.kind === 'found' && searched.entry.enabled;
}

async function endSessions(
  transaction: TenantTransaction,
  { userId }: DirectoryUser,
  origin: AuditOrigin,
): Promise<void> {
  const reason = 'disabled in the directory, or not in it any more';
  await revokeSessions(transaction, { userId, reason });
  const act = { action: 'session.revoke', object: { kind: 'user', id: String(userId) } };
  await appendAudit(transaction, [{ ...origin, ...act, actor: systemActor, reason }], transaction.now);
}
