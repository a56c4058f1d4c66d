import type { CallHistory } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { figuresByPerson } from './people.ts';

const call = (userId: number, startTime: string): CallHistory => ({
  id: 1,
  callId: 0,
  alarmId: 1,
  callGroupId: 1,
  userId,
  user: `User ${userId}`,
  medium: 'Voice',
  address: '4217',
  message: '',
  attempt: 1,
  startTime,
  status: 'NoAnswer',
  reason: '',
});

const taken = (id: number, user: string, interventionNumber: number) => ({
  id,
  user,
  interventionNumber,
  reactionMeanTime: '00:01:00',
  interventionMeanTime: '00:10:00',
});

test('night calls are those from ten in the evening to six in the morning', () => {
  const calls = ['21:59:59', '22:00:00', '05:59:59', '06:00:00'].map((time) =>
    call(7, `2026-10-05T${time}+02:00`),
  );
  expect(figuresByPerson([], calls)).toEqual([
    { userId: 7, name: 'User 7', taken: 0, calls: 4, nightCalls: 2 },
  ]);
});

test('who was woken most comes first, and who was never called is there, too', () => {
  const calls = [call(1, '2026-10-05T12:00:00+02:00'), call(2, '2026-10-05T02:00:00+02:00')];
  const figures = figuresByPerson([taken(3, 'Eva', 4), taken(1, 'Anna', 1)], calls);
  expect(figures.map(({ name, taken: number, calls: own }) => [name, number, own])).toEqual([
    ['User 2', 0, 1],
    ['Anna', 1, 1],
    ['Eva', 4, 0],
  ]);
});
