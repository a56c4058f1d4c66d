import type { Action } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { grantCommands, restoredActions } from './command-grant.ts';

const siren = { type: 'ExecuteCommand', scriptId: 7, parameter: 'hall' } as const;
const call = { type: 'CallGroup', id: 3 } as const;
const granted = { ...siren, grantedBy: 'user:1' };

test('whoever may run commands grants those that he defines, and nothing else', () => {
  expect(grantCommands([siren, call], [], 'user:1')).toEqual([granted, call]);
});

test('others define commands that nobody granted', () => {
  expect(grantCommands([siren, call], [], undefined)).toEqual([siren, call]);
});

test('what is granted stays so when others repeat it', () => {
  expect(grantCommands([call, siren], [granted], undefined)).toEqual([call, granted]);
});

test('whoever granted it first stays the one who did', () => {
  expect(grantCommands([siren], [granted], 'user:2')).toEqual([granted]);
});

test.for<[string, Action]>([
  ['another parameter', { ...siren, parameter: 'yard' }],
  ['no parameter', { type: siren.type, scriptId: 7 }],
  ['another command', { ...siren, scriptId: 8 }],
  ['the end of it instead', { ...siren, type: 'StopCommand' }],
  ['other flags', { ...siren, flags: 1 }],
])('%s is not what was granted', ([, action]) => {
  expect(grantCommands([action], [granted], undefined)).toEqual([action]);
});

test('nobody grants by saying so', () => {
  const sent = { ...siren, grantedBy: 'user:1' };
  expect(grantCommands([sent], [], undefined)).toEqual([siren]);
});

test('a grant comes back from the row as it went in', () => {
  const stored = { parameter: 'hall', grantedBy: 'user:1', scriptId: 7, type: 'ExecuteCommand' } as const;
  expect(JSON.stringify(restoredActions([call, stored]))).toBe(
    JSON.stringify([{ id: 3, type: 'CallGroup' }, granted]),
  );
});
