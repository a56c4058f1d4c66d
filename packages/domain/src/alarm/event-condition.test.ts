import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultEventCondition, signalOf } from './event-condition.ts';

const whenOpen = { ...defaultEventCondition, value: 'open' };

const conditions = fc.record({
  value: fc.constantFrom('', 'open', 'shut'),
  transitory: fc.boolean(),
  reactivatable: fc.boolean(),
  resettable: fc.boolean(),
});
const values = fc.option(fc.constantFrom('', 'open', 'shut'), { nil: undefined });

test('an event without a value raises the alarm', () => {
  expect(signalOf({ condition: defaultEventCondition })).toBe('raise');
  expect(signalOf({ condition: whenOpen })).toBe('raise');
});

test('a value decides if the condition has one', () => {
  expect(signalOf({ value: 'open', condition: whenOpen })).toBe('raise');
  expect(signalOf({ value: 'shut', condition: whenOpen })).toBe('reset');
  expect(signalOf({ value: '', condition: whenOpen })).toBe('reset');
  expect(signalOf({ value: 'shut', condition: defaultEventCondition })).toBe('raise');
});

test('an explicit `raised` overrides the value', () => {
  fc.assert(
    fc.property(values, conditions, (value, condition) => {
      expect(signalOf({ raised: true, value, condition })).toBe('raise');
      expect(signalOf({ raised: false, value, condition })).not.toBe('raise');
    }),
  );
});

test('a source resets an alarm unless only an operator may', () => {
  fc.assert(
    fc.property(
      values,
      fc.option(fc.boolean(), { nil: undefined }),
      conditions,
      (value, raised, condition) => {
        const free = signalOf({ raised, value, condition: { ...condition, resettable: true } });
        const bound = signalOf({ raised, value, condition: { ...condition, resettable: false } });
        expect(free).not.toBe('define');
        expect(bound).toBe(free === 'reset' ? 'define' : free);
      },
    ),
  );
});
