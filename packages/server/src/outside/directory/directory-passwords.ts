import { addSeconds } from '@tocsin/domain';
import { ProblemError } from '../../common/problem.ts';
import { findPasswordHash, type Login } from '../../identity/sessions/account.store.ts';
import type { PasswordElsewhere, PasswordsElsewhere } from '../../identity/sessions/passwords-elsewhere.ts';
import { readRefreshToken } from '../../identity/sessions/refresh-token.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, outsideTenants, readTenant } from '../../postgres/tenant-transaction.ts';
import { admitPerson } from '../admit-person.ts';
import { findTenantOfName } from '../outside-user.store.ts';
import { reserveTry } from './bind-limit.ts';
import { checkAgain } from './check-again.ts';
import { type DirectoryRow, findDirectory } from './directory.store.ts';
import { DirectoryAway } from './directory-away.ts';
import type { WithDirectory } from './directory-connections.ts';
import { filterOfName } from './directory-filter.ts';
import { personOfEntry, rulesOf, settingsOf } from './directory-settings.ts';
import { findDirectoryUser, saveDirectoryCheck } from './directory-user.store.ts';
import { checkPassword } from './search-directory.ts';

export type DirectoryServices = {
  readonly withDirectory: WithDirectory;
  /** Counts each time that the directory could not be asked. */
  readonly countAway: () => void;
};

/** The directory confirms a user again after this time, at the next refresh. */
const checkSeconds = 900;

type Named = { tenantId: number; name: string; row: DirectoryRow };

/** Log-ins with passwords of the tenant's directory. */
export function createDirectoryPasswords(runtime: Runtime, services: DirectoryServices): PasswordsElsewhere {
  const { database } = runtime;
  return {
    find: async (username, login) => {
      const named = await findResponsible(runtime, username, login);
      return named && passwordOf(runtime, services, named);
    },
    checkAgain: async (refreshToken, origin) => {
      const token = readRefreshToken(refreshToken);
      if (!token) return;
      const { tenantId, hash } = token;
      const due = await readTenant(database, tenantId, async (transaction) => {
        const user = await findDirectoryUser(transaction, hash);
        const isRecent = user?.checkedAt && user.checkedAt > addSeconds(transaction.now, -checkSeconds);
        if (!user || isRecent) return undefined;
        const row = await findDirectory(transaction);
        return row?.enabled === true ? { user, row } : undefined;
      });
      if (due) await checkAgain(runtime, services, { ...due, tenantId, origin });
    },
  };
}

/** The enabled directory of the tenant that a name is for, unless the user has a password on this server. */
async function findResponsible(
  { database }: Runtime,
  username: string,
  login: Login | undefined,
): Promise<Named | undefined> {
  const typed = await outsideTenants(database, (outside) => findTenantOfName(outside, username));
  const tenantId = login?.tenantId ?? typed?.tenantId;
  if (tenantId === undefined) return undefined;
  // A name alone may be that of a user of one tenant among several.
  const name = typed?.tenantId === tenantId ? typed.name : username;
  return readTenant(database, tenantId, async (transaction) => {
    if (login && (await findPasswordHash(transaction, login.userId)) !== null) return undefined;
    const row = await findDirectory(transaction);
    return row?.enabled === true ? { tenantId, name, row } : undefined;
  });
}

function passwordOf(
  runtime: Runtime,
  { withDirectory, countAway }: DirectoryServices,
  { tenantId, name, row }: Named,
): PasswordElsewhere {
  const { database, box, log } = runtime;
  return {
    tenantId,
    check: async ({ password, subjects, origin }) => {
      const settings = settingsOf(row, { box, tenantId });
      const reserved = await reserveTry(database, subjects);
      const filter = filterOfName(row.userFilter, name);
      let isTried = false;
      const onTry = () => (isTried = true);
      const checked = await checkPassword(withDirectory, settings, { filter, password, onTry }).catch(
        async (error: unknown) => {
          // The directory may have counted a password although its answer did not arrive.
          if (!isTried) await reserved.giveBack();
          if (error instanceof DirectoryAway) countAway();
          throw unavailable(runtime, tenantId, error);
        },
      );
      if (checked.kind === 'ambiguous')
        log.warn({ tenantId }, 'several entries of the directory match a name');
      if (checked.kind !== 'found' || !checked.isRight || !checked.entry.enabled) return undefined;
      await reserved.clear();
      return inTenant(database, tenantId, async (transaction) => {
        const person = personOfEntry(checked.entry, name);
        const admission = await admitPerson(transaction, person, { rules: rulesOf(row), origin, log });
        if ('refused' in admission) {
          const { subject } = person;
          log.info({ tenantId, subject, reason: admission.refused }, 'log-in through the directory refused');
          return undefined;
        }
        await saveDirectoryCheck(transaction, admission.account.userId);
        return admission.account;
      });
    },
  };
}

/** The problem for a directory that cannot be asked; any other error stays as it is. */
function unavailable({ log }: Runtime, tenantId: number, error: unknown): unknown {
  if (!(error instanceof DirectoryAway)) return error;
  log.warn(
    { tenantId, reason: error.message, err: error.cause },
    'the directory does not answer: its users cannot log in, users with a password here can',
  );
  return new ProblemError('unavailable', 'The directory that knows this password does not answer', {
    headers: { 'retry-after': '10' },
    cause: error,
  });
}
