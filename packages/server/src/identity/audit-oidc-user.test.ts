import type { AuditEntry } from '@tocsin/contract';
import { expect, onTestFinished } from 'vitest';
import { buildApp } from '../app.ts';
import { readPublicKeyPem, readPublicKeys } from '../audit/audit-keys.ts';
import { readExport } from '../audit/read-export.ts';
import { verifyTrail } from '../audit/verify-trail.ts';
import { addUser, linkUser } from '../testing/identity.fixture.ts';
import { startIssuer, tokenFrom } from '../testing/issuer.fixture.ts';
import { test as base } from '../testing/plant.fixture.ts';
import { createAuthenticate } from './authenticate.ts';

const audience = 'https://tocsin.example';

/** `test` with an administrator and a viewer who use tokens of an OIDC issuer. */
const test = base.extend('outside', async ({ runtime }) => {
  const provider = await startIssuer('ES256', ['anna|7', 'bert']);
  const anna = await addUser(runtime, { username: 'anna', role: 'admin' });
  const bert = await addUser(runtime, { username: 'bert', role: 'viewer' });
  await linkUser(runtime, { userId: anna, issuer: provider.url, subject: 'anna|7' });
  await linkUser(runtime, { userId: bert, issuer: provider.url, subject: 'bert' });
  const issuers = [{ issuer: provider.url, audience, tenantId: 1 }];
  // The provider tells the real time.
  const authenticate = createAuthenticate({ runtime, issuers, now: () => new Date() });
  const app = buildApp(runtime, authenticate, { basePath: '', reference: false });
  await app.ready();
  onTestFinished(async () => {
    await app.close();
    await provider.close();
  });
  const clientOf = async (subject: string) => {
    const headers = { authorization: `Bearer ${await tokenFrom(provider, subject, audience)}` };
    const send = (method: 'GET' | 'POST', path: string, payload?: object) =>
      app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
    return {
      get: (path: string) => send('GET', path),
      post: (path: string, body: object) => send('POST', path, body),
    };
  };
  return { issuer: provider.url, anna: await clientOf('anna|7'), bert: await clientOf('bert') };
});

test('an OIDC user is in the audit trail under issuer and subject, and is found by them', async ({
  runtime,
  outside: { issuer, anna, bert },
}) => {
  expect((await anna.post('/stations', { name: 'Ridge' })).statusCode).toBe(200);
  expect((await bert.post('/stations', { name: 'Lake' })).statusCode).toBe(403);
  const find = async (actor: string) => {
    const answer = await anna.get(`/audit?actor=${encodeURIComponent(actor)}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ items: AuditEntry[] }>().items;
  };
  const [refused, made, ...more] = await find('issuer');
  expect(more).toEqual([]);
  expect(made).toMatchObject({
    action: 'station.create',
    actor: { kind: 'issuer', id: `${issuer} anna|7`, name: 'anna at the plant' },
  });
  expect(refused).toMatchObject({
    action: 'request.refuse',
    actor: { kind: 'issuer', id: `${issuer} bert`, name: 'bert at the plant' },
  });
  expect(await find(`issuer:${issuer} anna|7`)).toEqual([made]);
  expect(await find(`issuer:${issuer}`)).toEqual([refused, made]);
  expect(await find('user')).toEqual([]);

  const trail = readExport((await anna.get('/audit/export')).body);
  if ('fault' in trail) throw new Error(trail.fault);
  const keys = readPublicKeyPem(await readPublicKeys(runtime.database));
  expect(verifyTrail(trail, { keys, heads: [] })).toEqual([]);
  expect(trail.entries.at(-1)?.entry.actor).toMatchObject({ kind: 'issuer', id: `${issuer} anna|7` });
});

test('the trail can be searched for the longest names of issuer and subject', async ({
  outside: { anna },
}) => {
  const actor = `issuer:https://${'i'.repeat(504)} ${'s'.repeat(255)}`;
  expect((await anna.get(`/audit?actor=${encodeURIComponent(actor)}`)).statusCode).toBe(200);
});
