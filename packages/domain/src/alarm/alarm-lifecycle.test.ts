import { expect, test } from 'vitest';
import { acknowledge, raise, reset, type Transition } from './alarm-lifecycle.ts';

const lasting = { transitory: false, reactivatable: false };
const event = { transitory: true, reactivatable: false };
const byHand = { autoAcknowledge: false };
const byItself = { autoAcknowledge: true };

/** A transition in one line: its kind, the new state and the effects on occurrences. */
function tell({ kind, state, ...effects }: Transition): string {
  const done = Object.entries(effects).flatMap(([effect, happens]) => (happens ? [effect] : []));
  return [kind, state, ...done].join(' ');
}

test.each([
  [0, 'unchanged 0'],
  [3, 'acknowledged 1 acknowledges'],
  [1, 'unchanged 1'],
  [2, 'acknowledged 0 acknowledges'],
])('an operator acknowledges an alarm in state %i: %s', (state, expected) => {
  expect(tell(acknowledge(state))).toBe(expected);
});

test.each([
  [0, 'unchanged 0'],
  [3, 'reset 2 endsOccurrence'],
  [1, 'reset 0 endsOccurrence'],
  [2, 'unchanged 2'],
])('an alarm in state %i is reset: %s', (state, expected) => {
  expect(tell(reset(state, byHand))).toBe(expected);
});

test.each([
  [0, 'unchanged 0'],
  [3, 'reset 0 endsOccurrence acknowledges'],
  [1, 'reset 0 endsOccurrence'],
  [2, 'unchanged 2'],
])('an alarm in state %i is reset with automatic acknowledgment: %s', (state, expected) => {
  expect(tell(reset(state, byItself))).toBe(expected);
});

test.each([
  [0, 'raised 3 startsOccurrence'],
  [3, 'repeated 3'],
  [1, 'repeated 1'],
  [2, 'raised 3 startsOccurrence'],
])('a source raises an alarm in state %i: %s', (state, expected) => {
  expect(tell(raise(state, lasting))).toBe(expected);
});

test.each([
  [0, 'raised 3 startsOccurrence'],
  [3, 'repeated 3'],
  [1, 'raised 3 startsOccurrence endsOccurrence'],
  [2, 'raised 3 startsOccurrence'],
])('a source raises a reactivatable alarm in state %i: %s', (state, expected) => {
  expect(tell(raise(state, { ...lasting, reactivatable: true }))).toBe(expected);
});

test.each([
  [0, 'raised 2 startsOccurrence momentary'],
  [3, 'repeated 3'],
  [1, 'repeated 1'],
  [2, 'raised 2 startsOccurrence momentary'],
])('a source raises a transitory alarm in state %i: %s', (state, expected) => {
  expect(tell(raise(state, event))).toBe(expected);
});

test.each([
  [0, 'raised 2 startsOccurrence momentary'],
  [3, 'repeated 3'],
  [1, 'raised 2 startsOccurrence momentary endsOccurrence'],
  [2, 'raised 2 startsOccurrence momentary'],
])('a source raises a transitory, reactivatable alarm in state %i: %s', (state, expected) => {
  expect(tell(raise(state, { ...event, reactivatable: true }))).toBe(expected);
});
