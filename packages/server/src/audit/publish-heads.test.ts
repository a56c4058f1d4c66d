import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect } from 'vitest';
import { createSecretBox } from '../common/secret-box.ts';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { test as base } from '../testing/plant.fixture.ts';
import { appendAudit } from './audit.store.ts';
import { systemOrigin } from './audit-entry.ts';
import { type AuditHead, isGenuineHead } from './audit-head.ts';
import { listAuditKeys } from './audit-key.store.ts';
import { openAuditKey, readPublicKeyPem, readPublicKeys } from './audit-keys.ts';
import { fileSink, type HeadSink, logSink, syslogSink } from './head-sinks.ts';
import { createHeadPublisher } from './publish-heads.ts';
import { readHeads } from './read-export.ts';

const test = base
  .extend('folder', ({ task: _task }, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-audit-'));
    onCleanup(() => rmSync(folder, { recursive: true }));
    return folder;
  })
  /** A syslog server with a certificate of its own, and the data it received. */
  .extend('syslog', async ({ folder }, { onCleanup }) => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const files = ['-keyout', key, '-out', cert];
    await promisify(execFile)('openssl', ['req', '-x509', '-days', '2', ...curve, ...files, ...names]);
    const received: string[] = [];
    const identity = { key: readFileSync(key), cert: readFileSync(cert) };
    const server = createServer(identity, (socket) => {
      socket.setEncoding('utf8');
      socket.on('data', (data: string) => received.push(data));
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onCleanup(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { received, port, ca: readFileSync(cert, 'utf8') };
  });

const act = { ...systemOrigin, action: 'user.change', object: { kind: 'user', id: '7' } };
const grow = ({ database }: Runtime, tenantId = 1) =>
  inTenant(database, tenantId, (transaction) => appendAudit(transaction, [act], transaction.now));

function listSink(): HeadSink & { heads: AuditHead[][] } {
  const heads: AuditHead[][] = [];
  return { name: 'list', heads, publish: async (some) => void heads.push([...some]) };
}

test('the signed heads of grown trails are published, and the others are not repeated', async ({
  runtime,
}) => {
  const other = await createTenant(runtime, { name: 'Brenner Gas' });
  const sink = listSink();
  const publish = createHeadPublisher(runtime, { box: undefined, sinks: [sink] });
  await publish();
  await publish();
  await grow(runtime, other);
  await publish();
  const numbers = sink.heads.map((some) => some.map(({ tenantId, number }) => [tenantId, number]));
  expect(numbers).toEqual([
    [
      [1, 1],
      [other, 1],
    ],
    [[other, 2]],
  ]);
  const keys = readPublicKeyPem(await readPublicKeys(runtime.database));
  for (const head of sink.heads.flat()) expect(isGenuineHead(head, keys)).toBe(true);
});

test('a failed sink is retried the next time, and does not affect the others', async ({ runtime }) => {
  const good = listSink();
  const heads: AuditHead[] = [];
  let isDown = true;
  const bad: HeadSink = {
    name: 'bad',
    publish: async (some) => {
      if (isDown) throw new Error('no route to host');
      heads.push(...some);
    },
  };
  const publish = createHeadPublisher(runtime, { box: undefined, sinks: [bad, good] });
  await publish();
  await grow(runtime);
  isDown = false;
  await publish();
  expect(good.heads.flat().map(({ number }) => number)).toEqual([1, 2]);
  expect(heads.map(({ number }) => number)).toEqual([2]);
});

test('the verifier can read the heads from log, file and syslog', async ({ runtime, folder, syslog }) => {
  const path = join(folder, 'heads');
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const { port, ca } = syslog;
  const sinks = [logSink(log), fileSink(path), syslogSink({ host: 'localhost', port, ca })];
  const publish = createHeadPublisher(runtime, { box: undefined, sinks });
  await publish();
  await grow(runtime);
  await publish();
  const written = readHeads(readFileSync(path, 'utf8'));
  expect(written.map(({ number }) => number)).toEqual([1, 2]);
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readHeads(lines.join(''))).toEqual(written);
  // Octet counting (RFC 5425): each message is as long as the number before it says.
  const messages = syslog.received.map((frame) => {
    const [, length = '', message = ''] = /^(\d+) (.*)$/s.exec(frame) ?? [];
    expect(Buffer.byteLength(message)).toBe(Number(length));
    return message;
  });
  expect(messages[0]).toMatch(/^<109>1 2026-03-01T06:00:00\.000Z \S+ tocsin \d+ audit-head - \{/);
  expect(readHeads(messages.join('\n'))).toEqual(written);
});

test('a syslog server whose certificate is not trusted receives nothing', async ({ runtime, syslog }) => {
  const { port } = syslog;
  const publish = syslogSink({ host: 'localhost', port }).publish([]);
  await expect(publish).rejects.toThrow(/self-signed certificate/);
  await createHeadPublisher(runtime, { box: undefined, sinks: [syslogSink({ host: 'localhost', port })] })();
  expect(syslog.received).toEqual([]);
});

test('the private key is sealed once there is a key for secrets, and former public keys stay', async ({
  runtime: { database },
  clock,
}) => {
  const box = createSecretBox([Buffer.alloc(32, 7)]);
  const clear = await openAuditKey(database, undefined);
  expect((await openAuditKey(database, undefined)).keyId).toBe(clear.keyId);
  clock.advance(1);
  const sealed = await openAuditKey(database, box);
  expect(sealed.keyId).not.toBe(clear.keyId);
  expect((await openAuditKey(database, box)).keyId).toBe(sealed.keyId);
  const rows = await outsideTenants(database, listAuditKeys);
  expect(rows.map(({ privateKey }) => privateKey.includes('PRIVATE KEY'))).toEqual([false, true]);
  const keys = readPublicKeyPem(await readPublicKeys(database));
  expect(keys.map(({ keyId }) => keyId)).toEqual([sealed.keyId, clear.keyId]);
});
