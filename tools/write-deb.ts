/**
 * `npm run deb [-- FOLDER] [--version VERSION] [--fast]`
 *
 * Writes the Debian package of the built project to FOLDER, by default `release`, and prints its path. It contains the Node.js
 * that runs this script. `--fast` compresses less, for tests.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { debianArchitecture, debianVersion } from './deb/control.ts';
import { stagePackage } from './deb/stage-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { version: { type: 'string' }, fast: { type: 'boolean' } },
});
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const version = values.version ?? manifest.version;
const architecture = debianArchitecture(process.arch);
const folder = positionals[0] ?? join(root, 'release');
const file = join(folder, `tocsin_${debianVersion(version)}_${architecture}.deb`);

mkdirSync(folder, { recursive: true });
const stage = mkdtempSync(join(tmpdir(), 'tocsin-deb-'));
try {
  stagePackage(root, stage, { version, architecture, node: process.execPath });
  // The files belong to root, whoever builds. xz, because dpkg of Debian 11 knows no zstd.
  const compression = values.fast === true ? ['-Zgzip', '-z1'] : ['-Zxz'];
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', stage, file], {
    stdio: 'ignore',
  });
} finally {
  rmSync(stage, { recursive: true, force: true });
}
console.log(file);
