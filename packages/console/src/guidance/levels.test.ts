import { expect, test } from 'vitest';
import { deciding, guidancePath, inheritedFrom, isSame, type Level } from './levels.ts';

const text = (cause: string) => ({
  steps: [],
  cause,
  consequence: '',
  contacts: [],
  files: [],
  respondSeconds: 0,
});
const level = (object: Level['object'], id: number, cause?: string): Level => ({
  object,
  id,
  name: `${object} ${id}`,
  own: cause === undefined ? {} : { guidance: text(cause), version: 1 },
  etag: undefined,
});

const works = level('station', 1, 'of the station');
const chlorination = level('tagGroup', 4, 'of the group');
const dosing = level('tagGroup', 9);
const tag = level('tag', 4);
const levels = [works, chlorination, dosing, tag];

test('an alarm has the guidance of the nearest level that has any', () => {
  expect(deciding(levels)).toBe(chlorination);
  expect(deciding([works, dosing, tag])).toBe(works);
  expect(deciding([dosing, tag])).toBeUndefined();
});

test('a level without a text has the one of the nearest level above it', () => {
  expect(inheritedFrom(levels, tag)).toBe(chlorination);
  expect(inheritedFrom(levels, chlorination)).toBe(works);
  expect(inheritedFrom(levels, works)).toBeUndefined();
});

test('a tag is not its group of the same number', () => {
  expect(isSame(tag, chlorination)).toBe(false);
  expect(isSame(tag, level('tag', 4, 'changed meanwhile'))).toBe(true);
});

test('each level has its address', () => {
  expect(levels.map(guidancePath)).toEqual([
    '/stations/1/guidance',
    '/taggroups/4/guidance',
    '/taggroups/9/guidance',
    '/tags/4/guidance',
  ]);
});
