import { expect, test } from 'vitest';
import { outcomeOfEnd } from './call-end.ts';

const reason = '';

test('an alarm that was not said before the person hung up goes back to the queue', () => {
  const heard = new Set([1]);
  expect(outcomeOfEnd(1, { heard, reason })).toEqual({ kind: 'ended', reason, wasHeard: true });
  expect(outcomeOfEnd(2, { heard, reason })).toMatchObject({ kind: 'notNow' });
});

test('a person who hangs up at once is not called again without a pause', () => {
  expect(outcomeOfEnd(1, { heard: new Set(), reason })).toEqual({ kind: 'ended', reason });
});

test('a provider that does not know what was said has said everything', () => {
  expect(outcomeOfEnd(2, { heard: undefined, reason })).toEqual({ kind: 'ended', reason });
});
