/** Writes the AsyncAPI document of the hub to `docs/asyncapi.json`, or checks with `--check` that it is up to date. */
import { readFile, writeFile } from 'node:fs/promises';
import { hubDocument } from '@tocsin/server/testing';

const file = new URL('../docs/asyncapi.json', import.meta.url);

const text = `${JSON.stringify(hubDocument(), undefined, 2)}\n`;
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('docs/asyncapi.json is stale: run `npm run asyncapi`');
  process.exitCode = 1;
}
