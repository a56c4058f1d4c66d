import { expect } from 'vitest';
import { buildApp } from '../app.ts';
import { addUser, test as withHouse } from '../testing/identity.fixture.ts';
import { writeApiKey } from './api-key.ts';
import { newSecret } from './secret.ts';

/** A server that takes two requests a second from an address, and a key that is good. */
const test = withHouse
  .extend('ask', async ({ runtime, authenticate }, { onCleanup }) => {
    const rateLimits = { perSecond: 2, intakePerSecond: 1_000 };
    const app = buildApp(runtime, authenticate, { basePath: '', reference: false, rateLimits });
    onCleanup(() => app.close());
    await app.ready();
    return async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const url = '/api/v1/alarms';
      const payload = { path: 'Boiler' };
      return (await app.inject({ method: 'POST', url, headers, payload })).statusCode;
    };
  })
  .extend('goodKey', async ({ runtime, door }) => {
    await addUser(runtime, { role: 'admin' });
    const { access_token }: { access_token: string } = (await door.logIn()).json();
    const { key }: { key: string } = (await door.post(access_token, '/apikeys', { name: 'PLC' })).json();
    return key;
  });

const madeUp = (id: number) => writeApiKey({ tenantId: 1, id, secret: newSecret() });
const manyMadeUp = () => Array.from({ length: 60 }, (_, n) => madeUp(1_000 + n));

test('made-up keys are refused before they cost a look-up each', async ({ runtime, ask }) => {
  let lookUps = 0;
  runtime.database.pool.on('acquire', () => {
    lookUps += 1;
  });
  const statuses = await Promise.all(manyMadeUp().map(ask));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(lookUps).toBe(statuses.filter((status) => status === 401).length);
  expect(lookUps).toBeLessThan(10);
});

test('a good key brings its alarms in while its neighbour makes keys up', async ({ ask, goodKey, clock }) => {
  expect(await ask(goodKey)).toBe(200);
  // By then it has to be looked up again.
  clock.advance(6);
  const [flood, alarm] = [Promise.all(manyMadeUp().map(ask)), ask(goodKey)];
  expect(await flood).toContain(429);
  expect(await alarm).toBe(200);
});

test('many alarms of a good key are not charged to its address', async ({ ask, goodKey }) => {
  for (let n = 0; n < 10; n++) expect(await ask(goodKey)).toBe(200);
});
