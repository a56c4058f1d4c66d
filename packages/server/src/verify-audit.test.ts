import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readPublicKeys } from './audit/audit-keys.ts';
import { fileSink } from './audit/head-sinks.ts';
import { createHeadPublisher } from './audit/publish-heads.ts';
import { test as base } from './testing/app.fixture.ts';
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

test('a whole trail is found whole with nothing but files', ({ evidence: { newer, key, heads } }) => {
  expect(verifyAudit([newer, '--public-key', key, '--heads', heads])).toBe(
    'The trail of tenant 1 is whole: entries 1 to 5, 1 published heads.',
  );
});

test('without published heads the verifier says what it could not find', ({ evidence: { older, key } }) => {
  expect(verifyAudit([older, '--public-key', key])).toContain(
    'a cut tail or an older copy would not be found',
  );
});

test('an older copy, a changed entry and a missing head are told', ({
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

test('what the verifier needs is said', ({ evidence: { newer, heads } }) => {
  expect(() => verifyAudit([newer])).toThrow(/^Usage: audit verify EXPORT --public-key FILE/);
  expect(() => verifyAudit([newer, '--public-key', heads])).toThrow('holds no public key');
  expect(() => verifyAudit([heads, '--public-key', heads])).toThrow('holds no public key');
});
