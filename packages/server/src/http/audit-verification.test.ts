import type { AuditVerification } from '@tocsin/contract';
import pg from 'pg';
import { expect } from 'vitest';
import { deleteOldEntries } from '../audit/delete-old-entries.ts';
import { databaseSink } from '../audit/head-sinks.ts';
import { createHeadPublisher } from '../audit/publish-heads.ts';
import { verifyStoredTrail } from '../audit/verify-stored-trail.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { test as base, type Client } from '../testing/app.fixture.ts';

const test = base
  /** The owner of the database, who can change what the server cannot. */
  .extend('owner', async ({ runtime }, { onCleanup }) => {
    const owner = new pg.Client({ connectionString: runtime.database.pool.options.connectionString });
    await owner.connect();
    await owner.query('alter table audit_entries disable trigger all');
    onCleanup(() => owner.end());
    return owner;
  });

const verify = async (client: Client) => (await client.get('/audit/verification')).json<AuditVerification>();
const publish = (runtime: Runtime) =>
  createHeadPublisher(runtime, { box: runtime.box, sinks: [databaseSink(runtime.database)] })();

/** Nine changes after the entry that created the tenant. */
async function fillTrail(client: Client): Promise<void> {
  for (let count = 0; count < 9; count++) await client.post('/stations', { name: `Station ${count}` });
}

/** Calculates all hashes anew, as somebody does who hides a change. */
const rehash = `
  with recursive chain (number, hash) as (
    select 0::bigint, decode(repeat('00', 32), 'hex')
    union all
    select e.number, sha256(c.hash || int8send(e.number) || convert_to(e.entry, 'UTF8'))
    from chain c join audit_entries e on e.tenant_id = 1 and e.number = c.number + 1)
  update audit_entries e set hash = c.hash from chain c where e.tenant_id = 1 and e.number = c.number`;

test('a trail that nobody touched is verified to its last entry, with the head that was signed', async ({
  client,
  runtime,
}) => {
  const admin = client('admin');
  await fillTrail(admin);
  const unsigned = await verify(client('auditor'));
  expect(unsigned).toMatchObject({ from: 1, to: 10, isWhole: true });
  expect(unsigned).not.toHaveProperty('head');
  expect(unsigned).not.toHaveProperty('fault');
  await publish(runtime);
  await admin.post('/stations', { name: 'Ridge' });
  const signed = await verify(client('auditor'));
  expect(signed).toMatchObject({ to: 11, head: { number: 10, time: '2026-03-01T06:00:00.000Z' } });
  expect(signed).not.toHaveProperty('fault');
});

test('the first entry that was changed is named', async ({ client, owner }) => {
  await fillTrail(client('admin'));
  await owner.query(
    `update audit_entries set entry = replace(entry, 'Station 3', 'Station X') where number >= 5`,
  );
  expect((await verify(client('admin'))).fault).toEqual({
    id: 5,
    detail: 'entry 5 was changed, or what was before it',
  });
});

test('an entry that is gone, and one that is no JSON, are named', async ({ client, owner }) => {
  await fillTrail(client('admin'));
  await owner.query(`update audit_entries set entry = 'nothing' where number = 8`);
  expect((await verify(client('admin'))).fault).toMatchObject({ id: 8 });
  await owner.query('delete from audit_entries where number = 4');
  expect((await verify(client('admin'))).fault).toEqual({
    id: 4,
    detail: 'entry 4 is missing or out of place: 5 is there instead',
  });
});

test('a change whose hashes were calculated anew is found by the signed head', async ({
  client,
  owner,
  runtime,
}) => {
  await fillTrail(client('admin'));
  await publish(runtime);
  await owner.query(
    `update audit_entries set entry = replace(entry, 'Station 3', 'Station X') where number = 5`,
  );
  await owner.query(rehash);
  expect((await verify(client('admin'))).fault).toEqual({
    id: 10,
    detail: 'entry 10 is missing, or not the one that was there on 2026-03-01T06:00:00.000Z',
  });
  await owner.query('update audit_heads set hash = (select hash from audit_entries where number = 10)');
  expect((await verify(client('admin'))).fault).toEqual({
    id: 10,
    detail: 'head 10 of 2026-03-01T06:00:00.000Z is not signed by a trusted key',
  });
});

test('an end that was cut off is found by the signed head', async ({ client, owner, runtime }) => {
  await fillTrail(client('admin'));
  await publish(runtime);
  await owner.query('delete from audit_entries where number > 7');
  expect(await verify(client('admin'))).toMatchObject({
    to: 7,
    fault: { id: 8, detail: 'entries 8 to 10 are missing' },
  });
});

test('of a long trail the newest entries are verified, and the answer says so', async ({
  client,
  owner,
  runtime,
}) => {
  await fillTrail(client('admin'));
  await owner.query(
    `update audit_entries set entry = replace(entry, 'Station 0', 'Station X') where number = 2`,
  );
  const newest = (count: number) =>
    inTenant(runtime.database, 1, (transaction) => verifyStoredTrail(transaction, count));
  expect(await newest(4)).toMatchObject({ from: 7, to: 10, isWhole: false, fault: undefined });
  expect(await newest(10)).toMatchObject({ from: 1, isWhole: true, fault: { entry: 2 } });
});

test('entries and heads of former years are deleted, and the rest is verified', async ({
  client,
  owner,
  runtime,
}) => {
  const admin = client('admin');
  await fillTrail(admin);
  await publish(runtime);
  await owner.query(`update audit_entries set at = at - interval '3 years' where number <= 4`);
  await deleteOldEntries(runtime, 1, 12);
  expect(await verify(admin)).toMatchObject({ from: 5, to: 11, isWhole: true, head: { number: 10 } });
  expect(await verify(admin)).not.toHaveProperty('fault');
  await owner.query('delete from audit_entries where number = 5');
  expect((await verify(admin)).fault).toEqual({ id: 6, detail: 'entries before 6 are missing' });
});

test('whoever may not read the trail of the whole tenant does not verify it', async ({ client }) => {
  expect((await client('engineer').get('/audit/verification')).statusCode).toBe(403);
  expect((await client('auditor', { stationIds: [1] }).get('/audit/verification')).statusCode).toBe(403);
});
