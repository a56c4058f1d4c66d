import type { Action } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { grantCommands, limitReferences, restoredActions, shownActions } from './command-grant.ts';

const siren = { type: 'ExecuteCommand', scriptId: 7, parameter: 'hall' } as const;
const call = { type: 'CallGroup', id: 3 } as const;
const granted = { ...siren, grantedBy: 'user:1' };

test('a user who may run commands grants the commands that they define, and nothing else', () => {
  expect(grantCommands([siren, call], [], 'user:1')).toEqual([granted, call]);
});

test('the commands of other users are not granted', () => {
  expect(grantCommands([siren, call], [], undefined)).toEqual([siren, call]);
});

test('a granted command stays granted if others repeat it', () => {
  expect(grantCommands([call, siren], [granted], undefined)).toEqual([call, granted]);
});

test('the first grantor stays the grantor', () => {
  expect(grantCommands([siren], [granted], 'user:2')).toEqual([granted]);
});

test.for<[string, Action]>([
  ['another parameter', { ...siren, parameter: 'yard' }],
  ['no parameter', { type: siren.type, scriptId: 7 }],
  ['another command', { ...siren, scriptId: 8 }],
  ['the end of it instead', { ...siren, type: 'StopCommand' }],
  ['other flags', { ...siren, flags: 1 }],
])('%s is not the granted command', ([, action]) => {
  expect(grantCommands([action], [granted], undefined)).toEqual([action]);
});

test('a client cannot send a grant', () => {
  const sent = { ...siren, grantedBy: 'user:1' };
  expect(grantCommands([sent], [], undefined)).toEqual([siren]);
});

test('a grant survives storage', () => {
  const stored = { parameter: 'hall', grantedBy: 'user:1', scriptId: 7, type: 'ExecuteCommand' } as const;
  expect(JSON.stringify(restoredActions([call, stored]))).toBe(
    JSON.stringify([{ id: 3, type: 'CallGroup' }, granted]),
  );
});

const nothing = { has: () => false };
const bound = { visible: { CallGroup: nothing, CallUser: nothing, Scenario: nothing }, mayRunCommands: true };
const machine = { visible: undefined, mayRunCommands: false };
const scenario = { id: 4, type: 'Scenario' } as const;

test('a target that the author may not see is not called, and shown as it was sent', () => {
  const limited = limitReferences([call, scenario, siren], [], bound);
  expect(limited).toEqual([{ type: 'CallGroup', unseenId: 3 }, { type: 'Scenario', unseenId: 4 }, siren]);
  expect(shownActions(limited)).toEqual([call, scenario, siren]);
});

test('a permitted reference stays if others repeat it', () => {
  expect(limitReferences([call], [call], bound)).toEqual([call]);
  expect(limitReferences([call], [{ type: 'CallGroup', unseenId: 3 }], bound)).toEqual([
    { type: 'CallGroup', unseenId: 3 },
  ]);
  expect(limitReferences([scenario], [scenario], machine)).toEqual([scenario]);
});

test('a scenario named by a user who may not run commands runs without them', () => {
  const limited = { ...scenario, withoutCommands: true } as const;
  expect(limitReferences([scenario, call], [], machine)).toEqual([limited, call]);
  expect(limitReferences([scenario], [limited], machine)).toEqual([limited]);
  expect(shownActions([limited])).toEqual([scenario]);
});

test('limits survive storage', () => {
  const actions = limitReferences([call, scenario], [], { ...machine, visible: bound.visible });
  const more = limitReferences([scenario], [], machine);
  const stored = JSON.parse(JSON.stringify([...actions, ...more]));
  expect(JSON.stringify(restoredActions(stored))).toBe(JSON.stringify([...actions, ...more]));
});
