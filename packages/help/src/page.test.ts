import { expect, test } from 'vitest';
import { addressOf, fileOf, pageOf, targetOf } from './page.ts';

const paths = new Set(['README.md', 'dispatch.md', 'decisions/README.md', 'decisions/0001-store.md']);

test('a document has the address of its name, an overview that of its folder', () => {
  expect(addressOf('dispatch.md')).toBe('/help/dispatch/');
  expect(addressOf('decisions/0001-store.md')).toBe('/help/decisions/0001-store/');
  expect(addressOf('decisions/README.md')).toBe('/help/decisions/');
  expect(addressOf('README.md')).toBe('/help/');
  expect(fileOf('decisions/README.md')).toBe('decisions/index.md');
  expect(fileOf('dispatch.md')).toBe('dispatch.md');
});

test.for([
  ['dispatch.md', 'decisions/0001-store.md', '/help/decisions/0001-store/'],
  ['decisions/0001-store.md', '../dispatch.md#answering', '/help/dispatch/#answering'],
  ['decisions/0001-store.md', 'README.md', '/help/decisions/'],
  ['dispatch.md', '#answering', '#answering'],
  ['dispatch.md', 'https://tocsin.example/x.md', 'https://tocsin.example/x.md'],
  ['dispatch.md', 'pictures/week.svg', '/help/pictures/week.svg'],
  ['dispatch.md', 'openapi.json', '/docs'],
  ['dispatch.md', '../packages/server/src/main.ts', undefined],
] as const)('in %s a link to %s leads to %s', ([from, link, target]) => {
  expect(targetOf(from, link, paths)).toBe(target);
});

test('the heading is the title, links lead to pages or become text, and code stays as it is', () => {
  const text = `# How \`calls\` are made

See [dispatch](dispatch.md), [the
source](../src/main.ts) and ![a week](pictures/week.svg).

\`\`\`sh
# [not a link](dispatch.md)
\`\`\`

[Again](dispatch.md#x)
`;
  expect(pageOf({ path: 'README.md', text }, paths)).toBe(`---
title: "How calls are made"
---

See [dispatch](/help/dispatch/), the
source and ![a week](/help/pictures/week.svg).

\`\`\`sh
# [not a link](dispatch.md)
\`\`\`

[Again](/help/dispatch/#x)
`);
});
