import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { migrationNames } from '../../postgres/migrate.ts';
import type { Config } from '../../settings/config.ts';
import type { Environment } from '../../settings/setting.ts';
import { CannotStart } from '../cannot-start.ts';
import { migrateDatabase } from '../open-runtime.ts';
import { asOwner } from '../tenants/owner-connection.store.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { findProgram, programFolders, runProgram } from './postgres-programs.ts';
import {
  bringContentBack,
  dropFormerContent,
  giveRoutines,
  type RestoreTarget,
  readTarget,
  setContentAside,
} from './restore.store.ts';
import { contentFaults, trailFaults } from './verify-restored.ts';

const usage = 'restore FILE [--replace]';

type Restore = { file: string; program: string; manifest: Manifest; environment: Environment };

/**
 * The command `restore`: fills an empty database from a backup and verifies it. With `--replace` the former content is
 * dropped only after that; if anything fails, it is there again.
 */
export async function restore(
  config: Config,
  log: Logger,
  args: string[],
  environment: Environment,
): Promise<Manifest> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new CannotStart([`Name one file: ${usage}`]);
  const program = findProgram('pg_restore', programFolders(environment));
  const manifest = await readManifest(file);
  await refuseNewerSchema(manifest);
  const target = await asOwner(config, (client) => readTarget(client, rolesOf(manifest)));
  refuseTarget(target, { replaces: values.replace, allowSuperuser: config.allowSuperuserLogin });
  const parts = { file, program, manifest, environment };
  if (target.objects === 0) await fill(config, log, parts);
  else await replace(config, log, parts);
  return manifest;
}

async function refuseNewerSchema({ migration }: Manifest): Promise<void> {
  if ((await migrationNames()).includes(migration)) return;
  throw new CannotStart([
    `The backup is of a newer release: this one does not know its migration ${migration}.`,
    'Install that release or a later one, and restore with it.',
  ]);
}

const rolesOf = ({ routines }: Manifest) => [
  ...new Set(['tocsin_app', 'tocsin_cross_tenant', ...routines.map(({ owner }) => owner)]),
];

function refuseTarget(
  { login, isSuperuser, objects, connections, missingRoles }: RestoreTarget,
  { replaces, allowSuperuser }: { replaces: boolean; allowSuperuser: boolean },
): void {
  if (missingRoles.length > 0)
    throw new CannotStart([
      `Roles are missing: ${missingRoles.join(', ')}. Create them and an empty database with create-database.sh first.`,
    ]);
  if (isSuperuser && !allowSuperuser)
    throw new CannotStart([
      `${login} is a superuser, and would own the tables: restore as the owner of the database, named in MIGRATE_DATABASE_URL.`,
    ]);
  if (objects > 0 && !replaces)
    throw new CannotStart([
      'The database is not empty. Restore into a new one (create-database.sh), or add --replace to lose what it has now.',
    ]);
  if (connections > 0)
    throw new CannotStart([
      `The database has ${connections} other connections. Stop all servers first, so that nobody works with half of it.`,
    ]);
}

async function fill(
  config: Config,
  log: Logger,
  { file, program, manifest, environment }: Restore,
): Promise<void> {
  const { databaseUrl, migrateDatabaseUrl = databaseUrl } = config;
  // All of it or nothing. Owners have other names elsewhere, so that everything belongs to the login at first.
  const args = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-password', file];
  await runProgram({ program, args, databaseUrl: migrateDatabaseUrl, environment });
  await asOwner(config, (client) => giveRoutines(client, manifest.routines));
  const faults = await contentFaults(config, manifest);
  if (faults.length > 0) throw new CannotStart(faults);
  await migrateDatabase(config, log);
  const trail = await trailFaults(config, log, manifest);
  if (trail.length > 0) throw new CannotStart(trail);
}

async function replace(config: Config, log: Logger, parts: Restore): Promise<void> {
  await asOwner(config, setContentAside);
  try {
    await fill(config, log, parts);
  } catch (error) {
    await asOwner(config, bringContentBack);
    throw error;
  }
  await asOwner(config, dropFormerContent);
}

export function reportRestore({ takenAt, tenants }: Manifest): string {
  const rows = tenants.reduce((sum, tenant) => sum + tenant.rows, 0);
  return `${rows} rows of ${tenants.length} tenants restored as of ${takenAt}. Journals have no gap, audit trails are whole.
Start the servers with the secrets key of the backup. Hub clients that have seen later entries are told to read everything again.`;
}
