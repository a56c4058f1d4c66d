import { userInfo } from 'node:os';
import pg from 'pg';

/**
 * If neither the URL nor `PGUSER` names a user, PostgreSQL's own programs take the user of the process. The driver takes
 * `USER` instead, which services and containers often lack.
 */
export function defaultToOperatingUser(): void {
  pg.defaults.user ||= operatingUser();
}

function operatingUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return undefined;
  }
}
