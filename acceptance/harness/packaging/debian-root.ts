import { globSync, readFileSync, statSync } from 'node:fs';
import { run } from './commands.ts';

/** The release of Debian that the project supports. */
const suite = 'bookworm';

/** The sources of packages that this machine uses: a test has no mirror of its own. */
function aptSources(): string[] {
  const files = globSync(['/etc/apt/sources.list', '/etc/apt/sources.list.d/*.{list,sources}']);
  const used = files.filter((file) => statSync(file).size > 0 && readFileSync(file, 'utf8').includes(suite));
  if (used.length === 0) throw new Error(`No file of /etc/apt names a source of Debian ${suite}.`);
  return used;
}

/** Makes a small Debian with these packages: a folder, or an archive if the name of the target ends so. */
export async function makeDebian(target: string, packages: readonly string[]): Promise<void> {
  const include = `--include=${packages.join(',')}`;
  await run('mmdebstrap', ['--quiet', '--variant=minbase', include, suite, target, ...aptSources()]);
}
