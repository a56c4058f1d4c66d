import { expect, test } from 'vitest';
import { curlOf, pathOf } from './curl.ts';

test('the path of a call has its query, without what was not asked for', () => {
  const call = {
    method: 'GET',
    path: '/alarms/histories',
    query: { from: 'a b', to: undefined, limit: 5 },
  } as const;
  expect(pathOf(call)).toBe('/api/v1/alarms/histories?from=a+b&limit=5');
});

test('a call that reads can be repeated on a command line, with the token in a variable', () => {
  expect(curlOf({ method: 'GET', path: '/alarms/7/place' }, 'https://plant.example/tocsin')).toBe(
    `curl -H "Authorization: Bearer $TOKEN" \\\n  'https://plant.example/tocsin/api/v1/alarms/7/place'`,
  );
});

test('the body of a call is one word of the shell, whatever it contains', () => {
  const call = { method: 'POST', path: '/call/preview', body: { text: "it's $HOME" } } as const;
  expect(curlOf(call, '')).toContain(`-d '{"text":"it'\\''s $HOME"}'`);
  expect(curlOf(call, '')).toContain('-X POST');
});
