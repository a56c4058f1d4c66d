import { expect } from 'vitest';
import { readJournal } from '../journal/journal.store.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/app.fixture.ts';
import { expireMasks } from './expire-masks.ts';
import { createAlarmWriter } from './write/alarm-writer.ts';

test('a mask needs a reason', async ({ client }) => {
  const operator = client('operator');
  await operator.post('/alarms', { path: 'X' });
  const refused = await operator.post('/alarms/1/mask', {});
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors[0].pointer).toBe('/reason');
});

test('a masked alarm is not announced until its mask ends by itself', async ({ client, clock, runtime }) => {
  const operator = client('operator', { name: 'Ada' });
  await operator.post('/alarms', { path: 'X', raised: false });
  await operator.post('/alarms/1/mask', { reason: 'works', seconds: 3_600 });
  await operator.post('/alarms', { path: 'X' });
  expect((await operator.get('/alarms/1')).json()).toMatchObject({
    state: 7,
    masked: true,
    maskReason: 'works',
    maskedBy: 'Ada',
    maskedUntil: '2026-03-01T08:00:00+01:00',
  });

  clock.advance(3_599);
  await expireMasks(runtime, createAlarmWriter(runtime));
  expect((await operator.get('/alarms/1')).json()).toMatchObject({ state: 7 });
  clock.advance(1);
  await expireMasks(runtime, createAlarmWriter(runtime));
  const after = (await operator.get('/alarms/1')).json();
  expect(after).toMatchObject({ state: 3, masked: false });
  expect(after).not.toHaveProperty('maskedUntil');

  const entries = await readTenant(runtime.database, 1, (transaction) =>
    readJournal(transaction, { after: 0, limit: 10 }),
  );
  expect(entries.map(({ kind, announce }) => [kind, announce])).toEqual([
    ['defined', false],
    ['masked', false],
    ['raised', false],
    ['unmasked', true],
  ]);
});

test('a mask lasts eight hours by default, and never longer than the maximum of the tenant', async ({
  client,
}) => {
  const operator = client('operator');
  await operator.post('/alarms', { path: 'X' });
  await operator.post('/alarms/1/mask', { reason: 'r' });
  expect((await operator.get('/alarms/1')).json().maskedUntil).toBe('2026-03-01T15:00:00+01:00');
  await operator.post('/alarms/1/mask', { reason: 'r', seconds: 31_000_000 });
  expect((await operator.get('/alarms/1')).json().maskedUntil).toBe('2026-03-08T07:00:00+01:00');
});

test('an expired mask has no effect on a post that arrives before the job that ends masks', async ({
  client,
  clock,
}) => {
  const operator = client('operator');
  await operator.post('/alarms', { path: 'X', raised: false });
  await operator.post('/alarms/1/mask', { reason: 'r', seconds: 60 });
  clock.advance(61);
  await operator.post('/alarms', { path: 'X' });
  expect((await operator.get('/alarms/1')).json()).toMatchObject({ state: 3, masked: false });
});

test('masked tags that are not in alarm are listed on demand only', async ({ client }) => {
  const operator = client('operator');
  await operator.post('/alarms', { path: 'Quiet', raised: false });
  await operator.post('/alarms', { path: 'Loud' });
  await operator.post('/alarms/1/mask', { reason: 'r' });
  await operator.post('/alarms/2/mask', { reason: 'r' });
  const paths = async (query: string) =>
    (await operator.get(`/alarms${query}`)).json().items.map(({ path }: { path: string }) => path);
  expect(await paths('')).toEqual(['Loud']);
  expect(await paths('?inactiveMasked=0')).toEqual(['Loud']);
  expect(await paths('?inactiveMasked=1')).toEqual(['Quiet', 'Loud']);
});
