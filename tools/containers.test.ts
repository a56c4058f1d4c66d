import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { readServices } from './compose-file.ts';
import { readLock } from './sbom/lock-file.ts';
import { deliveredTree, isDemoDatabase } from './sbom/shipped.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Of each package of the lock file, what decides whether it is installed, and as what. */
const LockedPackage = Type.Object({
  version: Type.Optional(Type.String()),
  link: Type.Optional(Type.Boolean()),
  dev: Type.Optional(Type.Boolean()),
  optional: Type.Optional(Type.Boolean()),
  integrity: Type.Optional(Type.String()),
  hasInstallScript: Type.Optional(Type.Boolean()),
});
type LockedPackage = Static<typeof LockedPackage>;
const Lock = Type.Object({ packages: Type.Record(Type.String(), LockedPackage) });

const services = Object.entries(readServices(new URL('../compose.yaml', import.meta.url)));
const dockerfile = read('Dockerfile');
const packages = Object.entries(Value.Parse(Lock, JSON.parse(read('package-lock.json'))).packages);

/** Packages from elsewhere: the others are those of this repository. */
const foreign = packages.filter(([path, { link }]) => path.includes('node_modules/') && link !== true);
const names = (some: readonly [string, LockedPackage][]) => some.map(([path]) => path);

/** A digest, or a variable that compose refuses to go on without. */
const isPinned = (image: string) => /@sha256:[0-9a-f]{64}$/.test(image) || /^\$\{[A-Z_]+:\?/.test(image);

test.for(services)('the service %s has no root, no capability and nothing to write to', ([, service]) => {
  expect(service).toMatchObject({
    user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
    cap_drop: ['ALL'],
    security_opt: expect.arrayContaining(['no-new-privileges:true']),
    read_only: true,
    tmpfs: expect.arrayContaining(['/tmp']),
  });
  expect(service).not.toHaveProperty('cap_add');
  expect(service).not.toHaveProperty('privileged');
});

test('the server has a secrets key and the login that serves; only the migration has the one that owns', () => {
  const { migrate, server } = Object.fromEntries(services);
  expect(server?.secrets?.toSorted()).toEqual(['admin-password', 'secrets-key', 'server-url']);
  expect(server?.environment).toMatchObject({
    DATABASE_URL_FILE: '/run/secrets/server-url',
    SECRETS_KEY_FILE: '/run/secrets/secrets-key',
    AUTO_MIGRATE: 'false',
    PUBLIC_URL: '${PUBLIC_URL:-}',
  });
  expect(migrate?.secrets).toEqual(['owner-url']);
});

test('every image is named by digest, or set at build time', () => {
  expect(services.length).toBeGreaterThan(2);
  const images = services.map(([, { image, build }]) => {
    const args = typeof build === 'object' ? build.args : {};
    return image ?? args['NODE_IMAGE'] ?? 'none';
  });
  expect(images.filter((image) => !isPinned(image))).toEqual([]);

  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base);
  expect(bases).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
  expect(dockerfile, 'without a default').toMatch(/^ARG NODE_IMAGE$/m);
});

test('the image itself runs as a user without rights', () => {
  const [, last = ''] = /^USER (\S+)\n(?![^]*^USER )/m.exec(dockerfile) ?? [];
  expect(last).toBe('node');
});

test('the image has the programs that telephone calls need', () => {
  const packagesIn = (text: string) =>
    /apt-get install [-yq ]*--no-install-recommends ([a-z0-9 -]+)/
      .exec(text)?.[1]
      ?.trim()
      .split(' ')
      .toSorted();
  expect(packagesIn(dockerfile)).toEqual(packagesIn(read('docs/sip.md')));
  expect(packagesIn(dockerfile)).toContain('baresip-core');
});

test('the image installs what the lock file names, for production, without install scripts', () => {
  const installs = [...dockerfile.matchAll(/npm (?:ci|install|i)\b[^&\n]*/g)].map(([command]) => command);
  expect(installs.length).toBeGreaterThan(0);
  for (const command of installs) expect(command).toMatch(/^npm ci .*--ignore-scripts/);
  expect(installs.at(-1)).toContain('--omit=dev');
});

test('every package of a production install is known by its hash', () => {
  const production = foreign.filter(([, { dev }]) => dev !== true);
  expect(production.length).toBeGreaterThan(50);
  expect(names(production.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')))).toEqual([]);
});

test('every development tool has a hash, except binaries for other systems', () => {
  const without = foreign.filter(([, { integrity }]) => integrity === undefined);
  expect(names(without.filter(([, { dev, optional }]) => dev !== true || optional !== true))).toEqual([]);
});

test('no package of a production install has an install script', () => {
  const installed = new Set(deliveredTree(readLock(new URL('../package-lock.json', import.meta.url))));
  expect(installed.size).toBeGreaterThan(50);
  const withScript = foreign.filter(
    ([, { dev, hasInstallScript }]) => dev !== true && hasInstallScript === true,
  );
  expect(names(withScript.filter(([path]) => installed.has(path)))).toEqual([]);
  // The database of the demo is an optional package of the command line. Its script is never run: the demo does its work.
  expect(names(withScript.filter(([path, { optional }]) => !(isDemoDatabase(path) && optional)))).toEqual([]);
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  const refused = withScript.map(([path]) => allowScripts[path.replace('node_modules/', '')]);
  expect(refused).toEqual(withScript.map(() => false));
});
