import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breaks } from './breaks.ts';
import { applyPatches } from './source-patch.ts';

const sourceOf = (file: string) =>
  readFileSync(new URL(`../../../packages/${file}`, import.meta.url), 'utf8');

test('there are enough broken servers, each with a name of its own', () => {
  expect(breaks.length).toBeGreaterThanOrEqual(12);
  expect(new Set(breaks.map(({ name }) => name)).size).toBe(breaks.length);
});

test.each(breaks.filter(({ patches }) => patches.length > 0))(
  'there is a place to break: $name',
  ({ patches }) => {
    for (const file of new Set(patches.map((patch) => patch.file))) {
      const source = sourceOf(file);
      const here = patches.filter((patch) => patch.file === file);
      expect(applyPatches(source, here)).not.toBe(source);
    }
  },
);

test('a piece that is gone, or there twice, is not replaced', () => {
  const patch = { file: 'some.ts', text: 'one', by: 'two' };
  expect(applyPatches('one two', [patch])).toBe('two two');
  expect(() => applyPatches('two', [patch])).toThrow('some.ts has 0 times: one');
  expect(() => applyPatches('one one', [patch])).toThrow('some.ts has 2 times: one');
});
