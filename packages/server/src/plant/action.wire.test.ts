import { expect, test } from 'vitest';
import { callGroupIdsOf, keptActions, scenarioIdsOf, storedActions, userIdsOf } from './action.wire.ts';

test('an action keeps the given members that the interface defines', () => {
  const sent = [
    { id: 3, type: 'CallGroup' as const, colour: 'red' },
    { type: 'ExecuteCommand' as const, scriptId: 2, parameter: '', flags: 0 },
  ];
  expect(keptActions(sent)).toEqual([
    { id: 3, type: 'CallGroup' },
    { type: 'ExecuteCommand', scriptId: 2, parameter: '', flags: 0 },
  ]);
});

test('the targets of actions are listed by kind, sorted and without duplicates', () => {
  const actions = [
    { id: 30, type: 'CallGroup' as const },
    { id: 4, type: 'CallGroup' as const },
    { id: 30, type: 'CallGroup' as const },
    { id: 7, type: 'CallUser' as const },
    { id: 9, type: 'Scenario' as const },
    { id: 0, type: 'CallUser' as const },
    { type: 'CallUser' as const },
    { id: 5, type: 'PlaySound' as const },
  ];
  expect(callGroupIdsOf(actions)).toEqual([4, 30]);
  expect(userIdsOf(actions)).toEqual([7]);
  expect(scenarioIdsOf(actions)).toEqual([9]);
});

test('invalid stored actions are refused', () => {
  expect(storedActions([{ id: 1, type: 'CallGroup' }])).toEqual([{ id: 1, type: 'CallGroup' }]);
  expect(() => storedActions([{ id: 1, type: 'Sing' }])).toThrow('Parse');
});
