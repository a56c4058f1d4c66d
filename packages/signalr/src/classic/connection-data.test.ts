import { expect, test } from 'vitest';
import { readConnectionData } from './connection-data.ts';

const hubList = (count: number) =>
  JSON.stringify(Array.from({ length: count }, () => ({ name: 'alarmHub' })));

test.for([
  ['in lower case', '[{"name":"alarmhub"}]', true],
  ['in its own spelling', '[{"name":"alarmHub"}]', true],
  ['in capitals', '[{"name":"ALARMHUB"}]', true],
  ['like .NET clients', '[{"Name":"alarmHub"}]', true],
  ['twice', '[{"name":"alarmhub"},{"name":"alarmHub"}]', true],
  ['not at all', '[]', false],
] as const)('a client may name the hub %s', ([, text, isSubscribed]) => {
  expect(readConnectionData(text, 'alarmHub')).toEqual({ kind: 'hubs', isSubscribed });
});

test.for([
  ['an unknown hub', '[{"name":"chathub"}]', 500],
  ['a known and an unknown hub', '[{"name":"alarmhub"},{"name":"chathub"}]', 500],
  ['an object', '{"name":"alarmhub"}', 400],
  ['hubs without a name', '[{}]', 400],
  ['names that are not strings', '[{"name":{"a":1}}]', 400],
  ['numbers', '[1,null]', 400],
  ['invalid JSON', '[{', 400],
  ['nothing', '', 400],
  ['more than 16 hubs', hubList(17), 400],
  ['a very long name', `[{"name":"${'x'.repeat(5_000)}"}]`, 400],
] as const)('a client that names %s is refused', ([, text, status]) => {
  expect(readConnectionData(text, 'alarmHub')).toMatchObject({ kind: 'refused', status });
});

test('the same hub may be listed sixteen times', () => {
  expect(readConnectionData(hubList(16), 'alarmHub')).toEqual({ kind: 'hubs', isSubscribed: true });
});
