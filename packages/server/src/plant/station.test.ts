import { expect } from 'vitest';
import { test } from '../testing/app.fixture.ts';

test('an engineer adds a station and finds it by part of its name, whatever the accents', async ({
  client,
}) => {
  const engineer = client('engineer');
  const created = await engineer.post('/stations', { name: 'Épuration Nord', timeZone: 'Europe/Paris' });
  expect(created.statusCode).toBe(200);
  expect(created.headers['content-type']).toContain('application/json');
  expect(created.body).toBe('2');

  const found = (await engineer.get('/stations?search=epur')).json();
  expect(found).toMatchObject({
    items: [{ id: 2, name: 'Épuration Nord' }],
    paging: { offset: 0, limit: 10, total: 1 },
  });
});

test('a station is not overwritten by a user who saw an older version', async ({ client }) => {
  const engineer = client('engineer');
  const etag = (await engineer.get('/stations/1')).headers['etag'] as string;
  expect((await engineer.put('/stations/1', { name: 'Valmont I' }, { 'if-match': etag })).statusCode).toBe(
    200,
  );
  const stale = await engineer.put('/stations/1', { name: 'Valmont II' }, { 'if-match': etag });
  expect(stale.statusCode).toBe(412);
  expect(stale.json()).toMatchObject({ code: 'stale-version', status: 412 });
});

test('a station that tags or data servers need cannot be deleted', async ({ client }) => {
  const answer = await client('engineer').delete('/stations/1');
  expect(answer.statusCode).toBe(409);
});

test('a time zone that does not exist is refused by name', async ({ client }) => {
  const answer = await client('engineer').post('/stations', { name: 'X', timeZone: 'Mars/Olympus' });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errors[0].pointer).toBe('/timeZone');
});

test('a user limited to a station sees only that station and cannot add others', async ({ client }) => {
  await client('engineer').post('/stations', { name: 'South' });
  const bound = client('engineer', { stationIds: [2] });
  expect((await bound.get('/stations')).json().items.map(({ id }: { id: number }) => id)).toEqual([2]);
  expect((await bound.get('/stations/1')).statusCode).toBe(404);
  expect((await bound.post('/stations', { name: 'West' })).statusCode).toBe(403);
});
