import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultFolder, openDemoFolder, runningDemo } from './demo-folder.ts';
import { findPort } from './find-port.ts';

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'tocsin-demo-folder-')), 'demo');

test('two demos do not share a folder', () => {
  const path = newFolder();
  const folder = openDemoFolder(path);
  expect(() => openDemoFolder(path)).toThrow(`A demo runs in ${path} already (process ${process.pid})`);
  folder.release();
  openDemoFolder(path).release();
});

test('the lock of a demo that was killed is taken over', () => {
  const path = newFolder();
  openDemoFolder(path).release();
  // No process has this number: it is above the largest that Linux gives.
  writeFileSync(join(path, 'lock'), '99999999');
  expect(() => openDemoFolder(path)).not.toThrow();
});

test('a secret is made once, and only its owner can read it', () => {
  const folder = openDemoFolder(newFolder());
  const secret = folder.secret('phones.secret');
  expect(Buffer.from(secret, 'base64')).toHaveLength(32);
  expect(folder.secret('phones.secret')).toBe(secret);
  expect(statSync(folder.secretFile('phones.secret')).mode & 0o077).toBe(0);
});

test('a demo that runs is found, and one that has ended is not', () => {
  const folder = openDemoFolder(newFolder());
  folder.secret('demo.password');
  expect(runningDemo(folder.path)).toBeUndefined();
  folder.remember('address', 'http://127.0.0.1:8080');
  expect(runningDemo(folder.path)).toMatchObject({ url: 'http://127.0.0.1:8080' });
  folder.release();
  expect(runningDemo(folder.path)).toBeUndefined();
});

test('the data is where the operating system keeps the data of users', () => {
  expect(defaultFolder('linux', { XDG_DATA_HOME: '/data' }, false)).toBe('/data/tocsin/demo');
  expect(defaultFolder('linux', {}, false)).toMatch(/\.local\/share\/tocsin\/demo$/);
  expect(defaultFolder('darwin', {}, false)).toMatch(/Library\/Application Support\/Tocsin\/demo$/);
  expect(defaultFolder('linux', {}, true)).toBe('/var/lib/tocsin-demo');
});

test('a port that somebody else uses is passed over', async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
  });
  onTestFinished(() => void other.close());
  const found = await findPort(port);
  expect(found).not.toBe(port);
  expect(found).toBeGreaterThan(0);
});
