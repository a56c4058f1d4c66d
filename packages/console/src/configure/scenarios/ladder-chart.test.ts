import { expect, test } from 'vitest';
import type { PlannedCall } from '../../alarm-page/planned-calls.ts';
import { axisMarks, ladderChart } from './ladder-chart.ts';

const call = (seconds: number, userId: number, medium = 'Voice'): PlannedCall => ({
  at: seconds * 1_000,
  time: '',
  userId,
  user: `user ${userId}`,
  medium,
  address: '',
  callGroupId: 1,
  callGroup: 'Night',
  attempt: 1,
  role: 'first',
  why: 'slot',
  hasChannel: true,
});

test('the turn of a person ends when the next one is called', () => {
  const { rows, seconds } = ladderChart([call(0, 1), call(30, 1, 'Sms'), call(180, 2), call(360, 1)]);
  expect(rows.map(({ user, bars }) => ({ user, bars }))).toEqual([
    {
      user: 'user 1',
      bars: [
        { from: 0, to: 180, media: ['Voice', 'Sms'] },
        { from: 360, to: 390, media: ['Voice'] },
      ],
    },
    { user: 'user 2', bars: [{ from: 180, to: 360, media: ['Voice'] }] },
  ]);
  expect(seconds).toBe(390);
});

test('nobody to call is an empty chart', () => {
  expect(ladderChart([]).rows).toEqual([]);
});

test('an axis has round marks, and not too many', () => {
  expect(axisMarks(420)).toEqual([0, 60, 120, 180, 240, 300, 360, 420]);
  expect(axisMarks(3_600)).toEqual([0, 600, 1_200, 1_800, 2_400, 3_000, 3_600]);
});
