import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase } from './postgres/database.ts';
import { migrate } from './postgres/migrate.ts';
import { selfCheck } from './postgres/self-check.ts';
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
  { databaseUrl, migrateDatabaseUrl = databaseUrl }: Config,
  log: Logger,
): Promise<void> {
  try {
    const { applied } = await migrate(migrateDatabaseUrl);
    log.info({ applied }, applied.length === 0 ? 'database is up to date' : 'database migrated');
  } catch (error) {
    throw new CannotStart([`The database could not be migrated: ${reasonOf(error)}`], error);
  }
}

/** Opens the database and makes sure that it is safe to work with. */
export async function openRuntime(
  { databaseUrl, databaseConnections }: Config,
  log: Logger,
): Promise<Runtime> {
  const database = openDatabase({
    url: databaseUrl,
    connections: databaseConnections,
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  });
  const faults = await selfCheck(database);
  if (faults.length === 0) return { database, log };
  await database.close();
  throw new CannotStart(faults);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
