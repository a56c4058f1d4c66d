import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import american from 'dictionary-en';
import british from 'dictionary-en-gb';
import nspell from 'nspell';
import { expect, test } from 'vitest';
import { wordsOf } from './words-of.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = globSync(['*.md', 'docs/**/*.md', 'changes/*.md'], { cwd: root }).toSorted();
const known = readFileSync(new URL('words.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const checkers = [nspell(british), nspell(american)];

const isWord = (each: string) =>
  known.includes(each) ||
  known.includes(each.toLowerCase()) ||
  checkers.some((checker) => checker.correct(each));

test('the words of the documents are spelt as a dictionary or our list has them', () => {
  const unknown = new Map<string, string>();
  for (const page of pages)
    for (const each of wordsOf(readFileSync(join(root, page), 'utf8')))
      if (!unknown.has(each) && !isWord(each)) unknown.set(each, page);
  expect([...unknown].map(([each, page]) => `${each} (${page})`)).toEqual([]);
});

test('a wrong letter is found, in prose and not in code', () => {
  const text = 'A pump has stoped.\n\n```sh\nstoped\n```\n\nSee `stoped` and [here](stoped.md).\n';
  expect(wordsOf(text)).toEqual(['pump', 'has', 'stoped', 'See', 'and', 'here']);
  expect(wordsOf(text).filter((each) => !isWord(each))).toEqual(['stoped']);
});

test('the list has only words that the documents use and no dictionary has, in their order', () => {
  const used = new Set(pages.flatMap((page) => wordsOf(readFileSync(join(root, page), 'utf8'))));
  const needless = known.filter(
    (each) =>
      checkers.some((checker) => checker.correct(each)) ||
      ![...used].some((word) => word === each || word.toLowerCase() === each),
  );
  expect(needless).toEqual([]);
  expect(known).toEqual(known.toSorted());
});
