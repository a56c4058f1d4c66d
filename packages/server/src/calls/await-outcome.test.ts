import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Runtime } from '../postgres/runtime.ts';
import { type Client, test } from '../testing/app.fixture.ts';
import { addGroup, addPerson, addPhones, countCalls, endCalling, settle } from './testing/people.fixture.ts';

/** Longer than a test may last, so that a test fails if an answer waits for its full time. */
async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const start = performance.now();
  const result = await work;
  return { result, seconds: (performance.now() - start) / 1_000 };
}

async function stored(runtime: Runtime, calls: number): Promise<void> {
  await expect.poll(() => countCalls(runtime), { timeout: 20_000 }).toMatchObject({ calls });
}

/** Occupies every database connection for this time. */
async function withoutDatabase({ database: { pool } }: Runtime, ms: number): Promise<void> {
  const patience = pool.options.connectionTimeoutMillis;
  pool.options.connectionTimeoutMillis = 100;
  const busy = await Promise.all(Array.from({ length: pool.options.max }, () => takeConnection(pool)));
  await sleep(ms);
  for (const connection of busy) connection.release();
  pool.options.connectionTimeoutMillis = patience;
}

async function takeConnection(pool: Runtime['database']['pool']) {
  for (;;) {
    const connection = await pool.connect().catch(() => undefined);
    if (connection) return connection;
  }
}

const call = (caller: Client, userIds: number[], prefer: string, headers = {}) =>
  caller.post('/call/users', { userIds }, { prefer, ...headers });

test('a client that waits gets false when nobody is reached in time', async ({ client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const { result, seconds } = await timed(call(client('operator'), [ada], 'wait=1'));
  expect(result.body).toBe('false');
  expect(result.headers).toMatchObject({ 'call-id': '1', 'preference-applied': 'wait=1' });
  expect(seconds).toBeGreaterThanOrEqual(1);
});

test('a client that waits gets true as soon as everybody is reached', async ({ runtime, client }) => {
  const admin = client('admin');
  await addPhones(admin);
  const [ada, grace] = [await addPerson(admin, 'Ada'), await addPerson(admin, 'Grace')];
  const waiting = timed(call(client('operator'), [ada, grace], 'wait=60'));
  await stored(runtime, 1);
  await settle(runtime, ada, 'Delivered');
  await sleep(600);
  await settle(runtime, grace, 'Acknowledged');
  const { result, seconds } = await waiting;
  expect(result.body).toBe('true');
  expect(result.headers['preference-applied']).toBe('wait=60');
  expect(seconds).toBeGreaterThan(0.6);
});

test('a client that waits gets false as soon as somebody can no longer be reached', async ({
  runtime,
  client,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const group = await addGroup(admin, 'G', { userIds: [await addPerson(admin, 'Ada')] });
  const waiting = admin.post('/call/groups', { callGroupIds: [group] }, { prefer: 'wait=60' });
  await stored(runtime, 1);
  await settle(runtime, 1, 'Busy');
  await endCalling(runtime, 'missed');
  const result = await waiting;
  expect(result.body).toBe('false');
});

test('a refused call is not waited for', async ({ client }) => {
  const result = await call(client('operator'), [99], 'wait=60');
  expect(result.body).toBe('false');
  expect(result.headers).not.toHaveProperty('call-id');
});

test('a preference that cannot be parsed is ignored', async ({ client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  for (const prefer of ['wait', 'wait=soon', 'wait=-1', 'respond-async', '']) {
    const answer = await call(client('operator'), [ada], prefer);
    expect(answer.body).toBe('true');
    expect(answer.headers).not.toHaveProperty('preference-applied');
  }
});

test('a repetition with the same key calls nobody again and gets the outcome of the first call', async ({
  runtime,
  client,
}) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const operator = client('operator');
  const key = { 'idempotency-key': 'k' };
  expect((await call(operator, [ada], 'wait=0', key)).body).toBe('false');
  await settle(runtime, ada, 'Delivered');
  const again = await call(operator, [ada], 'wait=60', key);
  expect(again.body).toBe('true');
  expect(again.headers['call-id']).toBe('1');
  expect(await countCalls(runtime)).toEqual({ calls: 1, attempts: 1 });
});

test('waiting clients hold no database connection', async ({ runtime, client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const callers = runtime.database.pool.options.max * 3;
  let answered = 0;
  const waiting = Array.from({ length: callers }, async () => {
    const { body } = await call(client('operator'), [ada], 'wait=60');
    answered += 1;
    return body;
  });
  await stored(runtime, callers);
  expect((await client('viewer').get('/stations')).statusCode).toBe(200);
  expect(answered).toBe(0);
  await settle(runtime, ada, 'Delivered');
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'true'));
});

test('a hundred waiting clients need as many queries as one', async ({ runtime, client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const waiting = Array.from({ length: 100 }, () => call(client('operator'), [ada], 'wait=60'));
  await stored(runtime, 100);
  await sleep(1_000);
  let looks = 0;
  runtime.database.pool.on('acquire', () => {
    looks += 1;
  });
  await sleep(3_000);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(20);
  await settle(runtime, ada, 'Delivered');
  for (const { body } of await Promise.all(waiting)) expect(body).toBe('true');
});

test('200 clients of a tenant may wait; further ones get the answer that the call is stored', async ({
  runtime,
  client,
}) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const waiting: ReturnType<typeof call>[] = [];
  // In groups, because the story is about those who wait, not about simultaneous writes.
  while (waiting.length < 200) {
    waiting.push(...Array.from({ length: 25 }, () => call(client('operator'), [ada], 'wait=60')));
    await stored(runtime, waiting.length);
  }
  const oneMore = await call(client('operator'), [ada], 'wait=60');
  expect(oneMore.body).toBe('true');
  expect(oneMore.headers).toMatchObject({ 'call-id': '201' });
  expect(oneMore.headers).not.toHaveProperty('preference-applied');

  await settle(runtime, ada, 'Delivered');
  for (const { headers } of await Promise.all(waiting)) {
    expect(headers).toMatchObject({ 'preference-applied': 'wait=60' });
  }
  const later = await call(client('operator'), [ada], 'wait=0');
  expect(later.headers, 'the places are free again').toHaveProperty('preference-applied');
});

test('a short outage of the database does not end the wait', async ({ runtime, client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const waiting = call(client('operator'), [ada], 'wait=60');
  await stored(runtime, 1);
  await withoutDatabase(runtime, 1_000);
  await settle(runtime, ada, 'Delivered');
  const answer = await waiting;
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe('true');
});

test('polling stops when the client disconnects', async ({ runtime, app, principals, client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const token = [...principals.keys()].at(-1) ?? '';
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const hangUp = new AbortController();
  const request = fetch(`${url}/api/v1/call/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'wait=100' },
    body: JSON.stringify({ userIds: [ada] }),
    signal: hangUp.signal,
  });
  let looks = 0;
  runtime.database.pool.on('acquire', () => {
    looks += 1;
  });
  await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(3);
  hangUp.abort();
  await expect(request).rejects.toThrow('aborted');
  await sleep(700);
  const looksWhenGone = looks;
  await sleep(1_500);
  expect(looks).toBe(looksWhenGone);
});

test('a server that stops answers waiting clients at once', async ({ runtime, app, client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const waiting = call(client('operator'), [ada], 'wait=100');
  await stored(runtime, 1);
  await app.close();
  const result = await waiting;
  expect(result.statusCode).toBe(503);
  expect(result.json().code).toBe('outcome-unknown');
});
