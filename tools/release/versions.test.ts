import { expect, test } from 'vitest';
import { compareVersions, setLockVersion, setManifestVersion } from './versions.ts';

test('versions are ordered as Semantic Versioning orders them', () => {
  const ordered = ['0.1.0', '0.2.0-rc.2', '0.2.0-rc.10', '0.2.0', '0.10.0', '1.0.0'];
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
  expect(compareVersions('0.2.0', '0.2.0')).toBe(0);
});

test.for(['1.2', 'v1.2.3', '1.2.3-', 'next', '1.2.3 '])('%s is refused as a version', (text) => {
  expect(() => compareVersions(text, '1.0.0')).toThrow(`${text} is no version`);
});

const released = new Set(['@plant/domain', '@plant/server']);

test('packages that are released together need each other in the new version, and others stay', () => {
  const text = JSON.stringify({
    name: '@plant/server',
    version: '0.1.0',
    dependencies: { '@plant/domain': '0.1.0', fastify: '5.0.0' },
    devDependencies: { '@plant/server': '0.1.0' },
  });
  expect(JSON.parse(setManifestVersion(text, '0.2.0', released))).toEqual({
    name: '@plant/server',
    version: '0.2.0',
    dependencies: { '@plant/domain': '0.2.0', fastify: '5.0.0' },
    devDependencies: { '@plant/server': '0.2.0' },
  });
});

test('the lock file changes at the workspaces only', () => {
  const lock = {
    name: 'plant',
    version: '0.1.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'plant', version: '0.1.0' },
      'node_modules/@plant/domain': { resolved: 'packages/domain', link: true },
      'node_modules/fastify': { version: '0.1.0' },
      'packages/server': { version: '0.1.0', dependencies: { '@plant/domain': '0.1.0' } },
    },
  };
  expect(JSON.parse(setLockVersion(JSON.stringify(lock), '0.2.0', released))).toEqual({
    ...lock,
    version: '0.2.0',
    packages: {
      ...lock.packages,
      '': { name: 'plant', version: '0.2.0' },
      'packages/server': { version: '0.2.0', dependencies: { '@plant/domain': '0.2.0' } },
    },
  });
});
