import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { createLog } from '../../common/log.ts';
import { createHttpApp } from './create-http-app.ts';
import { logRequests } from './request-log.ts';

async function linesOf(level: string, url: string): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const app = createHttpApp({ log: createLog(level, { write: (line) => lines.push(line) }) });
  logRequests(app);
  const options = { schema: { response: { 200: Type.String() } } };
  app.get('/pumps', options, async () => 'fine');
  app.get('/slow', options, async () => {
    await sleep(1_050);
    return 'at last';
  });
  await app.inject({ url, headers: { authorization: 'Bearer secret' } });
  await app.close();
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a request is logged once at debug, with its path and without its query', async () => {
  const [line, ...more] = await linesOf('debug', '/pumps?access_token=secret');
  expect(more).toEqual([]);
  expect(line).toMatchObject({ level: 20, msg: 'request', method: 'GET', path: '/pumps', status: 200 });
  expect(line?.['ms']).toBeTypeOf('number');
  expect(JSON.stringify(line)).not.toContain('secret');
});

test('a slow request is logged as a warning', async () => {
  const [line] = await linesOf('info', '/slow');
  expect(line).toMatchObject({ level: 40, msg: 'slow request', path: '/slow', status: 200 });
});

test('other requests are not logged at info', async () => {
  expect(await linesOf('info', '/pumps')).toEqual([]);
});
