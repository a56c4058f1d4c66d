import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type SecureVersion, type TlsOptions } from 'node:tls';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { makeAuthority } from '../../testing/certificates.ts';
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

test('a certificate is not read while its files are still being written', async () => {
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

test('missing files are logged once, and the certificate stays in use', async () => {
  const { files, first, tls, errors } = await openFiles();
  await rm(files.key);
  for (let pass = 0; pass < 4; pass++) await tls.refresh();
  expect(tls.nodeOptions()).toMatchObject({ cert: first.cert });
  expect(errors).toHaveLength(1);
});

test('the expiry of the certificate is a metric', async () => {
  const { tls } = await openFiles();
  const registry = new Registry();
  watchCertificate(registry, tls);
  const text = await registry.metrics();
  const expiry = Number(/^tocsin_tls_certificate_expiry_timestamp_seconds (.+)$/m.exec(text)?.[1]);
  const days = (expiry - Date.now() / 1_000) / 86_400;
  expect(days).toBeGreaterThan(1.9);
  expect(days).toBeLessThan(2.1);
});

/** OpenSSL itself refuses old versions at its default security level, which would hide a wrong setting of ours. */
const anyVersion = { ciphers: 'DEFAULT@SECLEVEL=0' };

/** The version that a server with these options agrees on with a client that knows only `version`. */
async function negotiatedVersion(options: TlsOptions, version: SecureVersion): Promise<string> {
  const server = createServer(
    { ...options, ...anyVersion },
    (socket) => void socket.on('error', () => {}).end(),
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const only = { minVersion: version, maxVersion: version, ...anyVersion };
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...only });
    socket.on('secureConnect', () => resolve(socket.getProtocol() ?? 'none'));
    socket.on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message));
  });
}

test.for(['TLSv1', 'TLSv1.1'] as const)('%s is refused although OpenSSL would accept it', async (version) => {
  const { tls } = await openFiles();
  const options = tls.serverOptions();
  expect(await negotiatedVersion({ ...options, minVersion: 'TLSv1' }, version), 'without our limit').toBe(
    version,
  );
  expect(await negotiatedVersion(options, version)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
});

test.for(['TLSv1.2', 'TLSv1.3'] as const)('%s is accepted', async (version) => {
  const { tls } = await openFiles();
  expect(await negotiatedVersion(tls.serverOptions(), version)).toBe(version);
});
