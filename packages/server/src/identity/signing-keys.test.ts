import { expect } from 'vitest';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import { listSigningKeys } from './signing-key.store.ts';
import { createVerifyingKeys, currentSigningKey } from './signing-keys.ts';

const day = 86_400;

test('two servers that start together on an empty database make one key between them', async ({
  runtime,
}) => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => currentSigningKey(runtime)));
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
  expect(await outsideTenants(runtime.database, listSigningKeys)).toHaveLength(1);
});

test('a key signs for thirty days; then a new one does, a minute after it was made', async ({
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

test('keys that are retired leave the database when the next one is made', async ({ runtime, clock }) => {
  const { kid } = await currentSigningKey(runtime);
  clock.advance(40 * day);
  expect((await currentSigningKey(runtime)).kid).not.toBe(kid);
  const left = await outsideTenants(runtime.database, (transaction) =>
    transaction.selectFrom('signingKeys').select('kid').execute(),
  );
  expect(left).toHaveLength(1);
});

test('a server finds the key that another one made, and looks for it at most every two seconds', async ({
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

test('the key that others may have is not the one that signs', async ({ runtime, clock }) => {
  const { kid } = await currentSigningKey(runtime);
  const key = await createVerifyingKeys(runtime)(kid, clock.now());
  expect(key).not.toHaveProperty('d');
});
