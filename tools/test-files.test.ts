import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { longTests } from './long-tests-first.ts';
import { nightlySteps } from './nightly-steps.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('{packages/*/src,acceptance/scenarios,acceptance/packaging}/**/*.test.ts', {
  cwd: root,
});

test.for(longTests)('the long test %s exists', (name) => {
  expect(files.filter((file) => file.endsWith(`/${name}`))).toHaveLength(1);
});

const filters = nightlySteps([], 1).flatMap(({ name, args, small }) =>
  [args, small.args ?? []].flatMap((all) =>
    all.slice(2).flatMap((filter) => (filter.startsWith('--') ? [] : [{ name, filter }])),
  ),
);

test('nightly steps name tests', () => {
  expect(filters.length).toBeGreaterThan(5);
});

test.for(filters)('the nightly step $name names existing tests: $filter', ({ filter }) => {
  expect(files.filter((file) => file.includes(filter))).not.toEqual([]);
});
