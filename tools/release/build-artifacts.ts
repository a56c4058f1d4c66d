import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the files that are published; git ignores it. */
export const releaseFolder = 'release';

/** A version to build, its day, and the names of its npm packages. */
export type Build = {
  readonly version: string;
  readonly date: string;
  readonly published: readonly string[];
};

/** Builds everything anew into the release folder, with a list of sums. */
export function buildArtifacts(root: string, { version, date, published }: Build): void {
  // Neither a former build nor a former release may leave a file in this one.
  for (const folder of globSync('packages/*/dist', { cwd: root }))
    rmSync(join(root, folder), { recursive: true });
  const folder = join(root, releaseFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  run(root, 'npm', ['run', '--silent', 'build']);
  const workspaces = published.map((name) => `--workspace=${name}`);
  // Without the scripts of the packages: the build above has done their work.
  run(root, 'npm', [
    'pack',
    '--silent',
    '--ignore-scripts',
    `--pack-destination=${releaseFolder}`,
    ...workspaces,
  ]);
  // All times in the Debian package are the day of the release, so that two builds are the same.
  const environment = { SOURCE_DATE_EPOCH: String(Date.parse(date) / 1_000) };
  run(root, 'npm', ['run', '--silent', 'deb', '--', releaseFolder], environment);
  copyFileSync(join(root, 'sbom.cdx.json'), join(folder, `tocsin-${version}.cdx.json`));
  copyFileSync(join(root, 'create-database.sh'), join(folder, 'create-database.sh'));
  writeSums(folder);
}

/** SHA256SUMS as `sha256sum --check` reads it. */
function writeSums(folder: string): void {
  const lines = readdirSync(folder)
    .toSorted()
    .map((file) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, file)));
      return `${hash.digest('hex')}  ${file}\n`;
    });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Runs a command in the repository; its errors are shown, its other output is not. */
export function run(
  root: string,
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): void {
  execFileSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
}
