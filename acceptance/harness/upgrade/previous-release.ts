import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The last commit before the version became 0.2.0, because the history has no tag of it. Change it with each release. */
export const previousRelease = {
  version: '0.1.0',
  commit: '14922849a1ec5cc9f2a706a005d029081bfded90',
};

const root = fileURLToPath(new URL('../../..', import.meta.url));

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });

/** Why the previous release cannot be built here, if so: a shallow clone does not have its commit. */
export function whyMissing(): string | undefined {
  try {
    git('cat-file', '-e', `${previousRelease.commit}^{commit}`);
    return undefined;
  } catch {
    return `the commit of ${previousRelease.version} is not in this clone: git fetch --unshallow`;
  }
}

export type PreviousRelease = {
  /** Its main file. */
  readonly program: string;
  remove(): Promise<void>;
};

/** Unpacks the sources of the previous release, with the packages that are installed here. */
export async function unpackPreviousRelease(): Promise<PreviousRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-previous-'));
  const archive = git('archive', previousRelease.commit, 'package.json', 'packages');
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  await linkPackages(folder);
  return {
    program: join(folder, 'packages/server/src/main.ts'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Links all packages of others to those of this checkout, and ours to those of the release. */
async function linkPackages(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@tocsin'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@tocsin') await symlink(join(root, 'node_modules', name), join(modules, name));
  for (const name of await readdir(join(folder, 'packages'))) {
    await symlink(join(folder, 'packages', name), join(modules, '@tocsin', name));
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) await symlink(own, join(folder, 'packages', name, 'node_modules'));
  }
}
