import { expect, test } from 'vitest';
import { outcomeOf } from './call-outcome.ts';

const ada = 1;
const grace = 2;

test('a call is open while somebody is queued or being called', () => {
  expect(outcomeOf([{ userId: ada, status: 'Queued' }])).toBe('open');
  expect(
    outcomeOf([
      { userId: ada, status: 'Delivered' },
      { userId: grace, status: 'Calling' },
    ]),
  ).toBe('open');
});

test('a call has reached its people when each had one good attempt, whatever became of the others', () => {
  expect(
    outcomeOf([
      { userId: ada, status: 'NoAnswer' },
      { userId: ada, status: 'Delivered' },
      { userId: ada, status: 'Queued' },
      { userId: grace, status: 'Acknowledged' },
    ]),
  ).toBe('reached');
});

test.for(['NoAnswer', 'Busy', 'Rejected', 'Failed', 'Cancelled'] as const)(
  'a call is missed when somebody only has %s',
  (status) => {
    expect(
      outcomeOf([
        { userId: ada, status: 'Delivered' },
        { userId: grace, status },
      ]),
    ).toBe('missed');
  },
);
