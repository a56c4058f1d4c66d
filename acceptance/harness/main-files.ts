import { fileURLToPath } from 'node:url';

const sourceOf = (path: string) =>
  fileURLToPath(new URL(`../../packages/${path}/src/main.ts`, import.meta.url));

/** The main file of the server in the sources. */
export const serverMain = sourceOf('server');

/** The main file of the command line in the sources. */
export const commandLineMain = sourceOf('cli');

type Environment = Readonly<Record<string, string>>;

/** The bundle that the run has made, or the source. Module hooks, which tests set by `NODE_OPTIONS`, need the sources. */
const bundleOr = (source: string, variable: string) => (environment: Environment) =>
  (environment['NODE_OPTIONS'] === undefined && process.env[variable]) || source;

export const serverProgram = bundleOr(serverMain, 'SERVER_PROGRAM');
export const commandLineProgram = bundleOr(commandLineMain, 'COMMAND_LINE_PROGRAM');
