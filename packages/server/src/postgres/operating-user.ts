import { userInfo } from 'node:os';
import pg from 'pg';

/**
 * Where neither the URL nor `PGUSER` names a user, PostgreSQL's own programs ask the operating system, while the driver
 * takes `USER`, which services and containers often lack.
 */
export function defaultToOperatingUser(): void {
  pg.defaults.user ||= operatingUser();
}

function operatingUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no list of users has.
    return undefined;
  }
}
