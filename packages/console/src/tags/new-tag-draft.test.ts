import { expect, test } from 'vitest';
import { definitionOf, oneLine } from './new-tag-draft.ts';

const draft = {
  dataServerId: '2',
  path: ' Chlor.CL301.L ',
  priority: '3',
  tagGroupId: '',
  scenarioId: '',
  message: 'Residual low',
};

test('a new tag is stored without an alarm, and without what was left empty', () => {
  expect(definitionOf(draft)).toEqual({
    dataServerId: 2,
    path: 'Chlor.CL301.L',
    priority: 3,
    raised: false,
    alarmMessage: 'Residual low',
  });
});

test('its group and scenario are named if they were chosen', () => {
  expect(definitionOf({ ...draft, tagGroupId: '4', scenarioId: '5' })).toMatchObject({
    tagGroupId: 4,
    alarmActions: [{ type: 'Scenario', id: 5 }],
  });
});

test('a path with quotes, commas and semicolons stays one cell', () => {
  expect(oneLine('PLC, "old"', 'a;b,c')).toBe('dataServer,path\n"PLC, ""old""","a;b,c"\n');
});
