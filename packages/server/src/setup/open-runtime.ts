import type { Logger } from 'pino';
import { describeFault } from '../common/fault.ts';
import { errorCode, openDatabase } from '../postgres/database.ts';
import { migrate } from '../postgres/migrate.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { findLoginWarnings, selfCheck } from '../postgres/self-check.ts';
import type { Config } from '../settings/config.ts';
import { CannotStart } from './cannot-start.ts';

/** Migrates the database to this release, as its owner. */
export async function migrateDatabase(
  { databaseUrl, migrateDatabaseUrl = databaseUrl, allowSuperuserLogin }: Config,
  log: Logger,
): Promise<void> {
  try {
    const { applied } = await migrate(migrateDatabaseUrl, { allowSuperuser: allowSuperuserLogin });
    log.info({ applied }, applied.length === 0 ? 'database is up to date' : 'database migrated');
  } catch (error) {
    throw new CannotStart(
      [`The database could not be migrated: ${reasonOf(error)}${adviceFor(error)}`],
      error,
    );
  }
}

/** The runtime before its secrets are decrypted. */
export type OpenDatabase = Omit<Runtime, 'box'>;

/** Opens the database and checks that it is safe to use. */
export async function openRuntime(
  { databaseUrl, databaseConnections, alarmConnections, allowSuperuserLogin }: Config,
  log: Logger,
): Promise<OpenDatabase> {
  const database = openDatabase({
    url: databaseUrl,
    connections: databaseConnections,
    alarmConnections,
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  });
  const faults = await selfCheck(database, { allowSuperuserLogin });
  if (faults.length > 0) {
    await database.close();
    throw new CannotStart(faults);
  }
  if (!allowSuperuserLogin)
    for (const warning of await findLoginWarnings(database)) log.warn(describeFault(warning));
  return { database, log };
}

/** The login of the server may not migrate; only the owner may. */
function adviceFor(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorCode(cause) === '42501'
    ? '. Run the `migrate` command as the owner of the database, or name it in MIGRATE_DATABASE_URL'
    : '';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
