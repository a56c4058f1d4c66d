import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { judgeSpace } from './check-disk.ts';
import { judgeNode, oldestNode } from './check-system.ts';

test('the oldest Node.js is that of package.json', () => {
  const file = new URL('../../../../package.json', import.meta.url);
  const { engines } = JSON.parse(readFileSync(file, 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${oldestNode}`);
});

test.for([
  ['22.19.0', 'error'],
  ['24.8.1', 'error'],
  ['24.9.0', 'ok'],
  ['24.10.0', 'ok'],
  ['25.0.0', 'ok'],
] as const)('Node.js %s: %s', ([running, severity]) => {
  expect(judgeNode(running).map((finding) => finding.severity)).toEqual([severity]);
});

test('little space is a warning, and almost none an error', () => {
  const at = (megabytes: number) => judgeSpace({ path: '/var/lib/tocsin', freeBytes: megabytes * 1_000_000 });
  expect(at(1_000)).toEqual([]);
  expect(at(999)).toMatchObject([{ severity: 'warning', name: 'disk.space' }]);
  expect(at(99)).toEqual([
    {
      severity: 'error',
      name: 'disk.space',
      message: 'Only 99 MB are free at /var/lib/tocsin',
      remedy: 'delete what is not needed there, or set another folder',
    },
  ]);
});
