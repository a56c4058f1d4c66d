import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { acknowledge, raise, reset } from '../alarm/alarm-lifecycle.ts';
import { compareEscalations, type DueEscalation, occasionsOf } from './escalation-order.ts';

const at = (second: number) => new Date(Date.UTC(2026, 3, 29, 20, 0, second));
const escalations: fc.Arbitrary<DueEscalation> = fc.record({
  id: fc.integer({ min: 1, max: 50 }),
  priority: fc.integer({ min: 1, max: 4 }),
  isFirstOfStation: fc.boolean(),
  dueAt: fc.integer({ min: 0, max: 50 }).map(at),
});

test('the most urgent escalation is claimed first, then the one that has waited longest', () => {
  const escalation = (id: number, priority: number, second: number) => ({
    id,
    priority,
    isFirstOfStation: false,
    dueAt: at(second),
  });
  const order = [escalation(1, 3, 0), escalation(2, 1, 9), escalation(3, 2, 5), escalation(4, 1, 4)].toSorted(
    compareEscalations,
  );
  expect(order.map(({ id }) => id)).toEqual([4, 2, 3, 1]);
});

test('the first alarm of a station goes before all but the most urgent', () => {
  const first = { id: 1, priority: 4, isFirstOfStation: true, dueAt: at(9) };
  const other = { id: 2, priority: 2, isFirstOfStation: false, dueAt: at(0) };
  const urgent = { id: 3, priority: 1, isFirstOfStation: false, dueAt: at(20) };
  expect([other, first, urgent].toSorted(compareEscalations)).toEqual([urgent, first, other]);
});

test('the order does not depend on the order of arrival', () => {
  fc.assert(
    fc.property(fc.uniqueArray(escalations, { selector: ({ id }) => id, maxLength: 8 }), (list) => {
      expect(list.toReversed().toSorted(compareEscalations)).toEqual(list.toSorted(compareEscalations));
    }),
  );
});

test.each([
  ['a raise', raise(0, { transitory: false, reactivatable: false }), ['raised']],
  ['an event', raise(0, { transitory: true, reactivatable: false }), ['raised', 'reset']],
  ['a repeat', raise(3, { transitory: false, reactivatable: false }), []],
  ['an acknowledgment', acknowledge(3), ['acknowledged']],
  ['a reset', reset(3, { autoAcknowledge: false }), ['reset']],
  ['a reset with automatic acknowledgment', reset(3, { autoAcknowledge: true }), ['reset', 'acknowledged']],
  ['a second reset', reset(0, { autoAcknowledge: true }), []],
])('%s calls people for its occasions', (_, transition, occasions) => {
  expect(occasionsOf(transition)).toEqual(occasions);
});
