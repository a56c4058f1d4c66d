import { describe, expect } from 'vitest';
import { addPhones } from '../calls/testing/people.fixture.ts';
import { test as withDispatch } from '../dispatch/testing/answer.fixture.ts';
import type { World } from '../dispatch/testing/simulated-dispatch.fixture.ts';
import { createTenant } from '../people/create-tenant.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Client } from '../testing/app.fixture.ts';

const number = '+33601';
const sms = { kind: 'Sms', address: number };
const path = '/users/1/media';

const test = withDispatch
  .extend('admin', ({ client }) => client('admin', { userId: 99 }))
  .extend('anna', async ({ client, admin }) => {
    await addPhones(admin);
    await admin.post('/users', { username: 'anna', role: 'viewer' });
    const anna = client('viewer', { userId: 1, name: 'anna' });
    await anna.put(path, { media: [sms, { ...sms, kind: 'Voice' }] });
    return anna;
  });

const ask = (who: Client, medium: object = sms) => who.post(`${path}/code`, medium);
const enter = (who: Client, code: string, medium: object = sms) =>
  who.post(`${path}/confirmation`, { ...medium, code });
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const confirmedBy = async (admin: Client): Promise<(string | undefined)[]> => {
  const { media } = (await admin.get('/users/1')).json();
  return media.map(({ confirmed }: { confirmed?: { by: string } }) => confirmed?.by);
};

/** The digits of the last message. */
function lastCode({ sent }: World): string {
  const [digits] = /\d{6}/.exec(sent.at(-1)?.text ?? '') ?? [];
  if (digits === undefined) throw new Error('no code was sent');
  return digits;
}

test('the code goes to the address, and entering it confirms the number for texts and calls', async ({
  anna,
  admin,
  work,
  world,
}) => {
  const asked = await ask(anna);
  expect(asked.json()).toEqual({ validUntil: '2026-03-01T06:15:00' });
  await work();
  expect(world.sent).toMatchObject([{ address: number, notice: 'code' }]);
  const confirmed = { by: 'Code', time: '2026-03-01T06:00:00' };
  expect((await enter(anna, lastCode(world))).json()).toEqual({ ...sms, enabled: true, confirmed });
  expect(await confirmedBy(admin)).toEqual(['Code', 'Code']);
});

test('a wrong code confirms nothing and says how many tries are left', async ({
  anna,
  admin,
  work,
  world,
}) => {
  await ask(anna);
  await work();
  const code = lastCode(world);
  const wrong = await enter(anna, other(code));
  expect(wrong.json()).toMatchObject({ status: 400, errors: [{ pointer: '/code' }] });
  expect(wrong.body).toContain('4 tries are left');
  expect(await confirmedBy(admin)).toEqual([undefined, undefined]);
  expect((await enter(anna, code)).statusCode).toBe(200);
  expect((await enter(anna, code)).statusCode, 'a code is used once').toBe(400);
});

test('five wrong tries end a code, however they come, and a new one works', async ({
  anna,
  admin,
  work,
  world,
}) => {
  await ask(anna);
  await work();
  const code = lastCode(world);
  const guesses = Array.from({ length: 12 }, () => enter(anna, other(code)));
  for (const { statusCode } of await Promise.all(guesses)) expect(statusCode).toBe(400);
  expect((await enter(anna, code)).body).toContain('wrong 5 times');
  expect(await confirmedBy(admin)).toEqual([undefined, undefined]);
  await ask(anna);
  await work();
  expect((await enter(anna, code)).statusCode, 'the old code').toBe(400);
  expect((await enter(anna, lastCode(world))).statusCode).toBe(200);
});

test('a code is valid for 15 minutes', async ({ anna, work, world, clock }) => {
  await ask(anna);
  await work();
  clock.set('2026-03-01T06:15:00Z');
  expect((await enter(anna, lastCode(world))).body).toContain('too old');
});

test('an address gets three codes in an hour, from whomever', async ({ anna, admin, client, clock }) => {
  await admin.post('/users', { username: 'bob' });
  const bob = client('viewer', { userId: 2 });
  await bob.put('/users/2/media', { media: [sms] });
  for (const _ of [1, 2]) expect((await ask(anna)).statusCode).toBe(200);
  clock.set('2026-03-01T06:10:00Z');
  expect((await bob.post('/users/2/media/code', sms)).statusCode).toBe(200);
  const refused = await ask(anna, { ...sms, kind: 'Voice' });
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('3000');
  expect(refused.json()).toMatchObject({ code: 'too-many-requests' });
  clock.set('2026-03-01T07:00:00Z');
  expect((await ask(anna)).statusCode).toBe(200);
});

test('a person gets ten codes in a day', async ({ anna, clock }) => {
  const numbers = Array.from({ length: 11 }, (_, index) => ({ kind: 'Sms', address: `+3360${index + 10}` }));
  await anna.put(path, { media: numbers });
  for (const medium of numbers.slice(0, 10)) expect((await ask(anna, medium)).statusCode).toBe(200);
  const refused = await ask(anna, numbers[10]);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '86400']);
  clock.set('2026-03-02T06:00:00Z');
  expect((await ask(anna, numbers[10])).statusCode).toBe(200);
});

describe('a code is valid only', () => {
  test('for its person', async ({ anna, admin, client, work, world }) => {
    await admin.post('/users', { username: 'bob' });
    const bob = client('viewer', { userId: 2 });
    await bob.put('/users/2/media', { media: [sms] });
    await ask(anna);
    await work();
    const code = lastCode(world);
    expect((await bob.post('/users/2/media/confirmation', { ...sms, code })).statusCode).toBe(400);
    expect((await enter(bob, code)).statusCode, 'for somebody else').toBe(403);
    expect((await ask(bob)).statusCode).toBe(403);
    expect(await confirmedBy(admin)).toEqual([undefined, undefined]);
  });

  test('for its address', async ({ anna, work, world }) => {
    await anna.put(path, { media: [sms, { kind: 'Sms', address: '+33602' }] });
    await ask(anna);
    await work();
    const answer = await enter(anna, lastCode(world), { kind: 'Sms', address: '+33602' });
    expect(answer.body).toContain('none is awaited');
  });

  test('in its tenant', async ({ anna, client, runtime, work, world }) => {
    await createTenant(runtime, { name: 'Waterworks North' });
    const chief = client('admin', { tenantId: 2, userId: 99 });
    const id = (await chief.post('/users', { username: 'anna' })).json<number>();
    const namesake = client('viewer', { tenantId: 2, userId: id });
    await namesake.put(`/users/${id}/media`, { media: [sms] });
    await ask(anna);
    await work();
    const body = { ...sms, code: lastCode(world) };
    expect((await namesake.post(`/users/${id}/media/confirmation`, body)).statusCode).toBe(400);
    expect((await chief.get(`/users/${id}`)).json().media[0].confirmed).toBeUndefined();
  });
});

test('an administrator confirms an address without a code, and nobody else does', async ({
  anna,
  admin,
  client,
}) => {
  const override = { ...sms, override: true };
  expect((await anna.post(`${path}/confirmation`, override)).statusCode).toBe(403);
  const bound = client('admin', { userId: 3, stationIds: [1] });
  expect((await bound.post(`${path}/confirmation`, override)).statusCode).toBe(403);
  expect(await confirmedBy(admin)).toEqual([undefined, undefined]);
  expect((await admin.post(`${path}/confirmation`, override)).statusCode).toBe(200);
  expect(await confirmedBy(admin)).toEqual(['Administrator', 'Administrator']);
  const [entry] = (await admin.get('/audit?action=user-media.confirm')).json().items;
  expect(entry).toMatchObject({ object: { id: '1' }, after: { confirmed: { by: 'Administrator' } } });
});

test('the code stands in no answer, no audit entry and no table when it was sent', async ({
  anna,
  admin,
  runtime,
  work,
  world,
}) => {
  const asked = await anna.post(`${path}/code`, sms, { 'idempotency-key': 'ask' });
  await work();
  const code = lastCode(world);
  const entered = [
    await anna.post(`${path}/confirmation`, { ...sms, code: other(code) }, { 'idempotency-key': 'one' }),
    await anna.post(`${path}/confirmation`, { ...sms, code }, { 'idempotency-key': 'two' }),
  ];
  const trail = (await admin.get('/audit')).body;
  expect(trail).toContain('user-media.send-code');
  expect(trail).toContain('"codeRefused":"wrong"');
  const stored = await inTenant(runtime.database, 1, async (transaction) => [
    await transaction.selectFrom('addressCodes').selectAll().execute(),
    await transaction.selectFrom('escalations').select(['plan', 'state']).execute(),
    await transaction.selectFrom('callAttempts').selectAll().execute(),
    await transaction.selectFrom('idempotencyKeys').selectAll().execute(),
  ]);
  const texts = [asked.body, ...entered.map(({ body }) => body), trail, JSON.stringify(stored)];
  for (const text of texts) expect(text).not.toContain(code);
});

test('requests that cannot succeed say what to do', async ({ anna, admin }) => {
  const unknown = await ask(anna, { kind: 'Sms', address: '+33999' });
  expect(unknown.json()).toMatchObject({ status: 400, errors: [{ pointer: '/address' }] });
  expect((await anna.post(`${path}/confirmation`, sms)).body).toContain('/code is missing');
  await anna.put(path, { media: [{ kind: 'Pager', address: '1234' }] });
  const unserved = await ask(anna, { kind: 'Pager', address: '1234' });
  expect(unserved.statusCode).toBe(409);
  expect(unserved.body).toContain('an administrator');
  expect((await enter(anna, '000000', { kind: 'Pager', address: '1234' })).body).toContain('none is awaited');
  await admin.put('/users/1', { username: 'anna', enabled: false, media: [sms] });
  expect((await ask(admin)).body).toContain('enable the user');
});
