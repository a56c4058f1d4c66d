import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { findUser, updateUser } from '../people/user.store.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { addUser, type Door, goodPassword, test } from '../testing/identity.fixture.ts';

const other = 'staple battery horse';
const wrong = 'wrong horse battery';
const status = async (door: Door, username: string, password?: string, from?: string) =>
  (await door.logIn(username, password, from)).statusCode;

/** Tenant 2, with a user of the same name as one of tenant 1. */
async function twoAnnas(runtime: Runtime, username = 'anna'): Promise<void> {
  await addUser(runtime, { username });
  await createTenant(runtime, { name: 'Waterworks North' });
  await addUser(runtime, { username, tenantId: 2, password: other });
}

async function rename(transaction: TenantTransaction, id: number, username: string): Promise<void> {
  const user = await findUser(transaction, id, { stationIds: undefined, forUpdate: true });
  if (!user) throw new Error(`there is no user ${id}`);
  await updateUser(transaction, id, { ...user, username, passwordHash: undefined });
}

const tenantNames = (runtime: Runtime) =>
  inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('tenants').select('name').where('id', '=', 1).executeTakeFirstOrThrow(),
  );

test('a unique name works with and without its tenant', async ({ runtime, door }) => {
  await addUser(runtime);
  const { name } = await tenantNames(runtime);
  for (const username of ['anna', 'ANNA', `anna@${name}`, `Anna@${name.toUpperCase()}`, 'anna@1']) {
    expect(await status(door, username), username).toBe(200);
  }
});

test('a name of two tenants belongs to the first one, and works in both with its tenant', async ({
  runtime,
  door,
}) => {
  await twoAnnas(runtime);
  expect(await status(door, 'anna')).toBe(200);
  expect(await status(door, 'anna', other)).toBe(400);
  expect(await status(door, 'anna@1')).toBe(200);
  expect(await status(door, 'anna@waterworks north', other)).toBe(200);
  expect(await status(door, 'anna@2', goodPassword), 'the password of the other').toBe(400);
});

test('the second user of a name is refused without the tenant, like a wrong password or an unknown name', async ({
  runtime,
  door,
}) => {
  await twoAnnas(runtime);
  await addUser(runtime, { username: 'bob' });
  const answers = [
    await door.logIn('anna', other),
    await door.logIn('bob', wrong),
    await door.logIn('nobody'),
  ];
  const told = answers.map((answer) => [answer.statusCode, answer.body]);
  expect(told).toEqual([told[0], told[0], told[0]]);
});

test('an e-mail address can be a user name', async ({ runtime, door }) => {
  await twoAnnas(runtime, 'anna@plant.example');
  await addUser(runtime, { username: 'bob@plant.example' });
  expect(await status(door, 'Bob@plant.example')).toBe(200);
  expect(await status(door, 'anna@plant.example')).toBe(200);
  expect(await status(door, 'anna@plant.example@2', other)).toBe(200);
});

test('a user name cannot imitate the full name of a user of another tenant', async ({ runtime, door }) => {
  await addUser(runtime);
  await createTenant(runtime, { name: 'Waterworks North' });
  await addUser(runtime, { username: 'anna@1', tenantId: 2, password: other });
  expect(await status(door, 'anna@1')).toBe(200);
  expect(await status(door, 'anna@1', other)).toBe(400);
  expect(await status(door, 'anna@1@2', other)).toBe(200);
});

test('guesses at a user of one tenant delay no user of another, in any spelling of the tenant', async ({
  runtime,
  door,
}) => {
  await twoAnnas(runtime);
  for (const username of ['anna@2', 'anna@Waterworks North', 'anna@2', 'ANNA@2', 'anna@2']) {
    expect(await status(door, username, wrong)).toBe(400);
  }
  expect(await status(door, 'anna@waterworks north', other)).toBe(429);
  expect(await status(door, 'anna@1')).toBe(200);
});

test('delays do not reveal which users exist', async ({ runtime, door }) => {
  await addUser(runtime);
  for (const name of ['anna', 'nobody']) {
    for (let n = 0; n < 5; n++) expect(await status(door, name, wrong)).toBe(400);
    expect(await status(door, name)).toBe(429);
    expect(await status(door, `${name}@1`, wrong), `${name} written out`).toBe(400);
  }
});

test('a log-in is in the audit trail of its own tenant', async ({ runtime, door }) => {
  await twoAnnas(runtime);
  expect(await status(door, 'anna@2', other)).toBe(200);
  const opened = (tenantId: number) =>
    inTenant(runtime.database, tenantId, (transaction) =>
      transaction
        .selectFrom('auditEntries')
        .select('action')
        .where('tenantId', '=', tenantId)
        .where('action', '=', 'session.open')
        .execute(),
    );
  expect(await opened(2)).toHaveLength(1);
  expect(await opened(1)).toHaveLength(0);
});

test('a tenant cannot take over a name of another one by giving it to an older user', async ({
  runtime,
  door,
}) => {
  await createTenant(runtime, { name: 'Waterworks North' });
  const older = await addUser(runtime, { username: 'bob', tenantId: 2, password: other });
  await addUser(runtime);
  await inTenant(runtime.database, 2, (transaction) => rename(transaction, older, 'anna'));
  expect(await status(door, 'anna')).toBe(200);
  expect(await status(door, 'anna@2', other)).toBe(200);
});

test('a changed user keeps the name', async ({ runtime, door }) => {
  const first = await addUser(runtime);
  await createTenant(runtime, { name: 'Waterworks North' });
  await addUser(runtime, { username: 'anna', tenantId: 2, password: other });
  await inTenant(runtime.database, 1, (transaction) => rename(transaction, first, 'Anna'));
  expect(await status(door, 'anna')).toBe(200);
});
