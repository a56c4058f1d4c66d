import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { acknowledge, raise, reset } from './alarm-lifecycle.ts';
import { compareDuties, type DueDuty, occasionsOf } from './duty.ts';

const at = (second: number) => new Date(Date.UTC(2026, 3, 29, 20, 0, second));
const duties: fc.Arbitrary<DueDuty> = fc.record({
  id: fc.integer({ min: 1, max: 50 }),
  priority: fc.integer({ min: 1, max: 4 }),
  firstOfPlant: fc.boolean(),
  dueAt: fc.integer({ min: 0, max: 50 }).map(at),
});

test('the most urgent duty is taken up first, then the one that has waited longest', () => {
  const duty = (id: number, priority: number, second: number) => ({
    id,
    priority,
    firstOfPlant: false,
    dueAt: at(second),
  });
  const order = [duty(1, 3, 0), duty(2, 1, 9), duty(3, 2, 5), duty(4, 1, 4)].toSorted(compareDuties);
  expect(order.map(({ id }) => id)).toEqual([4, 2, 3, 1]);
});

test('the first alarm of a plant goes before all but the most urgent', () => {
  const first = { id: 1, priority: 4, firstOfPlant: true, dueAt: at(9) };
  const other = { id: 2, priority: 2, firstOfPlant: false, dueAt: at(0) };
  const urgent = { id: 3, priority: 1, firstOfPlant: false, dueAt: at(20) };
  expect([other, first, urgent].toSorted(compareDuties)).toEqual([urgent, first, other]);
});

test('the order is the same, however duties come', () => {
  fc.assert(
    fc.property(fc.uniqueArray(duties, { selector: ({ id }) => id, maxLength: 8 }), (list) => {
      expect(list.toReversed().toSorted(compareDuties)).toEqual(list.toSorted(compareDuties));
    }),
  );
});

test.each([
  ['a raise', raise(0, { transitory: false, reactivatable: false }), ['raised']],
  ['an event', raise(0, { transitory: true, reactivatable: false }), ['raised', 'reset']],
  ['a repeat', raise(3, { transitory: false, reactivatable: false }), []],
  ['an acknowledgment', acknowledge(3), ['acknowledged']],
  ['a reset', reset(3, { autoAcknowledge: false }), ['reset']],
  ['a reset that acknowledges by itself', reset(3, { autoAcknowledge: true }), ['reset', 'acknowledged']],
  ['a second reset', reset(0, { autoAcknowledge: true }), []],
])('%s calls people for its turns', (_, transition, occasions) => {
  expect(occasionsOf(transition)).toEqual(occasions);
});
