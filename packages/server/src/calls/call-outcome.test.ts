import { expect, test } from 'vitest';
import { outcomeOf } from './call-outcome.ts';

const ada = 1;
const grace = 2;

test('a call is open while somebody who was not reached is still being called', () => {
  expect(outcomeOf({ closedReason: null, attempts: [{ userId: ada, status: 'Queued' }] })).toBe('open');
  for (const status of ['Calling', 'Busy', 'NoAnswer', 'Failed', 'Rejected'] as const) {
    const attempts = [
      { userId: ada, status: 'Delivered' as const },
      { userId: grace, status },
    ];
    expect(outcomeOf({ closedReason: null, attempts })).toBe('open');
  }
});

test('a call has reached its people when each had one good attempt, whatever became of the others', () => {
  const attempts = [
    { userId: ada, status: 'NoAnswer' as const },
    { userId: ada, status: 'Delivered' as const },
    { userId: ada, status: 'Queued' as const },
    { userId: grace, status: 'Acknowledged' as const },
  ];
  for (const closedReason of [null, 'reached', 'missed'])
    expect(outcomeOf({ closedReason, attempts })).toBe('reached');
});

test('a text that a provider took and nobody ever told more of counts as the calling counted it', () => {
  const attempts = [{ userId: ada, status: 'Calling' as const }];
  expect(outcomeOf({ closedReason: 'reached', attempts })).toBe('reached');
});

test.for(['NoAnswer', 'Busy', 'Rejected', 'Failed', 'Cancelled'] as const)(
  'a call is missed when the calling has ended and somebody only has %s',
  (status) => {
    const attempts = [
      { userId: ada, status: 'Delivered' as const },
      { userId: grace, status },
    ];
    for (const closedReason of ['missed', 'cancelled'])
      expect(outcomeOf({ closedReason, attempts })).toBe('missed');
  },
);
