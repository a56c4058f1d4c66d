import * as fc from 'fast-check';
import { expect } from 'vitest';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { addUser, type Door, test } from '../testing/identity.fixture.ts';
import { afterFailure, type LoginFailures, secondsToWait } from './login-delay.ts';

const start = new Date('2026-03-01T06:00:00Z');

/** The waits after each of so many failures, each made as soon as it may be. */
function waitsOf(failures: number): number[] {
  const waits: number[] = [];
  let now = start;
  let count: LoginFailures | undefined;
  for (let n = 0; n < failures; n++) {
    count = afterFailure(count, now);
    waits.push(secondsToWait([count], now));
    now = count.retryAt;
  }
  return waits;
}

/** The wait after one more failure. */
function waitAfter(failures: number): number {
  return secondsToWait([afterFailure({ failures, lastAt: start, retryAt: start }, start)], start);
}

test('four failures cost nothing; from the fifth the wait doubles, up to five minutes', () => {
  expect(waitsOf(16)).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
});

test('failures are forgotten after a day without another', () => {
  const before = { failures: 12, lastAt: start, retryAt: start };
  const later = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
  expect(afterFailure(before, later(86_399)).failures).toBe(13);
  expect(afterFailure(before, later(86_400)).failures).toBe(1);
});

test('whatever happened before, nobody waits longer than five minutes, and more failures never shorten it', () => {
  const counts = fc.integer({ min: 0, max: 2_000_000_000 });
  fc.assert(
    fc.property(counts, (failures) => {
      expect(waitAfter(failures)).toBeLessThanOrEqual(300);
      expect(waitAfter(failures + 1)).toBeGreaterThanOrEqual(waitAfter(failures));
    }),
  );
});

const wrong = 'wrong horse battery';

async function fail(door: Door, times: number, { name = 'anna', from = '203.0.113.7' } = {}): Promise<void> {
  for (let n = 0; n < times; n++) expect((await door.logIn(name, wrong, from)).statusCode).toBe(400);
}

const elsewhere = (n: number) => `198.51.100.${n}`;

test.for(['anna', 'nobody'])(
  'after five failures %s waits, with the right password too, and is told how long',
  async (name, { runtime, door, clock }) => {
    await addUser(runtime, { username: 'anna' });
    await fail(door, 5, { name });
    const answer = await door.logIn(name);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.json()).toMatchObject({ code: 'too-many-requests', status: 429 });

    clock.advance(1);
    await fail(door, 1, { name });
    expect((await door.logIn(name)).headers['retry-after']).toBe('2');
    clock.advance(2);
    expect((await door.logIn(name)).statusCode).toBe(name === 'anna' ? 200 : 400);
  },
);

test('the name waits wherever the next try comes from, and however it is written', async ({
  runtime,
  door,
}) => {
  await addUser(runtime);
  for (let n = 1; n <= 5; n++) await fail(door, 1, { name: n % 2 ? 'ANNA' : 'anna', from: elsewhere(n) });
  expect((await door.logIn('Anna', wrong, elsewhere(99))).statusCode).toBe(429);
});

test('the address waits whatever name it tries next, and other addresses do not', async ({
  runtime,
  door,
}) => {
  await addUser(runtime);
  for (let n = 1; n <= 5; n++) await fail(door, 1, { name: `guess${n}` });
  expect((await door.logIn()).statusCode).toBe(429);
  expect((await door.logIn('anna', undefined, elsewhere(1))).statusCode).toBe(200);
});

test('addresses of one IPv6 network count as one', async ({ door }) => {
  for (let n = 1; n <= 5; n++) await fail(door, 1, { name: `guess${n}`, from: `2001:db8:1:2::${n}` });
  expect((await door.logIn('x', wrong, '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
  expect((await door.logIn('x', wrong, '2001:db8:1:3::1')).statusCode).toBe(400);
});

test('coming in clears the failures of the name', async ({ runtime, door }) => {
  await addUser(runtime);
  for (let n = 1; n <= 4; n++) await fail(door, 1, { from: elsewhere(n) });
  expect((await door.logIn('anna', undefined, elsewhere(5))).statusCode).toBe(200);
  for (let n = 6; n <= 9; n++) await fail(door, 1, { from: elsewhere(n) });
  expect((await door.logIn('anna', undefined, elsewhere(10))).statusCode).toBe(200);
});

test('coming in as oneself does not clear the address: a guesser with an account gains nothing', async ({
  runtime,
  door,
}) => {
  await addUser(runtime);
  for (let n = 1; n <= 4; n++) {
    await fail(door, 1, { name: `guess${n}` });
    expect((await door.logIn()).statusCode).toBe(200);
  }
  await fail(door, 1, { name: 'guess5' });
  expect((await door.logIn()).statusCode).toBe(429);
});

test('tries while waiting do not make the wait longer', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  await fail(door, 5);
  for (let n = 0; n < 5; n++) await door.logIn('anna', wrong);
  clock.advance(1);
  expect((await door.logIn()).statusCode).toBe(200);
});

test('after a quiet day all is forgotten', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  await fail(door, 5);
  clock.advance(86_400);
  await fail(door, 4);
  expect((await door.logIn()).statusCode).toBe(200);
});

test('guessing in parallel is no faster', async ({ runtime, door }) => {
  await addUser(runtime);
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => door.logIn('anna', wrong, elsewhere(n))),
  );
  const looked = answers.filter(({ statusCode }) => statusCode === 400);
  expect(looked).toHaveLength(5);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(19);
});

test('a shift that logs in at once from one address comes in', async ({ runtime, door }) => {
  const names = Array.from({ length: 12 }, (_, n) => `operator${n}`);
  await Promise.all(names.map((username) => addUser(runtime, { username })));
  const answers = await Promise.all(names.map((name) => door.logIn(name)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 200));
});

test('waiting does not touch those who are inside', async ({ runtime, door }) => {
  await addUser(runtime);
  const { access_token, refresh_token } = (await door.logIn()).json();
  await fail(door, 5);
  expect((await door.get(access_token)).statusCode).toBe(200);
  expect((await door.refresh(refresh_token)).statusCode).toBe(200);
});

test('what was typed as a name is not kept', async ({ runtime, door }) => {
  await fail(door, 1, { name: 'my secret in the wrong field' });
  const kept = await outsideTenants(runtime.database, (transaction) =>
    transaction.selectFrom('loginFailures').select(['subject', 'failures']).orderBy('subject').execute(),
  );
  expect(kept).toEqual([
    { subject: 'address:203.0.113.7', failures: 1 },
    { subject: expect.stringMatching(/^name:[0-9a-f]{64}$/), failures: 1 },
  ]);
});
