import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Environment } from '../../settings/setting.ts';
import { CannotStart } from '../cannot-start.ts';

/** Where programs of PostgreSQL may be: Debian's folders first, the newest version first, then those of `PATH`. */
export function programFolders({ PATH: path = '' }: Environment): string[] {
  const versionOf = (folder: string) => Number.parseInt(folder.split('/').at(-2) ?? '', 10);
  const debian = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => versionOf(b) - versionOf(a));
  return [...debian, ...path.split(delimiter).filter((folder) => folder !== '')];
}

export function findProgram(name: 'pg_dump' | 'pg_restore', folders: readonly string[]): string {
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found === undefined)
    throw new CannotStart([
      `${name} is not installed here. Install the client programs of PostgreSQL, at least in the version of the database: apt-get install postgresql-client.`,
    ]);
  return found;
}

/** A URL for programs of PostgreSQL, and the password by itself: other users can read command lines. */
export function connectionOf(databaseUrl: string): { url: string; secrets: Record<string, string> } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  // Parameters that only our driver knows.
  for (const name of ['ssl', 'uselibpqcompat']) url.searchParams.delete(name);
  return { url: url.href, secrets: password === '' ? {} : { PGPASSWORD: password } };
}

export type ProgramRun = {
  program: string;
  args: readonly string[];
  databaseUrl: string;
  /** Of this process: programs of PostgreSQL have settings there, too. */
  environment: Environment;
  /** Gets what the program prints, and what it does with it goes to `target`. */
  through?: Transform;
  target?: NodeJS.WritableStream;
};

/** Runs a program of PostgreSQL on a database. Throws what it complains about if it fails. */
export async function runProgram(run: ProgramRun): Promise<void> {
  const { program, args, databaseUrl, environment, through, target } = run;
  const { url, secrets } = connectionOf(databaseUrl);
  const child = spawn(program, [...args, `--dbname=${url}`], {
    env: { ...environment, ...secrets },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += String(chunk)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const writing = through && target ? pipeline(child.stdout, through, target) : child.stdout.resume();
  const [code] = await Promise.all([ended, writing]);
  if (code !== 0) throw new CannotStart([`${program} failed:\n${complaints.trim()}`]);
}
