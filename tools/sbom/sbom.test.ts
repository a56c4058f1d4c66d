import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type BillOfMaterials, billOfMaterials } from './bill-of-materials.ts';
import { readLock } from './lock-file.ts';
import { consolePackages, isDemoDatabase } from './shipped.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

const written = async () =>
  JSON.parse(await readFile(join(root, 'sbom.cdx.json'), 'utf8')) as BillOfMaterials;

const partsOf = ({ components }: BillOfMaterials, part: string) =>
  components.filter(({ properties }) => properties.some(({ value }) => value === part));

const namesOf = (bill: BillOfMaterials, part: string) =>
  partsOf(bill, part)
    .map(({ name, version }) => `${name}@${version}`)
    .toSorted();

/** A tree as `npm ls --json` prints it. */
type Tree = { version?: string; dependencies?: Record<string, Tree> };

function flatten({ dependencies = {} }: Tree): string[] {
  return Object.entries(dependencies).flatMap(([name, tree]) => {
    const below = flatten(tree);
    return tree.version === undefined ? below : [`${name}@${tree.version}`, below].flat();
  });
}

/** A copy of the lock file and the package.json files, as the Dockerfile copies them. */
async function copyManifests(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-sbom-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const packages = ['cli', 'client', 'console', 'contract', 'domain', 'help', 'server', 'signalr'];
  const workspaces = [...packages.map((name) => `packages/${name}`), 'acceptance', 'bench', 'tools'];
  const files = [
    'package.json',
    'package-lock.json',
    '.npmrc',
    ...workspaces.map((at) => `${at}/package.json`),
  ];
  for (const file of files) await cp(join(root, file), join(folder, file), { recursive: true });
  return folder;
}

test.for([
  ['packages/server', ['server']],
  ['packages/cli', ['server', 'command line']],
] as const)(
  'the bill lists exactly the packages that npm installs for production: %s',
  {
    timeout: 120_000,
  },
  async ([workspace, parts]) => {
    const folder = await copyManifests();
    const args = ['ls', '--omit=dev', '--all', '--json', '--package-lock-only', `--workspace=${workspace}`];
    const { stdout } = await run('npm', args, { cwd: folder, maxBuffer: 1e8 });
    const installed = [...new Set(flatten(JSON.parse(stdout) as Tree))]
      .filter((name) => !isDemoDatabase(`node_modules/${name}`))
      .toSorted();
    expect(installed.length).toBeGreaterThan(80);
    const bill = await written();
    expect(new Set(parts.flatMap((part) => namesOf(bill, part)))).toEqual(new Set(installed));
  },
);

/** The name of the package that a module belongs to; undefined for a module that the bundler has made. */
async function packageOf(id: string): Promise<string | undefined> {
  const file = id.replace(/^\0/, '').replace(/\?.*$/, '');
  if (!file.startsWith('/')) return undefined;
  for (let folder = dirname(file); folder.startsWith(root.slice(0, -1)); folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    const { name } = JSON.parse(text ?? '{}') as { name?: string };
    if (name !== undefined && name !== 'tocsin') return name;
  }
  return undefined;
}

test('the bill lists exactly the packages whose code the built console contains', {
  timeout: 120_000,
}, async () => {
  const { build, loadConfigFromFile } = await import('vite');
  const console = join(root, 'packages/console');
  const env = { command: 'build', mode: 'production' } as const;
  const loaded = await loadConfigFromFile(env, join(console, 'vite.config.ts'));
  // Without the plugin that works on written files: this build writes none.
  const plugins = (loaded?.config.plugins ?? [])
    .flat()
    .filter(
      (plugin) =>
        !(
          typeof plugin === 'object' &&
          plugin !== null &&
          'name' in plugin &&
          plugin.name === 'compress-and-weigh'
        ),
    );
  const modules = new Set<string>();
  await build({
    ...loaded?.config,
    root: console,
    configFile: false,
    logLevel: 'error',
    build: { ...loaded?.config.build, write: false },
    plugins: [
      ...plugins,
      {
        name: 'list-modules',
        enforce: 'post',
        generateBundle(_options, bundle) {
          for (const file of Object.values(bundle)) {
            if (file.type !== 'chunk') continue;
            for (const [id, { renderedLength }] of Object.entries(file.modules))
              if (renderedLength > 0) modules.add(id);
          }
        },
      },
    ],
  });
  const names = new Set<string>();
  for (const id of modules) {
    const name = await packageOf(id);
    if (name !== undefined) names.add(name);
  }
  expect([...names].toSorted()).toEqual([...consolePackages].toSorted());
  const listed = partsOf(await written(), 'console').map(({ name }) => name);
  expect(listed.toSorted()).toEqual([...names].toSorted());
});

test('every package from elsewhere has a version, a licence and a hash', async () => {
  const bill = await written();
  const foreign = bill.components.filter(
    ({ name, properties }) =>
      !/^(@tocsin\/|tocsin$)/.test(name) && properties.every(({ value }) => value !== 'image'),
  );
  expect(foreign.length).toBeGreaterThan(80);
  for (const { version, licenses, hashes } of foreign) {
    expect(version).toMatch(/^\d/);
    expect(licenses).toHaveLength(1);
    expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
  }
});

test('the bill lists the packages of Debian in the image', async () => {
  expect(partsOf(await written(), 'image').map(({ name }) => name)).toEqual([
    'baresip-core',
    'espeak-ng',
    'sox',
  ]);
});

test('the same lock file gives the same bill, and another one another number', async () => {
  const lock = readLock(join(root, 'package-lock.json'));
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  const bill = billOfMaterials(lock, dockerfile);
  expect(billOfMaterials(lock, dockerfile)).toEqual(bill);
  expect(bill.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const other = billOfMaterials({ ...lock, sha256: 'f'.repeat(64) }, dockerfile);
  expect(other.serialNumber).not.toBe(bill.serialNumber);
});

test('every component that another needs is listed', async () => {
  const { components, dependencies } = await written();
  const listed = new Set(components.map((component) => component['bom-ref']));
  const needed = dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(needed.length).toBeGreaterThan(100);
  expect(needed.filter((ref) => !listed.has(ref))).toEqual([]);
});
