import { expect, test } from 'vitest';
import { sms, voice } from '../testing/call-plans.ts';
import { bundleAttempts, type WaitingAttempt } from './bundle.ts';
import { splitByLine } from './phone-line.ts';

const at = new Date('2026-04-29T20:00:00Z');
const waiting = (id: number, medium = voice(1), canBundle = true): WaitingAttempt => ({
  id,
  userId: 1,
  medium,
  escalation: { id, priority: 2, isFirstOfStation: false, dueAt: at },
  since: at,
  waitingSince: at,
  canBundle,
});
const split = (attempts: readonly WaitingAttempt[], busy: string[] = []) => {
  const { free, waiting: later } = splitByLine(bundleAttempts(attempts, new Map()), new Set(busy));
  const ids = (sendings: typeof free) => sendings.map((one) => one.attempts.map(({ id }) => id));
  return { free: ids(free), waiting: ids(later) };
};

test('two calls that cannot be joined go to one phone one after the other', () => {
  const attempts = [waiting(1), waiting(2, voice(1), false), waiting(3)];
  expect(split(attempts)).toEqual({ free: [[1, 3]], waiting: [[2]] });
});

test('a phone with a live call gets no second one, and other phones and texts do not wait', () => {
  const attempts = [waiting(1), waiting(2, voice(2)), waiting(3, sms(1))];
  expect(split(attempts, [voice(1).address])).toEqual({ free: [[2], [3]], waiting: [[1]] });
});
