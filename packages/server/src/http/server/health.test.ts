import { expect } from 'vitest';
import { buildApp } from '../../app.ts';
import { openDatabase } from '../../postgres/database.ts';
import { test } from '../../testing/plant.fixture.ts';
import { notAuthenticated } from '../authorization.ts';
import { createDrain } from './drain.ts';

const nobody = async () => {
  throw notAuthenticated('unknown token');
};

test('a server whose database answers is alive and ready, at the root and under its prefix', async ({
  runtime,
}) => {
  const app = buildApp(runtime, nobody, { basePath: '/alertws', reference: false });
  for (const path of ['/livez', '/readyz', '/alertws/livez', '/alertws/readyz']) {
    const answer = await app.inject(path);
    expect(answer.statusCode, path).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok' });
  }
  await app.close();
});

test('a stopping server is alive, says that it is not ready, and asks clients to connect elsewhere', async ({
  runtime,
}) => {
  const drain = createDrain();
  const app = buildApp(runtime, nobody, { basePath: '', drain, reference: false });
  expect((await app.inject('/livez')).headers['connection']).not.toBe('close');
  drain.begin();
  const ready = await app.inject('/readyz');
  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toMatchObject({ code: 'unavailable', detail: 'The server is stopping' });
  const alive = await app.inject('/livez');
  expect(alive.statusCode).toBe(200);
  expect(alive.headers['connection']).toBe('close');
  await app.close();
});

test('a server without its database is alive but not ready', async ({ runtime }) => {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 2 });
  const app = buildApp({ ...runtime, database }, nobody, { basePath: '', reference: false });
  expect((await app.inject('/livez')).statusCode).toBe(200);
  expect((await app.inject('/readyz')).json()).toMatchObject({
    status: 503,
    detail: 'The database does not answer',
  });
  await app.close();
  await database.close();
});
