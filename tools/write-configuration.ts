/** Writes the tables of `docs/configuration.md`; with `--check` only reports whether they are up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { replaceSettings } from './configuration-page.ts';

const file = new URL('../docs/configuration.md', import.meta.url);
const page = readFileSync(file, 'utf8');
const text = replaceSettings(page);
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (text !== page) {
  console.error('docs/configuration.md is stale: run `npm run configuration`');
  process.exitCode = 1;
}
