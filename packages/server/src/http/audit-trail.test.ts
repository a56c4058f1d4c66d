import type { AuditEntry } from '@tocsin/contract';
import pg from 'pg';
import { expect } from 'vitest';
import { readPublicKeyPem } from '../audit/audit-keys.ts';
import { readExport } from '../audit/read-export.ts';
import { verifyTrail } from '../audit/verify-trail.ts';
import { type Client, test } from '../testing/app.fixture.ts';

async function newest(client: Client, query = ''): Promise<AuditEntry> {
  const answer = await client.get(`/audit?limit=1${query}`);
  const [entry] = answer.json<{ items: AuditEntry[] }>().items;
  if (!entry) throw new Error(answer.body);
  return entry;
}

const secret = 'correct horse battery';

test('a change of a user records the old and new user, and that a password was set, but not the password', async ({
  client,
}) => {
  const admin = client('admin');
  const id = (await admin.post('/users', { username: 'anna', password: secret })).json<number>();
  const made = await newest(admin);
  expect(made).not.toHaveProperty('before');
  expect(made.after).toMatchObject({ id, username: 'anna', role: 'viewer', secretsGiven: ['password'] });

  await admin.put(`/users/${id}`, { username: 'anna', role: 'operator' }, { 'audit-reason': 'new job' });
  const changed = await newest(admin);
  expect(changed).toMatchObject({
    action: 'user.change',
    object: { kind: 'user', id: String(id) },
    actor: { kind: 'user', id: '1', name: 'admin' },
    reason: 'new job',
    before: { role: 'viewer' },
    after: { role: 'operator' },
  });
  expect(changed.after).not.toHaveProperty('secretsGiven');

  await admin.delete(`/users/${id}`);
  const deleted = await newest(admin);
  expect(deleted).toMatchObject({ action: 'user.delete', before: { username: 'anna' } });
  expect(deleted).not.toHaveProperty('after');
  const all = await admin.get('/audit?limit=1000');
  expect(all.body).not.toContain(secret);
});

test('a change that the trail cannot record is rolled back, and so is a mask', async ({
  client,
  runtime,
}) => {
  const admin = client('admin');
  const id = (await admin.post('/alarms', { path: 'boiler' })).json<number>();
  const owner = new pg.Client({ connectionString: runtime.database.pool.options.connectionString });
  await owner.connect();
  await owner.query('alter table audit_entries add constraint full_disk check (false) not valid');
  expect((await admin.post('/stations', { name: 'Ridge' })).statusCode).toBe(500);
  expect((await admin.post(`/alarms/${id}/mask`, { reason: 'work' })).statusCode).toBe(500);
  expect((await admin.get('/audit/export')).statusCode).toBe(500);
  expect((await admin.get('/stations')).body).not.toContain('Ridge');
  expect((await admin.get(`/alarms/${id}/timeline`)).body).not.toContain('masked');
  await owner.query('alter table audit_entries drop constraint full_disk');
  await owner.end();
  expect((await admin.post('/stations', { name: 'Ridge' })).statusCode).toBe(200);
});

test('a repetition with the same Idempotency-Key is recorded once', async ({ client }) => {
  const admin = client('admin');
  const create = () => admin.post('/stations', { name: 'Ridge' }, { 'idempotency-key': 'once' });
  expect((await create()).json()).toBe((await create()).json());
  const answer = await admin.get('/audit?action=station.create');
  expect(answer.json()).toMatchObject({ paging: { total: 1 } });
});

test('the trail records who masked and unmasked an alarm, until when and why', async ({ client }) => {
  const operator = client('operator', { userId: 7, name: 'Bert' });
  const auditor = client('auditor');
  const id = (await operator.post('/alarms', { path: 'boiler' })).json<number>();
  await operator.post(`/alarms/${id}/mask`, { reason: 'work on the boiler', seconds: 600 });
  expect(await newest(auditor)).toMatchObject({
    action: 'alarm.mask',
    object: { kind: 'alarm', id: String(id) },
    actor: { kind: 'user', id: '7', name: 'Bert' },
    reason: 'work on the boiler',
    before: { masked: false },
    after: { masked: true, maskUntil: '2026-03-01T06:10:00.000Z', maskBy: 'Bert' },
  });
  await operator.post(`/alarms/${id}/unmask`, {});
  expect(await newest(auditor)).toMatchObject({
    action: 'alarm.unmask',
    before: { masked: true },
    after: { masked: false },
  });
});

test('auditors and administrators read the trail by page, time, actor, action and object; others do not', async ({
  client,
}) => {
  const admin = client('admin');
  const ids: number[] = [];
  for (const name of ['Ridge', 'Valley']) ids.push((await admin.post('/stations', { name })).json<number>());
  const auditor = client('auditor');
  const find = async (query: string) => {
    const answer = await auditor.get(`/audit?${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    const { items, paging } = answer.json<{ items: AuditEntry[]; paging: { total: number } }>();
    return [paging.total, ...items.map(({ id }) => id)];
  };
  expect(await find('')).toEqual([3, 3, 2, 1]);
  expect(await find('sort=%2Bid&limit=1&offset=1')).toEqual([3, 2]);
  expect(await find(`object=station:${ids[1]}`)).toEqual([1, 3]);
  expect(await find('actor=user:1')).toEqual([2, 3, 2]);
  expect(await find('actor=system&action=tenant')).toEqual([1, 1]);
  expect(await find('from=2026-03-01T06:00:00Z&to=2026-03-01T07:00:01%2B01:00')).toEqual([3, 3, 2, 1]);
  expect(await find('to=2026-03-01T06:00:00')).toEqual([0]);
  expect((await auditor.get('/audit?from=yesterday')).statusCode).toBe(400);
  for (const role of ['viewer', 'operator', 'engineer', 'machine'] as const)
    expect((await client(role).get('/audit')).statusCode).toBe(403);
  expect((await client('auditor', { stationIds: [1] }).get('/audit')).statusCode).toBe(403);
});

test('an export is verified with its public key, and is itself recorded', async ({ client }) => {
  const admin = client('admin');
  await admin.post('/stations', { name: 'Ridge' });
  const answer = await admin.get('/audit/export');
  expect(answer.headers['content-type']).toBe('application/x-ndjson');
  const trail = readExport(answer.body);
  if ('fault' in trail) throw new Error(trail.fault);
  expect(trail.entries.map(({ entry }) => entry.action)).toEqual([
    'tenant.create',
    'station.create',
    'audit.export',
  ]);
  const { publicKey } = JSON.parse(answer.body.split('\n')[0] ?? '') as { publicKey: string };
  expect(verifyTrail(trail, { keys: readPublicKeyPem(publicKey), heads: [] })).toEqual([]);
  const forged = readExport(answer.body.replace('Ridge', 'Brink'));
  if ('fault' in forged) throw new Error(forged.fault);
  expect(verifyTrail(forged, { keys: readPublicKeyPem(publicKey), heads: [] })).toEqual([
    'entry 2 was changed, or what was before it',
  ]);
});

test('alarms are recorded in the journal: they add nothing to the trail, and do not wait for it', async ({
  client,
  runtime,
}) => {
  const machine = client('machine');
  const holder = await runtime.database.pool.connect();
  await holder.query("begin; select set_config('tocsin.tenant', '1', true)");
  await holder.query("select append_audit('{x}', '{2026-01-01}', '{a}', '{a}', '{a}', '{a}')");
  for (const path of ['boiler', 'pump'])
    expect((await machine.post('/alarms', { path })).statusCode).toBe(200);
  await holder.query('rollback');
  holder.release();
  const answer = await client('auditor').get('/audit');
  expect(answer.json()).toMatchObject({ paging: { total: 1 } });
});
