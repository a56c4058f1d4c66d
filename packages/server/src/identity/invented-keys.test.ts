import { expect } from 'vitest';
import { buildApp } from '../app.ts';
import { addUser, test as withInstallation } from '../testing/identity.fixture.ts';
import { writeApiKey } from './api-keys/api-key.ts';
import { newSecret } from './tokens/secret.ts';

/** A server that accepts two requests a second from an address, and a valid key. */
const test = withInstallation
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
  .extend('validKey', async ({ runtime, door }) => {
    await addUser(runtime, { role: 'admin' });
    const { access_token }: { access_token: string } = (await door.logIn()).json();
    const { key }: { key: string } = (await door.post(access_token, '/apikeys', { name: 'PLC' })).json();
    return key;
  });

const invented = (id: number) => writeApiKey({ tenantId: 1, id, secret: newSecret() });
const manyInvented = () => Array.from({ length: 60 }, (_, n) => invented(1_000 + n));

test('invented keys are refused without a database read each', async ({ runtime, ask }) => {
  let reads = 0;
  runtime.database.pool.on('acquire', () => {
    reads += 1;
  });
  const statuses = await Promise.all(manyInvented().map(ask));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(reads).toBe(statuses.filter((status) => status === 401).length);
  expect(reads).toBeLessThan(10);
});

test('a valid key raises its alarms while its network sends invented keys', async ({
  ask,
  validKey,
  clock,
}) => {
  expect(await ask(validKey)).toBe(200);
  // The cached key has expired by then.
  clock.advance(6);
  const [flood, alarm] = [Promise.all(manyInvented().map(ask)), ask(validKey)];
  expect(await flood).toContain(429);
  expect(await alarm).toBe(200);
});

test('many alarms of a valid key are not charged to its address', async ({ ask, validKey }) => {
  for (let n = 0; n < 10; n++) expect(await ask(validKey)).toBe(200);
});
