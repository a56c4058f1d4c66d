import type { MediaRule } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { draftOf, newRule, quietRule, ruleOf, toggled } from './draft-rule.ts';

test.for([
  { priorities: [1, 2], media: [{ kind: 'Voice' }] },
  { name: 'Night', priorities: [3], days: [1, 5], from: '22:00', to: '06:00', media: [] },
  { priorities: [1], media: [{ kind: 'Push' }, { kind: 'Voice', afterSeconds: 60 }] },
] satisfies MediaRule[])('a rule that is read and saved stays as it was: %j', (rule) => {
  expect(ruleOf(draftOf(rule))).toEqual(rule);
});

test('a new rule rings the phone at any time; quiet hours spare priority 1', () => {
  expect(ruleOf(newRule())).toEqual({ priorities: [1, 2, 3, 4], media: [{ kind: 'Voice' }] });
  expect(ruleOf(quietRule('Quiet'))).toEqual({
    name: 'Quiet',
    priorities: [2, 3, 4],
    from: '22:00',
    to: '06:00',
    media: [],
  });
});

test('a day is ticked and unticked, and the days stay in order', () => {
  expect(toggled([1, 3], 2)).toEqual([1, 2, 3]);
  expect(toggled([1, 2, 3], 2)).toEqual([1, 3]);
});
