import type { CallPreview } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { followingCalls } from './planned-calls.ts';

const start = Date.parse('2026-11-15T03:12:00Z');
const call = (user: string, second: number): CallPreview['calls'][number] => ({
  time: new Date(start + second * 1_000).toISOString(),
  userId: user.length,
  user,
  medium: 'Voice',
  address: '****4217',
  callGroupId: 4,
  callGroup: 'Process on-call',
  attempt: 1,
  role: 'first',
  why: 'slot',
  hasChannel: true,
});
const ladder = [call('Anna', 0), call('Ben', 180), call('Chloé', 360)];
const [anna, ben, chloe] = ladder.map(({ userId, medium }) => ({ userId, medium }));
const made = (...people: (typeof anna)[]) => people.flatMap((person) => person ?? []);
const told = (calls: ReturnType<typeof followingCalls>) =>
  calls.map(({ user, at }) => `${user} after ${(at - start) / 1_000} s`);

test('people who were called do not follow again', () => {
  const calls = followingCalls(ladder, { made: made(anna), nextAt: start + 180_000, now: start + 60_000 });
  expect(told(calls)).toEqual(['Ben after 180 s', 'Chloé after 360 s']);
});

test('when Ben leaves it to others at once, Chloé is called sooner', () => {
  const calls = followingCalls(ladder, {
    made: made(anna, ben),
    nextAt: start + 220_000,
    now: start + 219_000,
  });
  expect(told(calls)).toEqual(['Chloé after 220 s']);
});

test('when calls fail at once and Anna was tried again, Ben is next', () => {
  const rounds = [...ladder, call('Anna', 540), call('Ben', 720)];
  const calls = followingCalls(rounds, {
    made: made(anna, ben, chloe, anna),
    nextAt: start + 20_000,
    now: start + 10_000,
  });
  expect(told(calls)).toEqual(['Ben after 20 s']);
});

test('a call that is overdue is due now, never in the past', () => {
  const calls = followingCalls(ladder, { made: made(anna), nextAt: undefined, now: start + 200_000 });
  expect(told(calls)).toEqual(['Ben after 200 s', 'Chloé after 380 s']);
});

test('nothing follows after the end of the ladder', () => {
  expect(followingCalls(ladder, { made: made(anna, ben, chloe), nextAt: undefined, now: start })).toEqual([]);
});
