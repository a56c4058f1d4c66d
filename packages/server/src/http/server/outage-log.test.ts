import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { createLog } from '../../common/log.ts';
import { ProblemError } from '../../common/problem.ts';
import { createHttpApp } from './create-http-app.ts';
import { createFailureLog } from './outage-log.ts';

const down = new ProblemError('unavailable', 'The database cannot be reached');

test('an outage is logged once, and its failed requests are counted every ten seconds', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  let now = 0;
  const logFailure = createFailureLog(() => now);
  for (; now < 25_000; now += 100) logFailure(log, down, { err: down, route: '/api/v1/alarms' });
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(told.map((line) => [line['msg'], line['refusedSince']])).toEqual([
    ['requests fail during an outage', 0],
    ['requests fail during an outage', 99],
    ['requests fail during an outage', 99],
  ]);
  expect(told[0]).toMatchObject({ level: 50, route: '/api/v1/alarms', err: { message: down.message } });
});

test('each bug is logged', async () => {
  const lines: string[] = [];
  const app = createHttpApp({ log: createLog('info', { write: (line) => lines.push(line) }) });
  app.get('/bug', { schema: { response: { 200: Type.String() } } }, async () => {
    throw new Error('a bug');
  });
  app.get('/down', { schema: { response: { 200: Type.String() } } }, async () => {
    throw down;
  });
  for (const url of ['/bug', '/down', '/bug', '/down', '/down']) await app.inject({ url });
  await app.close();
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual(['request failed', 'requests fail during an outage', 'request failed']);
});
