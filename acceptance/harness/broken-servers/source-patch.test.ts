import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breaks } from './breaks.ts';
import { applyPatches } from './source-patch.ts';

const sourceOf = (file: string) =>
  readFileSync(new URL(`../../../packages/${file}`, import.meta.url), 'utf8');

test('there are at least twelve broken servers with unique names', () => {
  expect(breaks.length).toBeGreaterThanOrEqual(12);
  expect(new Set(breaks.map(({ name }) => name)).size).toBe(breaks.length);
});

test.each(breaks.filter(({ patches }) => patches.length > 0))(
  'the source text to break exists: $name',
  ({ patches }) => {
    for (const file of new Set(patches.map((patch) => patch.file))) {
      const source = sourceOf(file);
      const here = patches.filter((patch) => patch.file === file);
      expect(applyPatches(source, here)).not.toBe(source);
    }
  },
);

const migrations = new URL('../../../packages/server/migrations/', import.meta.url);

/** The definition of a function in the last migration that has one. */
function functionSource(name: string): string {
  const all = readdirSync(migrations)
    .toSorted()
    .map((file) => readFileSync(new URL(file, migrations), 'utf8'))
    .join('\n');
  const definitions = all.split(/create (?:or replace )?function /);
  const [body = ''] = definitions.findLast((text) => text.startsWith(`${name}(`))?.split('\n$$;') ?? [];
  return body;
}

test.each(breaks.flatMap(({ functions = [] }) => functions))(
  'the database function to break exists: $name',
  ({ name, text, by }) => {
    const source = functionSource(name);
    expect(applyPatches(source, [{ file: name, text, by }])).not.toBe(source);
  },
);

test('a text that is missing or occurs twice is not replaced', () => {
  const patch = { file: 'some.ts', text: 'one', by: 'two' };
  expect(applyPatches('one two', [patch])).toBe('two two');
  expect(() => applyPatches('two', [patch])).toThrow('some.ts has 0 times: one');
  expect(() => applyPatches('one one', [patch])).toThrow('some.ts has 2 times: one');
});
