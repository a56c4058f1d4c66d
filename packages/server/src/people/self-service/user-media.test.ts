import type { UserMedium } from '@tocsin/contract';
import { describe, expect } from 'vitest';
import { type Client, test } from '../../testing/app.fixture.ts';

const time = '2026-03-01T06:00:00';
const phone = { kind: 'Voice', address: '+33601', enabled: true };
const mail = { kind: 'Email', address: 'anna@plant.example', enabled: true };
const byAdmin = { confirmed: { by: 'Administrator', time } };

async function mediaOf(admin: Client, id = 1): Promise<UserMedium[]> {
  return (await admin.get(`/users/${id}`)).json().media;
}

test('an address that an administrator writes is confirmed by that, and the audit trail shows it', async ({
  client,
}) => {
  const admin = client('admin', { userId: 99 });
  await admin.post('/users', { username: 'anna', media: [phone] });
  expect(await mediaOf(admin)).toEqual([{ ...phone, ...byAdmin }]);
  await admin.put('/users/1/media', { media: [phone, mail] });
  expect(await mediaOf(admin)).toEqual([
    { ...phone, ...byAdmin },
    { ...mail, ...byAdmin },
  ]);
  const trail = (await admin.get('/audit?action=user-media')).json().items;
  expect(trail).toMatchObject([
    {
      action: 'user-media.change',
      object: { kind: 'user', id: '1' },
      after: { media: [phone, { ...mail, ...byAdmin }] },
    },
  ]);
});

test('an address that people add for themselves is not confirmed, and those that stay are', async ({
  client,
}) => {
  const admin = client('admin', { userId: 99 });
  await admin.post('/users', { username: 'anna', media: [phone] });
  const anna = client('viewer', { userId: 1 });
  const saved = await anna.put('/users/1/media', {
    media: [{ ...mail, confirmed: { by: 'Code', time } }, phone],
  });
  expect(saved.json()).toEqual({ media: [mail, { ...phone, ...byAdmin }] });
  expect((await anna.get('/users/1/media')).json()).toEqual(saved.json());
  expect(await mediaOf(admin)).toEqual(saved.json().media);
});

test('an administrator who saves a user again does not confirm the addresses by that', async ({ client }) => {
  const admin = client('admin', { userId: 99 });
  await admin.post('/users', { username: 'anna' });
  await client('viewer', { userId: 1 }).put('/users/1/media', { media: [phone] });
  const user = (await admin.get('/users/1')).json();
  await admin.put('/users/1', { ...user, name: 'Anna Ek' });
  expect(await mediaOf(admin)).toEqual([phone]);
  await admin.put('/users/1', { username: 'anna' });
  expect(await mediaOf(admin)).toEqual([phone]);
});

test('a tenant can demand a code for the addresses that administrators write', async ({ client }) => {
  const admin = client('admin', { userId: 99 });
  await admin.post('/users', { username: 'anna', media: [phone] });
  const set = (body: object) => admin.put('/dispatch/settings', { fallbackCallGroupId: 0, ...body });
  expect((await admin.get('/dispatch/settings')).json()).toMatchObject({ confirmAddresses: false });
  expect((await set({ confirmAddresses: true })).json()).toMatchObject({ confirmAddresses: true });
  await admin.put('/users/1', { username: 'anna', media: [mail, phone] });
  expect(await mediaOf(admin), 'the address that stays').toEqual([mail, { ...phone, ...byAdmin }]);
  await admin.put('/users/1', { username: 'anna', media: [{ ...phone, address: '+33602' }] });
  expect(await mediaOf(admin), 'a changed address').toEqual([{ ...phone, address: '+33602' }]);
  await admin.post('/users', { username: 'bob', media: [mail] });
  expect(await mediaOf(admin, 2)).toEqual([mail]);
  expect((await set({})).json(), 'absent keeps it').toMatchObject({ confirmAddresses: true });
});

test('a change of the media changes the ETag of the user', async ({ client }) => {
  const admin = client('admin', { userId: 99 });
  await admin.post('/users', { username: 'anna' });
  const etag = String((await admin.get('/users/1')).headers['etag']);
  await client('viewer', { userId: 1 }).put('/users/1/media', { media: [phone] });
  const late = await admin.put('/users/1', { username: 'anna', media: [] }, { 'if-match': etag });
  expect(late.statusCode).toBe(412);
});

describe('the media of somebody else', () => {
  test.for(['viewer', 'operator', 'engineer', 'auditor', 'machine'] as const)(
    'are not changed by a %s',
    async (role, { client }) => {
      const admin = client('admin', { userId: 99 });
      await admin.post('/users', { username: 'anna', media: [phone] });
      const stranger = client(role, { userId: 2 });
      expect((await stranger.put('/users/1/media', { media: [] })).statusCode).toBe(403);
      const mayRead = role !== 'viewer' && role !== 'machine';
      expect((await stranger.get('/users/1/media')).statusCode).toBe(mayRead ? 200 : 403);
      expect(await mediaOf(admin)).toHaveLength(1);
    },
  );

  test('are not changed by an administrator of one station', async ({ client }) => {
    const admin = client('admin', { userId: 99 });
    await admin.post('/users', { username: 'anna', media: [phone] });
    const bound = client('admin', { userId: 2, stationIds: [1] });
    expect((await bound.put('/users/1/media', { media: [] })).statusCode).toBe(403);
    expect(await mediaOf(admin)).toHaveLength(1);
  });

  test('are not found in another tenant', async ({ client }) => {
    await client('admin').post('/users', { username: 'anna', media: [phone] });
    const other = client('admin', { tenantId: 2, userId: 2 });
    expect((await other.put('/users/1/media', { media: [] })).statusCode).toBe(404);
    expect((await other.get('/users/1/media')).statusCode).toBe(404);
    // The user of the other tenant who has the same number is not this one.
    const namesake = client('viewer', { tenantId: 2, userId: 1 });
    expect((await namesake.get('/users/1/media')).statusCode).toBe(404);
  });
});

test('an address that is no address is refused, and names its place', async ({ client }) => {
  await client('admin').post('/users', { username: 'anna' });
  const anna = client('viewer', { userId: 1, stationIds: [1] });
  const answer = await anna.put('/users/1/media', { media: [phone, { kind: 'Sms', address: 'x' }] });
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ pointer: '/media/1/address' }] });
});
