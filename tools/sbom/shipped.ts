/** The workspace whose production install is delivered. */
export const serverPackage = 'packages/server';

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

/** The packages of Debian that the image installs. Their versions are those of Debian on the day of the build. */
export function debianPackages(dockerfile: string): string[] {
  const [, names] = /apt-get install [-yq ]*--no-install-recommends ([a-z0-9.+ -]+)/.exec(dockerfile) ?? [];
  if (names === undefined) throw new Error('the Dockerfile installs no packages of Debian');
  return names.trim().split(/\s+/).toSorted();
}
