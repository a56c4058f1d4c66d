import { createHash } from 'node:crypto';
import { open, rm, stat, writeFile } from 'node:fs/promises';
import { Transform } from 'node:stream';
import type { Config } from '../../settings/config.ts';
import type { Environment } from '../../settings/setting.ts';
import { CannotStart } from '../cannot-start.ts';
import { atOneMoment, type Login, type Snapshot } from './backup.store.ts';
import { manifestFile, writeManifest } from './manifest.ts';
import { findProgram, type ProgramRun, programFolders, runProgram } from './postgres-programs.ts';

const usage = 'backup FILE';

export type BackupResult = Snapshot & { file: string; bytes: number };

/** The command `backup`: writes the whole database to a file, as it was at one moment, while the servers run. */
export async function backUp(
  { databaseUrl, migrateDatabaseUrl = databaseUrl, backupDatabaseUrl = migrateDatabaseUrl }: Config,
  args: string[],
  environment: Environment,
): Promise<BackupResult> {
  const [file, ...more] = args;
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw new CannotStart([`Name one file: ${usage}`]);
  const program = findProgram('pg_dump', programFolders(environment));
  return atOneMoment(backupDatabaseUrl, refuseBlindLogin, async (snapshot) => {
    await refuseExisting(manifestFile(file));
    // Refuses an existing file, which may be the only copy of another backup.
    const target = await open(file, 'wx', 0o600);
    try {
      const sha256 = await dump(target.createWriteStream({ flush: true }), {
        program,
        databaseUrl: backupDatabaseUrl,
        snapshot: snapshot.id,
        environment,
      });
      const { size: bytes } = await stat(file);
      const { takenAt, migration, postgres, tenants, routines } = snapshot;
      const text = writeManifest({ takenAt, migration, postgres, bytes, sha256, tenants, routines });
      await writeFile(manifestFile(file), text, { mode: 0o600, flush: true });
      return { ...snapshot, file, bytes };
    } catch (error) {
      await Promise.all([rm(file, { force: true }), rm(manifestFile(file), { force: true })]);
      throw error;
    }
  });
}

async function refuseExisting(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found) throw new CannotStart([`${file} exists already: name another file.`]);
}

/** `pg_dump` refuses too, but does not say what to do. */
function refuseBlindLogin({ name, seesAllRows }: Login): void {
  if (seesAllRows) return;
  throw new CannotStart([
    `${name} does not see the rows of all tenants: row-level security applies to the owner, too.`,
    'Create a role for backups, as a superuser: create role tocsin_backup login bypassrls password … in role pg_read_all_data;',
    'let it connect: grant connect on database … to tocsin_backup; and name it in BACKUP_DATABASE_URL.',
  ]);
}

/** Writes the dump, and returns its hash. */
async function dump(
  target: NodeJS.WritableStream,
  { snapshot, ...run }: Pick<ProgramRun, 'program' | 'databaseUrl' | 'environment'> & { snapshot: string },
): Promise<string> {
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(undefined, chunk);
    },
  });
  const args = ['--format=custom', '--no-password', `--snapshot=${snapshot}`];
  await runProgram({ ...run, args, through: hashed, target });
  return hash.digest('hex');
}

export function reportBackup({ file, bytes, tenants, takenAt, isArchived }: BackupResult): string {
  const rows = tenants.reduce((sum, tenant) => sum + tenant.rows, 0);
  const archive = isArchived
    ? '\nThe write-ahead log of this database is archived: a restore from there loses less than from this file (docs/high-availability.md#backup).'
    : '';
  return `${file} holds ${rows} rows of ${tenants.length} tenants at ${takenAt}, ${bytes} bytes. Keep ${manifestFile(file)} with it.
The secrets key is not in it: keep it too, in another place. Without it, restored channels and keys cannot be used.${archive}`;
}
