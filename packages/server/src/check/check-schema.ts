import type { Database } from '../postgres/database.ts';
import { readSchemaState, tryMigrationLogin } from '../postgres/migrate.ts';
import { explainDatabaseError, findSchemaFaults } from '../postgres/self-check.ts';
import { listMissingPartitions } from './database-state.store.ts';
import { error, type Finding, ofFault, ok, orOk, reasonOf, warning } from './finding.ts';

/** The migrations of the database against those of this release. */
export async function checkSchema(database: Database): Promise<readonly Finding[]> {
  try {
    const behind = (await findSchemaFaults(database)).map((fault) => ofFault(fault));
    const { unknown, changed, newest } = await readSchemaState(database.pool);
    const ahead =
      unknown.length === 0
        ? []
        : [
            warning(
              'schema.ahead',
              `The database has ${unknown.join(', ')} of a newer release: this server is too old`,
              'upgrade this server to the release of the others',
            ),
          ];
    const found = [...behind, ...changed.map((fault) => ofFault(fault)), ...ahead];
    return orOk(found, 'schema', `The database has all migrations of this release, up to ${newest}`);
  } catch (thrown) {
    const fault = explainDatabaseError(thrown);
    if (fault.name !== 'schema.empty') throw thrown;
    return [ofFault(fault)];
  }
}

/** The login of `MIGRATE_DATABASE_URL`, as which the server migrates when it starts. */
export async function checkMigrationLogin(url: string | undefined): Promise<readonly Finding[]> {
  if (url === undefined) return [];
  try {
    await tryMigrationLogin(url);
    return [ok('schema.migration-login', 'The login of MIGRATE_DATABASE_URL is accepted')];
  } catch (thrown) {
    const message = `The database could not be migrated: ${reasonOf(thrown)}`;
    const remedy = 'correct MIGRATE_DATABASE_URL, or unset it and run the `migrate` command as the owner';
    return [error('schema.migration-login', message, remedy)];
  }
}

/** Partitions are made in advance, because a month that has rows without one never gets one. */
export async function checkPartitions(database: Database): Promise<readonly Finding[]> {
  const missing = await listMissingPartitions(database);
  const found =
    missing.length === 0
      ? []
      : [
          warning(
            'schema.partitions',
            `There is no partition ${missing.join(', ')}: months without one cannot be dropped by RETENTION_MONTHS`,
            'run the `migrate` command, or leave a server running, which creates them every hour',
          ),
        ];
  return orOk(found, 'schema.partitions', 'There are partitions for this and the next month');
}
