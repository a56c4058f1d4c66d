import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Manifest = {
  name: string;
  version: string;
  private?: boolean;
  dependencies?: Record<string, string>;
  [member: string]: unknown;
};

const manifestAt = (path: string) => JSON.parse(read(path)) as Manifest;
const project = manifestAt('package.json');
const packages = globSync('packages/*/package.json', { cwd: root })
  .toSorted()
  .map((path) => ({ folder: dirname(path), manifest: manifestAt(path) }));
const published = packages.filter(({ manifest }) => manifest.private !== true);

test('the packages that a server consists of are published', () => {
  expect(published.map(({ folder }) => folder)).toEqual(
    expect.arrayContaining(
      ['cli', 'client', 'console', 'contract', 'domain', 'help', 'server', 'signalr', 'telemetry'].map(
        (name) => `packages/${name}`,
      ),
    ),
  );
});

describe.for(published)('$folder', ({ folder, manifest }) => {
  test('says what it is, what it runs on and under which licence, and has the version of the project', () => {
    expect(manifest).toMatchObject({
      version: project.version,
      description: expect.stringMatching(/\w{3}/),
      license: 'Apache-2.0',
      engines: project['engines'],
      publishConfig: { access: 'public' },
      scripts: { prepack: expect.any(String) },
    });
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
    expect(read(`${folder}/README.md`)).toMatch(new RegExp(`^# ${manifest.name}\n`));
  });

  test('packs named files only, and none of its tests and sources', () => {
    expect(manifest['files']).toEqual(expect.arrayContaining([expect.stringMatching(/^dist/)]));
    const files = manifest['files'] as string[];
    expect(files.filter((file) => /^src|test|\*\.ts$|\.map$/.test(file))).toEqual([]);
  });

  test('needs exact versions, and of ours only published ones in the same version', () => {
    const names = published.map((other) => other.manifest.name);
    for (const [name, version] of Object.entries(manifest.dependencies ?? {})) {
      expect(version).toMatch(/^\d+\.\d+\.\d+/);
      if (!name.startsWith('@tocsin/')) continue;
      expect(names).toContain(name);
      expect(version).toBe(project.version);
    }
  });
});
