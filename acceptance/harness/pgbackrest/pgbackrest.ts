import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { requirePrograms } from '../../../tools/needed-programs.ts';
import {
  freePort,
  type PostgresCluster,
  postgresBin,
  unprivilegedUser,
} from '../../../tools/postgres-cluster.ts';

/** Backups of a PostgreSQL by pgBackRest, in a repository of their own. */
export type PgBackRest = {
  /** For `archive_command`. */
  readonly archiveCommand: string;
  readonly repository: string;
  run(...args: string[]): Promise<string>;
  /** Runs the script of docs/high-availability.md; throws its output if it fails. */
  drill(target: string): Promise<string>;
  remove(): Promise<void>;
};

const script = fileURLToPath(new URL('../../../deploy/restore-drill.sh', import.meta.url));

export async function openPgBackRest(cluster: PostgresCluster): Promise<PgBackRest> {
  requirePrograms('/usr/bin/pgbackrest');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-pgbackrest-'));
  const user = await unprivilegedUser(folder);
  const config = join(folder, 'pgbackrest.conf');
  const repository = join(folder, 'repository');
  await writeFile(
    config,
    `[global]
repo1-path=${repository}
repo1-retention-full=2
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=of-the-test
start-fast=y
compress-type=zst
lock-path=${folder}/lock
log-path=${folder}/log
log-level-console=warn
[tocsin]
pg1-path=${cluster.folder}/data
pg1-port=${cluster.port}
pg1-socket-path=${cluster.folder}
`,
  );
  const environment = {
    PATH: process.env['PATH'] ?? '',
    TMPDIR: tmpdir(),
    LC_ALL: 'C.UTF-8',
    PGBACKREST_CONFIG: config,
  };
  // On the command line, so that a restore writes the name of the file into `restore_command`.
  const named = [`--config=${config}`, '--stanza=tocsin'];
  const options = { ...user, cwd: folder, env: environment };
  return {
    archiveCommand: `/usr/bin/pgbackrest --config=${config} --stanza=tocsin archive-push %p`,
    repository,
    run: async (...args) =>
      (await promisify(execFile)('/usr/bin/pgbackrest', [...named, ...args], options)).stdout,
    drill: async (target) => {
      // A temporary folder that the user may write to.
      const place = join(folder, 'drill');
      await mkdir(place, { recursive: true });
      await unprivilegedUser(place);
      const env = {
        ...environment,
        FOLDER: place,
        DATABASE: 'postgres',
        TARGET: target,
        DRILL_PORT: String(await freePort()),
        POSTGRES_BIN: await postgresBin(),
      };
      return (await promisify(execFile)('sh', [script], { ...options, env })).stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
