import { expect } from 'vitest';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/app.fixture.ts';
import { inShort, trailOf } from '../testing/audit.fixture.ts';

const night = { from: '2026-02-28T22:00:00', to: '2026-03-01T06:00:00', text: 'P302: Ben is on site.' };

test('a note is signed by both shifts and says who did and when', async ({ client, clock, runtime }) => {
  const marc = client('operator', { name: 'Marc', userId: 2 });
  const claire = client('operator', { name: 'Claire', userId: 3 });
  const id = (await marc.post('/shifts/notes', night)).json<number>();
  await marc.post(`/shifts/notes/${id}/signatures`, { shift: 'outgoing' });
  clock.advance(60);
  const signed = await claire.post(`/shifts/notes/${id}/signatures`, { shift: 'incoming' });
  expect(signed.json()).toEqual({
    id,
    stationId: 0,
    from: '2026-02-28T22:00:00+01:00',
    to: '2026-03-01T06:00:00+01:00',
    text: 'P302: Ben is on site.',
    author: 'Marc',
    outgoing: { user: 'Marc', userId: 'user:2', time: '2026-03-01T07:00:00+01:00' },
    incoming: { user: 'Claire', userId: 'user:3', time: '2026-03-01T07:01:00+01:00' },
    lastChange: '2026-03-01T06:01:00',
  });
  expect((await trailOf(runtime)).map(inShort)).toEqual(
    expect.arrayContaining(['user:2 shift-note.create shift-note', 'user:3 shift-note.sign shift-note']),
  );
});

test('nobody signs for both shifts, twice, or before the outgoing shift', async ({ client }) => {
  const marc = client('operator', { name: 'Marc', userId: 2 });
  const claire = client('operator', { name: 'Claire', userId: 3 });
  const id = (await marc.post('/shifts/notes', night)).json<number>();
  const sign = async (who: typeof marc, shift: string) =>
    (await who.post(`/shifts/notes/${id}/signatures`, { shift })).statusCode;
  expect(await sign(claire, 'incoming')).toBe(409);
  expect(await sign(marc, 'outgoing')).toBe(200);
  expect(await sign(claire, 'outgoing')).toBe(409);
  expect(await sign(marc, 'incoming')).toBe(409);
  expect(await sign(claire, 'incoming')).toBe(200);
  expect(await sign(client('operator', { userId: 4 }), 'incoming')).toBe(409);
});

test('an API key writes notes and does not sign them', async ({ client }) => {
  const key = client('operator', { keyId: 7, name: 'desk' });
  const id = (await key.post('/shifts/notes', night)).json<number>();
  expect((await key.post(`/shifts/notes/${id}/signatures`, { shift: 'outgoing' })).statusCode).toBe(403);
});

test('a note can be mended until it is signed, and neither changed nor deleted afterwards', async ({
  client,
  runtime,
}) => {
  const marc = client('operator', { name: 'Marc', userId: 2 });
  const id = (await marc.post('/shifts/notes', night)).json<number>();
  expect((await marc.put(`/shifts/notes/${id}`, { ...night, text: 'P302 runs.' })).statusCode).toBe(200);
  await marc.post(`/shifts/notes/${id}/signatures`, { shift: 'outgoing' });
  expect((await marc.put(`/shifts/notes/${id}`, night)).statusCode).toBe(409);
  expect((await marc.delete(`/shifts/notes/${id}`)).statusCode).toBe(409);
  for (const statement of ["update shift_notes set text = 'x'", 'delete from shift_notes']) {
    const attempt = inTenant(runtime.database, 1, async (transaction) => {
      await transaction.client.query(statement);
    });
    await expect(attempt).rejects.toThrow('a signed shift note is neither changed nor removed');
  }
  expect((await marc.get(`/shifts/notes/${id}`)).json()).toMatchObject({ text: 'P302 runs.' });
});

test('nobody signs a text that was changed after they read it', async ({ client }) => {
  const marc = client('operator', { userId: 2 });
  const id = (await marc.post('/shifts/notes', night)).json<number>();
  const etag = (await marc.get(`/shifts/notes/${id}`)).headers['etag'] as string;
  await client('operator', { userId: 3 }).put(`/shifts/notes/${id}`, { ...night, text: 'Nothing.' });
  const signed = await marc.post(
    `/shifts/notes/${id}/signatures`,
    { shift: 'outgoing' },
    { 'if-match': etag },
  );
  expect(signed.statusCode).toBe(412);
});

test('notes are listed by time, the newest first, and found by a period they overlap', async ({ client }) => {
  const marc = client('operator');
  const write = async (from: string, to: string) =>
    (await marc.post('/shifts/notes', { from, to, text: from })).json<number>();
  const late = await write('2026-03-01T14:00:00', '2026-03-01T22:00:00');
  const early = await write('2026-03-01T06:00:00', '2026-03-01T14:00:00');
  const next = await write('2026-03-02T06:00:00', '2026-03-02T14:00:00');
  const ids = async (query: string) =>
    (await marc.get(`/shifts/notes${query}`)).json().items.map(({ id }: { id: number }) => id);
  expect(await ids('')).toEqual([next, late, early]);
  expect(await ids('?sort=%2Bid')).toEqual([early, late, next]);
  expect(await ids('?from=2026-03-01T14:00:00&to=2026-03-02T06:00:00')).toEqual([late]);
});

test('a period that ends before it begins is refused', async ({ client }) => {
  const answer = await client('operator').post('/shifts/notes', { ...night, to: night.from });
  expect(answer.json()).toMatchObject({ errors: [{ pointer: '/to' }] });
});

test('an operator of one station reads its notes and those of all, and signs only its own', async ({
  client,
}) => {
  const marc = client('operator', { userId: 2 });
  await client('engineer').post('/stations', { name: 'South' });
  const everywhere = (await marc.post('/shifts/notes', night)).json<number>();
  const north = (await marc.post('/shifts/notes', { ...night, stationId: 1 })).json<number>();
  const bound = client('operator', { stationIds: [2], userId: 3 });
  const south = (await bound.post('/shifts/notes', { ...night, stationId: 2 })).json<number>();
  const items = (await bound.get('/shifts/notes')).json().items;
  expect(items.map(({ id }: { id: number }) => id)).toEqual([south, everywhere]);
  const sign = async (id: number) =>
    (await bound.post(`/shifts/notes/${id}/signatures`, { shift: 'outgoing' })).statusCode;
  expect([await sign(south), await sign(everywhere), await sign(north)]).toEqual([200, 403, 404]);
  expect((await bound.post('/shifts/notes', night)).statusCode).toBe(403);
});
