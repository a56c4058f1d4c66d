import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contents } from './contents.ts';

const docs = fileURLToPath(new URL('../../../docs', import.meta.url));

test('the contents name every document once; the decisions have a list of their own', () => {
  const named = contents.flatMap(({ documents }) => documents).map((document) => `${document}.md`);
  const there = globSync('*.md', { cwd: docs }).filter((path) => path !== 'README.md');
  expect(named.toSorted()).toEqual([...there, 'decisions/README.md'].toSorted());
});
