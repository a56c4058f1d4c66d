/** Writes `sbom.cdx.json`, the bill of materials; with `--check` only reports whether it is up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { billOfMaterials } from './sbom/bill-of-materials.ts';
import { readLock } from './sbom/lock-file.ts';

const root = new URL('../', import.meta.url);
const file = new URL('sbom.cdx.json', root);

const lock = readLock(new URL('package-lock.json', root));
const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8');
const text = `${JSON.stringify(billOfMaterials(lock, dockerfile), null, 1)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('sbom.cdx.json is stale: run `npm run sbom`');
  process.exitCode = 1;
}
