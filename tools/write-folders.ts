/** Writes the folder table and picture of `docs/architecture.md`; with `--check` only reports whether they are up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { replaceFolders } from './folder-page.ts';

const file = new URL('../docs/architecture.md', import.meta.url);
const page = readFileSync(file, 'utf8');
const text = replaceFolders(page);
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (text !== page) {
  console.error('docs/architecture.md is stale: run `npm run folders`');
  process.exitCode = 1;
}
