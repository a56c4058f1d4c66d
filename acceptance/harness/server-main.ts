import { fileURLToPath } from 'node:url';

/** The main file of the server in the sources. */
export const serverMain = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));
