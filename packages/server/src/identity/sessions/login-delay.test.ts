import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';
import { addUser, type Door, test } from '../../testing/identity.fixture.ts';
import { deleteOldLoginFailures } from './login-delay.store.ts';
import {
  afterFailure,
  failuresExpireBefore,
  firstDelayedFailure,
  type LoginFailures,
  networksExpireBefore,
  secondsToWait,
} from './login-delay.ts';

const start = new Date('2026-03-01T06:00:00Z');

/** The delays after each failure of a name in one network, each made as soon as allowed. */
function waitsOf(failures: number): number[] {
  const waits: number[] = [];
  let now = start;
  let count: LoginFailures | undefined;
  for (let n = 0; n < failures; n++) {
    count = afterFailure(count, 5, now);
    waits.push(secondsToWait([count], now));
    now = count.retryAt;
  }
  return waits;
}

/** The delay after one more failure. */
function waitAfter(failures: number): number {
  return secondsToWait([afterFailure({ failures, lastAt: start, retryAt: start }, 5, start)], start);
}

test('four failures cost nothing; from the fifth the wait doubles, up to five minutes', () => {
  expect(waitsOf(16)).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
});

test('failures are forgotten after a day without another', () => {
  const before = { failures: 12, lastAt: start, retryAt: start };
  const later = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
  expect(afterFailure(before, 5, later(86_399)).failures).toBe(13);
  expect(afterFailure(before, 5, later(86_400)).failures).toBe(1);
});

test.for([
  ['nameInNetwork', 300],
  ['address', 315],
  ['name', 345],
] as const)('a day of guessing by %s allows %i guesses', ([kind, guesses]) => {
  let now = start;
  let count: LoginFailures | undefined;
  let made = 0;
  for (; now.getTime() < start.getTime() + 86_400_000; made++) {
    count = afterFailure(count, firstDelayedFailure[kind], now);
    now = count.retryAt;
  }
  expect(made).toBe(guesses);
});

test('the delay is five minutes at most, and more failures never shorten it', () => {
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

const keptFailures = ({ database }: Runtime) =>
  outsideTenants(database, (transaction) =>
    transaction.selectFrom('loginFailures').select(['subject', 'failures']).orderBy('subject').execute(),
  );

const elsewhere = (n: number) => `198.51.100.${n}`;

test.for(['anna', 'nobody'])(
  'after five failures %s is delayed, even with the right password, and learns for how long',
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

test('guesses from another network do not lock a user out', async ({ runtime, door }) => {
  await addUser(runtime);
  await fail(door, 5, { from: elsewhere(1) });
  expect((await door.logIn('anna', undefined, elsewhere(1))).statusCode).toBe(429);
  expect((await door.logIn('anna', undefined, elsewhere(2))).statusCode).toBe(200);
});

test('a name that failed 50 times is delayed everywhere, in any spelling, except in its known network', async ({
  runtime,
  door,
  clock,
}) => {
  await addUser(runtime);
  expect((await door.logIn()).statusCode).toBe(200);
  for (let n = 1; n <= 50; n++) await fail(door, 1, { name: n % 2 ? 'ANNA' : 'anna', from: elsewhere(n) });
  expect((await door.logIn('Anna', undefined, elsewhere(99))).statusCode).toBe(429);
  expect((await door.logIn()).statusCode).toBe(200);
  clock.advance(1);
  await fail(door, 1, { from: elsewhere(99) });
  expect((await door.logIn('Anna', undefined, elsewhere(100))).headers['retry-after']).toBe('2');
});

test('a network stays known for 30 days after a log-in', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  expect((await door.logIn()).statusCode).toBe(200);
  const forget = () =>
    outsideTenants(runtime.database, (transaction) =>
      deleteOldLoginFailures(transaction, {
        failuresBefore: failuresExpireBefore(transaction.now),
        networksBefore: networksExpireBefore(transaction.now),
      }),
    );
  clock.advance(29 * 86_400);
  await forget();
  for (let n = 1; n <= 50; n++) await fail(door, 1, { from: elsewhere(n) });
  expect((await door.logIn()).statusCode, 'after 29 days').toBe(200);
  clock.advance(30 * 86_400);
  await forget();
  expect(await keptFailures(runtime)).toEqual([]);
});

test('an address is delayed for every name, and other addresses are not', async ({ runtime, door }) => {
  await addUser(runtime);
  for (let n = 1; n <= 20; n++) await fail(door, 1, { name: `guess${n}` });
  expect((await door.logIn()).statusCode).toBe(429);
  expect((await door.logIn('anna', undefined, elsewhere(1))).statusCode).toBe(200);
});

test('a user who mistypes does not delay others at the same address', async ({ runtime, door }) => {
  await addUser(runtime);
  await fail(door, 5, { name: 'bob' });
  expect((await door.logIn('bob')).statusCode).toBe(429);
  expect((await door.logIn()).statusCode).toBe(200);
});

test('addresses of one IPv6 network count as one', async ({ door }) => {
  for (let n = 1; n <= 5; n++) await fail(door, 1, { name: 'x', from: `2001:db8:1:2::${n}` });
  expect((await door.logIn('x', wrong, '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
  expect((await door.logIn('x', wrong, '2001:db8:1:3::1')).statusCode).toBe(400);
});

test('a log-in clears the failures of its network, also from the total of the name', async ({
  runtime,
  door,
}) => {
  await addUser(runtime);
  await fail(door, 1, { from: elsewhere(1) });
  for (let n = 1; n <= 2; n++) {
    await fail(door, 4);
    expect((await door.logIn()).statusCode).toBe(200);
  }
  const counts = (await keptFailures(runtime)).filter(({ subject }) =>
    /^name:[0-9a-f]+(@203.*)?$/.test(subject),
  );
  expect(counts.map(({ failures }) => failures)).toEqual([1]);
});

test('a log-in does not clear the failures of the address, so an account of their own does not help a guesser', async ({
  runtime,
  door,
}) => {
  await addUser(runtime);
  for (let n = 1; n <= 19; n++) {
    await fail(door, 1, { name: `guess${n}` });
    expect((await door.logIn()).statusCode).toBe(200);
  }
  await fail(door, 1, { name: 'guess20' });
  expect((await door.logIn()).statusCode).toBe(429);
});

test('attempts during the delay do not extend it', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  await fail(door, 5);
  for (let n = 0; n < 5; n++) await door.logIn('anna', wrong);
  clock.advance(1);
  expect((await door.logIn()).statusCode).toBe(200);
});

test('failures expire after a day', async ({ runtime, door, clock }) => {
  await addUser(runtime);
  await fail(door, 5);
  clock.advance(86_400);
  await fail(door, 4);
  expect((await door.logIn()).statusCode).toBe(200);
});

test('guessing in parallel is no faster', async ({ runtime, door }) => {
  await addUser(runtime);
  const answers = await Promise.all(Array.from({ length: 24 }, () => door.logIn('anna', wrong)));
  const looked = answers.filter(({ statusCode }) => statusCode === 400);
  expect(looked).toHaveLength(5);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(19);
});

test('a whole shift can log in at once from one address', async ({ runtime, door }) => {
  const names = Array.from({ length: 12 }, (_, n) => `operator${n}`);
  await Promise.all(names.map((username) => addUser(runtime, { username })));
  const answers = await Promise.all(names.map((name) => door.logIn(name)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 200));
});

test('a delay does not affect open sessions', async ({ runtime, door }) => {
  await addUser(runtime);
  const { access_token, refresh_token } = (await door.logIn()).json();
  await fail(door, 5);
  expect((await door.get(access_token)).statusCode).toBe(200);
  expect((await door.refresh(refresh_token)).statusCode).toBe(200);
});

test('the typed name is not stored', async ({ runtime, door }) => {
  await fail(door, 1, { name: 'my secret in the wrong field' });
  expect(await keptFailures(runtime)).toEqual([
    { subject: 'address:203.0.113.7', failures: 1 },
    { subject: expect.stringMatching(/^name:[0-9a-f]{64}$/), failures: 1 },
    { subject: expect.stringMatching(/^name:[0-9a-f]{64}@203\.0\.113\.7$/), failures: 1 },
  ]);
});
