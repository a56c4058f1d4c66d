import type { TagItem } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { changedCount, changeOf, noChange, reviewOf } from './change-draft.ts';

const tag = (id: number, members: Partial<TagItem>): TagItem => ({
  id,
  path: `T${id}`,
  fullPath: '',
  priority: 2,
  stationId: 1,
  station: '',
  dataServerId: 1,
  dataServer: '',
  tagGroupId: 1,
  tagGroup: '',
  scenarioId: 0,
  alarmDelay: 0,
  alarmMessage: '',
  resetMessage: '',
  ackMessage: '',
  hasGuidance: false,
  version: '',
  ...members,
});
const tags = [tag(1, {}), tag(2, { priority: 1 }), tag(3, { alarmDelay: 30 }), tag(4, { priority: 3 })];

test('only what was typed is changed', () => {
  expect(changeOf(noChange)).toEqual({});
  expect(changeOf({ ...noChange, priority: '1', scenarioId: '0' })).toEqual({ priority: 1, scenarioId: 0 });
});

test('the review says which values are replaced, and how often', () => {
  const draft = { ...noChange, priority: '1', alarmDelay: '0' };
  expect(reviewOf(tags, draft)).toEqual([
    { member: 'priority', before: 2, after: 1, count: 2 },
    { member: 'priority', before: 3, after: 1, count: 1 },
    { member: 'alarmDelay', before: 30, after: 0, count: 1 },
  ]);
  expect(changedCount(tags, draft)).toBe(3);
  expect(changedCount(tags, noChange)).toBe(0);
});
