import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { errorCode, openDatabase } from './postgres/database.ts';
import { migrate } from './postgres/migrate.ts';
import { loginWarnings, selfCheck } from './postgres/self-check.ts';
import type { Runtime } from './runtime.ts';

/** Why the server does not start, in words for whoever runs it. */
export class CannotStart extends Error {
  constructor(faults: readonly string[], cause?: unknown) {
    super(faults.join('\n'), { cause });
    this.name = 'CannotStart';
  }
}

/** Brings the database up to this release, as its owner. */
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

/** What a server has before its secrets are opened. */
export type OpenDatabase = Omit<Runtime, 'box'>;

/** Opens the database and makes sure that it is safe to work with. */
export async function openRuntime(
  { databaseUrl, databaseConnections, allowSuperuserLogin }: Config,
  log: Logger,
): Promise<OpenDatabase> {
  const database = openDatabase({
    url: databaseUrl,
    connections: databaseConnections,
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  });
  const faults = await selfCheck(database, { allowSuperuserLogin });
  if (faults.length > 0) {
    await database.close();
    throw new CannotStart(faults);
  }
  if (!allowSuperuserLogin) for (const warning of await loginWarnings(database)) log.warn(warning);
  return { database, log };
}

/** What only the owner may do, the server's own login is refused. */
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
