import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { test } from '../testing/app.fixture.ts';

const base64 = (content: string | Buffer) =>
  (typeof content === 'string' ? Buffer.from(content, 'latin1') : content).toString('base64');
const text = (content: string) => ({ name: 'a.txt', contentType: 'text/plain', content: base64(content) });
const siren = 'RIFF\x24\x00\x00\x00WAVEfmt rest';

test('a sound is kept by name and comes back byte for byte, as a download', async ({ client }) => {
  const engineer = client('engineer');
  const name = "sirène (1)'s.wav";
  const body = { name, contentType: 'audio/wav', content: base64(siren) };
  expect((await engineer.post('/mediafiles', body)).body).toBe('1');
  const sha256 = createHash('sha256').update(siren, 'latin1').digest('hex');
  expect((await engineer.get('/mediafiles/1')).json()).toEqual({
    id: 1,
    name,
    contentType: 'audio/wav',
    size: siren.length,
    sha256,
    lastChange: '2026-03-01T06:00:00',
  });

  const download = await client('viewer').get('/mediafiles/1/content');
  expect(download.statusCode).toBe(200);
  expect(download.rawPayload.toString('latin1')).toBe(siren);
  expect(download.headers).toMatchObject({
    'content-type': 'audio/wav',
    'content-length': String(siren.length),
    'content-disposition': "attachment; filename*=UTF-8''sir%C3%A8ne%20%281%29%27s.wav",
    'x-content-type-options': 'nosniff',
    etag: `"${sha256}"`,
  });
});

test('a file that is replaced has another content, size and tag', async ({ client }) => {
  const engineer = client('engineer');
  await engineer.post('/mediafiles', text('one'));
  const before = await engineer.get('/mediafiles/1/content');
  const replaced = await engineer.put('/mediafiles/1', text('three'));
  expect(replaced.json()).toMatchObject({ size: 5 });
  const after = await engineer.get('/mediafiles/1/content');
  expect([before.body, after.body]).toEqual(['one', 'three']);
  expect(after.headers['etag']).not.toBe(before.headers['etag']);
});

test('file names are unique in a tenant, and independent of other tenants', async ({ client, runtime }) => {
  const body = { name: 'a.txt', contentType: 'text/plain', content: base64('x') };
  const engineer = client('engineer');
  await engineer.post('/mediafiles', body);
  expect((await engineer.post('/mediafiles', body)).statusCode).toBe(409);
  const tenantId = await createTenant(runtime, { name: 'Other plant' });
  const other = client('engineer', { tenantId });
  expect((await other.get('/mediafiles/1/content')).statusCode).toBe(404);
  expect((await other.post('/mediafiles', body)).statusCode).toBe(200);
});

test('a name is never a path, and the content matches its type', async ({ client }) => {
  const engineer = client('engineer');
  const good = { name: 'a.wav', contentType: 'audio/wav', content: base64(siren) };
  const refused: [Partial<typeof good>, string][] = [
    [{ name: '../a.wav' }, '/name'],
    [{ name: 'sub/a.wav' }, '/name'],
    [{ name: 'C:a.wav' }, '/name'],
    [{ name: '.hidden' }, '/name'],
    [{ name: 'a\u0007.wav' }, '/name'],
    [{ name: '' }, '/name'],
    [{ contentType: 'text/html' }, '/contentType'],
    [{ contentType: 'image/svg+xml' }, '/contentType'],
    [{ content: base64('MP3 in disguise') }, '/content'],
    [{ contentType: 'audio/ogg' }, '/content'],
    [{ content: `${good.content.slice(0, -4)}!!!!` }, '/content'],
    [{ content: 'QQ' }, '/content'],
    [{ content: '' }, '/content'],
    [{ contentType: 'text/plain', content: base64(Buffer.alloc(700_001)) }, '/content'],
  ];
  for (const [change, pointer] of refused) {
    const answer = await engineer.post('/mediafiles', { ...good, ...change });
    expect({ change, ...answer.json() }).toMatchObject({ change, status: 400, errors: [{ pointer }] });
  }
  const accepted: Partial<typeof good>[] = [
    { name: 'Ω – all clear.ogg', contentType: 'audio/ogg', content: base64('OggS…') },
    { name: 'largest.txt', contentType: 'text/plain', content: base64(Buffer.alloc(700_000)) },
    { name: 'one byte.pdf', contentType: 'application/pdf', content: base64('x') },
  ];
  for (const change of accepted)
    expect((await engineer.post('/mediafiles', { ...good, ...change })).statusCode).toBe(200);
});
