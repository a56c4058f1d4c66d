import type { AlarmHistory, TimelineEntry } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { lastTimes, meanDuration, weeklyCounts } from './occurrences.ts';

const now = Date.parse('2026-11-15T03:16:24Z');
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
const occurrence = (id: number, days: number, more: Partial<AlarmHistory> = {}): AlarmHistory => ({
  id,
  tagId: 5,
  tagName: 'CL201',
  message: 'Chlorine residual low-low',
  priority: 1,
  alarmTime: daysAgo(days),
  comment: '',
  ...more,
});

test('the last bar is this week, and what is older than a year is in no bar', () => {
  const counts = weeklyCounts(
    [occurrence(4, 0), occurrence(3, 6.9), occurrence(2, 7.1), occurrence(1, 364.5)],
    now,
  );
  expect(counts).toHaveLength(52);
  expect(counts.slice(-2)).toEqual([1, 2]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(3);
});

test('an occurrence that is still active is not in the mean', () => {
  const histories = [
    occurrence(3, 0),
    occurrence(2, 1, { alarmDuration: '00:30:00' }),
    occurrence(1, 2, { alarmDuration: '01:00:00' }),
  ];
  expect(meanDuration(histories)).toBe(45 * 60_000);
  expect(meanDuration([occurrence(3, 0)])).toBeUndefined();
});

test('the last times say who took it, and leave out the occurrence that the page shows', () => {
  const taken = { kind: 'acknowledged', occurrenceId: 2, actor: 'Ben Moreau' } as TimelineEntry;
  const histories = [
    occurrence(1, 9),
    occurrence(3, 0),
    occurrence(2, 4, { reactionDuration: '00:01:48', alarmDuration: '00:22:00' }),
  ];
  expect(lastTimes(histories, [taken], 3)).toMatchObject([
    { id: 2, takenBy: 'Ben Moreau', takenAfter: 108_000, goneAfter: 1_320_000 },
    { id: 1, takenBy: '', takenAfter: undefined, goneAfter: undefined },
  ]);
});
