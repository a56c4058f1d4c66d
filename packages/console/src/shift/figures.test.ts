import type { AlarmHistory, CallHistory } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { calledPeople, meanUntilTaken } from './figures.ts';

const occurrence = (raised: string, taken?: string): AlarmHistory => ({
  id: 1,
  tagId: 1,
  tagName: '',
  message: '',
  priority: 1,
  alarmTime: `2026-11-15T${raised}Z`,
  ...(taken !== undefined && { ackTime: `2026-11-15T${taken}Z` }),
  comment: '',
});

test('alarms that nobody has taken do not count for the mean', () => {
  const night = [
    occurrence('03:00:00', '03:01:00'),
    occurrence('03:10:00', '03:12:00'),
    occurrence('04:00:00'),
  ];
  expect(meanUntilTaken(night)).toBe(90_000);
  expect(meanUntilTaken([occurrence('04:00:00')])).toBeUndefined();
});

const call = (userId: number, at: string, status: CallHistory['status']): CallHistory => ({
  id: 1,
  callId: 1,
  alarmId: 1,
  callGroupId: 0,
  userId,
  user: userId === 1 ? 'Anna' : 'Ben',
  medium: 'Voice',
  address: '…4217',
  message: '',
  attempt: 1,
  startTime: `2026-11-15T${at}Z`,
  status,
  reason: '',
});

test('who was called most comes first, with what came of it', () => {
  const calls = [
    call(2, '03:15:00', 'Acknowledged'),
    call(1, '03:12:00', 'NoAnswer'),
    call(1, '03:14:00', 'NoAnswer'),
  ];
  expect(calledPeople(calls)).toEqual([
    { userId: 1, user: 'Anna', calls: 2, answered: 0, last: Date.parse('2026-11-15T03:14:00Z') },
    { userId: 2, user: 'Ben', calls: 1, answered: 1, last: Date.parse('2026-11-15T03:15:00Z') },
  ]);
});
