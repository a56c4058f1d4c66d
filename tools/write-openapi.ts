/** Writes the server's OpenAPI document to `docs/openapi.json`, or checks with `--check` that it is up to date. */
import { readFile, writeFile } from 'node:fs/promises';
import { interfaceDocument } from '@tocsin/server/testing';

const file = new URL('../docs/openapi.json', import.meta.url);

const text = `${JSON.stringify(await interfaceDocument(), undefined, 2)}\n`;
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('docs/openapi.json is stale: run `npm run openapi`');
  process.exitCode = 1;
}
