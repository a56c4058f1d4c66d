import { fileURLToPath } from 'node:url';

const sourceOf = (path: string) =>
  fileURLToPath(new URL(`../../packages/${path}/src/main.ts`, import.meta.url));

/** The main file of the server in the sources. */
export const serverMain = sourceOf('server');

/** The main file of the command line in the sources. */
export const commandLineMain = sourceOf('cli');
