import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** The version of this release, from package.json. */
export const version = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
