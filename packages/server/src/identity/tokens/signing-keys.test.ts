import { expect } from 'vitest';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';
import { listSigningKeys } from './signing-key.store.ts';
import { createVerifyingKeys, currentSigningKey } from './signing-keys.ts';

const day = 86_400;

test('two servers that start together on an empty database create one key', async ({ runtime }) => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => currentSigningKey(runtime)));
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
  expect(await outsideTenants(runtime.database, listSigningKeys)).toHaveLength(1);
});

test('a key signs for thirty days; a new one signs a minute after it was created', async ({
  runtime,
  clock,
}) => {
  const first = await currentSigningKey(runtime);
  clock.advance(30 * day - 1);
  expect((await currentSigningKey(runtime)).kid).toBe(first.kid);
  clock.advance(1);
  expect((await currentSigningKey(runtime)).kid).toBe(first.kid);
  clock.advance(60);
  const second = await currentSigningKey(runtime);
  expect(second.kid).not.toBe(first.kid);
  expect(await outsideTenants(runtime.database, listSigningKeys)).toHaveLength(2);
});

test('the former key still verifies for a day, and not for longer', async ({ runtime, clock }) => {
  const { kid } = await currentSigningKey(runtime);
  const find = createVerifyingKeys(runtime);
  clock.advance(31 * day - 1);
  expect(await find(kid, clock.now())).toBeDefined();
  clock.advance(1);
  expect(await find(kid, clock.now())).toBeUndefined();
  expect(await createVerifyingKeys(runtime)(kid, clock.now())).toBeUndefined();
});

test('retired keys are deleted when the next one is created', async ({ runtime, clock }) => {
  const { kid } = await currentSigningKey(runtime);
  clock.advance(40 * day);
  expect((await currentSigningKey(runtime)).kid).not.toBe(kid);
  const left = await outsideTenants(runtime.database, (transaction) =>
    transaction.selectFrom('signingKeys').select('kid').execute(),
  );
  expect(left).toHaveLength(1);
});

test('a server finds a key of another one, and reads the keys at most every two seconds', async ({
  runtime,
  clock,
}) => {
  const find = createVerifyingKeys(runtime);
  expect(await find('made-up', clock.now())).toBeUndefined();
  const { kid } = await currentSigningKey(runtime);
  expect(await find(kid, clock.now())).toBeUndefined();
  clock.advance(2);
  expect(await find(kid, clock.now())).toMatchObject({ kty: 'OKP', crv: 'Ed25519' });
});

test('a key that is too new to be known everywhere does not sign', async ({ runtime, clock }) => {
  const { kid } = await currentSigningKey(runtime);
  const key = await createVerifyingKeys(runtime)(kid, clock.now());
  expect(key).not.toHaveProperty('d');
});
