import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { makeAuthority } from '../testing/certificates.ts';
import { openServerTls, watchCertificate } from './server-tls.ts';

async function openFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-server-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const authority = await makeAuthority('Plant', folder);
  const [first, second] = [await authority.issue('first'), await authority.issue('second')];
  const files = { cert: join(folder, 'server.pem'), key: join(folder, 'server.key') };
  await copyFile(first.certFile, files.cert);
  await copyFile(first.keyFile, files.key);
  const errors: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => errors.push(line) });
  const tls = openServerTls({ ...files, clientCa: undefined, nodeCa: undefined }, log);
  return { files, first, second, tls, errors };
}

test('a certificate that is being written is left alone until it is whole', async () => {
  const { files, first, second, tls, errors } = await openFiles();
  await copyFile(second.certFile, files.cert);
  await tls.refresh();
  await copyFile(second.keyFile, files.key);
  await tls.refresh();
  expect(tls.nodeOptions()).toMatchObject({ cert: first.cert, key: first.key });
  await tls.refresh();
  expect(tls.nodeOptions()).toMatchObject({ cert: second.cert, key: second.key });
  expect(errors).toEqual([]);
});

test('files that are gone are said so once, and the certificate stays in use', async () => {
  const { files, first, tls, errors } = await openFiles();
  await rm(files.key);
  for (let turn = 0; turn < 4; turn++) await tls.refresh();
  expect(tls.nodeOptions()).toMatchObject({ cert: first.cert });
  expect(errors).toHaveLength(1);
});

test('when the certificate expires can be watched', async () => {
  const { tls } = await openFiles();
  const registry = new Registry();
  watchCertificate(registry, tls);
  const text = await registry.metrics();
  const expiry = Number(/^tocsin_tls_certificate_expiry_timestamp_seconds (.+)$/m.exec(text)?.[1]);
  const days = (expiry - Date.now() / 1_000) / 86_400;
  expect(days).toBeGreaterThan(1.9);
  expect(days).toBeLessThan(2.1);
});
