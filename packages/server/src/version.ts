import { readFileSync } from 'node:fs';

const packageFile = new URL('../package.json', import.meta.url);

/** Of this release, as the package says it. */
export const version = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
