import { expect, test } from 'vitest';
import { readConnectionData } from './connection-data.ts';

const listOf = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ name: 'alarmHub' })));

test.for([
  ['in lower case', '[{"name":"alarmhub"}]', true],
  ['as it is written', '[{"name":"alarmHub"}]', true],
  ['in capitals', '[{"name":"ALARMHUB"}]', true],
  ['as clients of .NET write it', '[{"Name":"alarmHub"}]', true],
  ['twice', '[{"name":"alarmhub"},{"name":"alarmHub"}]', true],
  ['not at all', '[]', false],
] as const)('a client may name the hub %s', ([, text, listed]) => {
  expect(readConnectionData(text, 'alarmHub')).toEqual({ kind: 'hubs', listed });
});

test.for([
  ['an unknown hub', '[{"name":"chathub"}]', 500],
  ['a known and an unknown hub', '[{"name":"alarmhub"},{"name":"chathub"}]', 500],
  ['no list', '{"name":"alarmhub"}', 400],
  ['hubs without a name', '[{}]', 400],
  ['names that are no text', '[{"name":{"a":1}}]', 400],
  ['numbers', '[1,null]', 400],
  ['no JSON', '[{', 400],
  ['nothing', '', 400],
  ['more hubs than there can be', listOf(17), 400],
  ['a very long name', `[{"name":"${'x'.repeat(5_000)}"}]`, 400],
] as const)('a client that names %s is refused', ([, text, status]) => {
  expect(readConnectionData(text, 'alarmHub')).toMatchObject({ kind: 'refused', status });
});

test('sixteen times the same hub is one', () => {
  expect(readConnectionData(listOf(16), 'alarmHub')).toEqual({ kind: 'hubs', listed: true });
});
