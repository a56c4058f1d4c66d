import type { TimelineEntry } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { countSteps, isShown, timelineSteps } from './timeline-steps.ts';

const entry = (
  second: number,
  kind: TimelineEntry['kind'],
  more: Partial<TimelineEntry> = {},
): TimelineEntry => ({
  seq: second + 1,
  time: `2026-11-15T03:12:${String(second).padStart(2, '0')}+01:00`,
  kind,
  actor: '',
  occurrenceId: 7,
  state: 3,
  detail: '',
  ...more,
});

const attempt = (second: number, userId: number, status: 'NoAnswer' | 'Calling') =>
  entry(second, 'called', {
    call: {
      attemptId: second,
      callGroupId: 4,
      userId,
      user: `Person ${userId}`,
      medium: 'Voice',
      address: '******4217',
      attempt: 1,
      status,
      reason: '',
      ...(status === 'NoAnswer' && { endTime: '2026-11-15T03:13:00+01:00' }),
    },
  });

const night = [
  attempt(30, 2, 'Calling'),
  entry(20, 'commented'),
  attempt(10, 1, 'NoAnswer'),
  attempt(15, 1, 'NoAnswer'),
  entry(0, 'raised'),
  entry(1, 'raised', { occurrenceId: 6 }),
];

test('a person has one line above all attempts to reach them, and the next person has the next number', () => {
  const lines = timelineSteps(night, 7).map((step) =>
    step.kind === 'person' ? `${step.user}, step ${step.number}` : step.kind,
  );
  expect(lines).toEqual([
    'event',
    'Person 1, step 1',
    'attempt',
    'attempt',
    'event',
    'Person 2, step 2',
    'attempt',
  ]);
});

test('only the telephone that still rings is live', () => {
  const live = timelineSteps(night, 7).filter((step) => step.kind === 'attempt' && step.isLive);
  expect(live.map(({ key }) => key)).toEqual(['attempt 30']);
});

test('calls are counted by attempts, and comments alone can be read', () => {
  const steps = timelineSteps(night, 7);
  expect([countSteps(steps, 'all'), countSteps(steps, 'calls'), countSteps(steps, 'comments')]).toEqual([
    7, 3, 1,
  ]);
  expect(steps.filter((step) => isShown(step, 'comments')).map(({ kind }) => kind)).toEqual(['event']);
  expect(steps.filter((step) => isShown(step, 'calls')).some(({ kind }) => kind === 'event')).toBe(false);
});
