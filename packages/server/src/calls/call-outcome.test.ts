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

test('a call is reached when each person had one good attempt, whatever the outcome of the others', () => {
  const attempts = [
    { userId: ada, status: 'NoAnswer' as const },
    { userId: ada, status: 'Delivered' as const },
    { userId: ada, status: 'Queued' as const },
    { userId: grace, status: 'Acknowledged' as const },
  ];
  for (const closedReason of [null, 'reached', 'missed'])
    expect(outcomeOf({ closedReason, attempts })).toBe('reached');
});

test('an accepted text without a further report counts as the escalation counted it', () => {
  const attempts = [{ userId: ada, status: 'Calling' as const }];
  expect(outcomeOf({ closedReason: 'reached', attempts })).toBe('reached');
});

test.for(['NoAnswer', 'Busy', 'Rejected', 'Failed', 'Cancelled'] as const)(
  'a call is missed when its escalation is closed and somebody only has %s',
  (status) => {
    const attempts = [
      { userId: ada, status: 'Delivered' as const },
      { userId: grace, status },
    ];
    for (const closedReason of ['missed', 'cancelled'])
      expect(outcomeOf({ closedReason, attempts })).toBe('missed');
  },
);
