import { expect, test } from 'vitest';
import { type AlarmRow, toRow } from '../alarms/alarm-row.ts';
import { en } from '../words/en.ts';
import { announcementOf, raisedSince, raisesOf } from './announcement.ts';

function row(id: number, priority: number, message: string, alarmTime = '2026-11-15T03:12:08Z'): AlarmRow {
  const alarm = {
    id,
    priority,
    state: 3,
    masked: false,
    message,
    path: `Tag.${id}`,
    alarmTime,
    lastChange: alarmTime,
  };
  return toRow(alarm as AlarmRow['alarm'], undefined);
}

test('one new alarm is told by priority and message', () => {
  expect(announcementOf([row(1, 1, 'Chlorine low')], en)).toBe('New alarm, Critical: Chlorine low.');
});

test('an alarm without a message is told by its tag', () => {
  expect(announcementOf([row(7, 4, '')], en)).toBe('New alarm, Low: Tag.7.');
});

test('a flood is one sentence with the number of each priority', () => {
  const rows = [
    row(1, 1, 'Chlorine low'),
    ...Array.from({ length: 40 }, (_, n) => row(n + 2, 3, 'Link lost')),
  ];
  expect(announcementOf(rows, en)).toBe('41 new alarms: 1 Critical, 40 Medium. Most urgent: Chlorine low.');
});

test('an alarm that is raised again is news again, and one that only changed is not', () => {
  const before = raisesOf([row(1, 1, 'a'), row(2, 1, 'b')]);
  const [again, changed] = [row(1, 1, 'a', '2026-11-15T04:00:00Z'), row(2, 1, 'b, with a comment')];
  expect(raisedSince(before, [again, changed])).toEqual([again]);
});
