import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readPublicKeyPem, readPublicKeys, rotateAuditKey } from '../audit/audit-keys.ts';
import { fileSink } from '../audit/head-sinks.ts';
import { createHeadPublisher } from '../audit/publish-heads.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { test as base } from '../testing/app.fixture.ts';
import { verifyAudit } from './verify-audit.ts';

/** `test` with an export, the public key and the published heads of a small trail, in files. */
const test = base.extend('evidence', async ({ client, runtime }, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-verify-'));
  onCleanup(() => rmSync(folder, { recursive: true }));
  const admin = client('admin');
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const heads = join(folder, 'heads');
  const publish = createHeadPublisher(runtime, { box: undefined, sinks: [fileSink(heads)] });
  await admin.post('/stations', { name: 'Ridge' });
  const older = file('older', (await admin.get('/audit/export')).body);
  await admin.post('/stations', { name: 'Valley' });
  await publish();
  const newer = file('newer', (await admin.get('/audit/export')).body);
  const key = file('key.pem', await readPublicKeys(runtime.database));
  return { file, older, newer, key, heads };
});

test('a complete trail is verified from files alone', ({ evidence: { newer, key, heads } }) => {
  expect(verifyAudit([newer, '--public-key', key, '--heads', heads])).toBe(
    'The trail of tenant 1 is whole: entries 1 to 5, 1 published heads.',
  );
});

test('without published heads the verifier names the faults that it cannot find', ({
  evidence: { older, key },
}) => {
  expect(verifyAudit([older, '--public-key', key])).toContain(
    'a cut tail or an older copy would not be found',
  );
});

test('an older copy, a changed entry and a missing head are reported', ({
  evidence: { file, older, newer, key, heads },
}) => {
  const verify = (path: string) => () => verifyAudit([path, '--public-key', key, '--heads', heads]);
  expect(verify(older)).toThrow(/^entry 4 is missing, or not the one that was there on 2026/);
  const text = readFileSync(newer, 'utf8');
  expect(verify(file('changed', text.replace('Ridge', 'Brink')))).toThrow('entry 2 was changed');
  expect(verify(file('added', text.replace('{"number":2,', '{"note":"hidden","number":2,')))).toThrow(
    'line 3 is not an entry',
  );
  const lines = text.trimEnd().split('\n');
  expect(verify(file('headless', lines.slice(0, -1).join('\n')))).toThrow('the trail has no signed head');
  expect(verify(file('tail', lines.toSpliced(-2, 1).join('\n')))).toThrow(
    'the head is of entry 5, and the last entry is 4',
  );
});

test('missing arguments are reported', ({ evidence: { newer, heads } }) => {
  expect(() => verifyAudit([newer])).toThrow(/^Usage: audit verify EXPORT --public-key FILE/);
  expect(() => verifyAudit([newer, '--public-key', heads])).toThrow('holds no public key');
  expect(() => verifyAudit([heads, '--public-key', heads])).toThrow('holds no public key');
});

test('heads of a former key are valid with both keys, and one key alone is not enough', async ({
  client,
  runtime,
  clock,
  evidence: { file, key, heads },
}) => {
  const { database, box } = runtime;
  const admin = client('admin');
  const publish = createHeadPublisher(runtime, { box, sinks: [fileSink(heads)] });
  await publish();
  clock.advance(60);
  await outsideTenants(database, (outside) => rotateAuditKey(outside, box));
  await admin.post('/stations', { name: 'Lake' });
  await publish();
  const trail = file('trail', (await admin.get('/audit/export')).body);
  const all = await readPublicKeys(database);
  const verify = (pem: string) => () =>
    verifyAudit([trail, '--public-key', file('keys.pem', pem), '--heads', heads]);
  expect(verify(all)()).toBe('The trail of tenant 1 is whole: entries 1 to 7, 3 published heads.');
  expect(verify(readFileSync(key, 'utf8'))).toThrow(/^head 7 of 2026.* is not signed by a trusted key/);
  const [newest] = all.split(/(?<=-----END PUBLIC KEY-----\n)/);
  expect(readPublicKeyPem(newest ?? '')).toHaveLength(1);
  expect(verify(newest ?? '')).toThrow(/head 5 of 2026.* is not signed by a trusted key/);
});
