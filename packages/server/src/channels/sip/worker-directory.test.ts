import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configOf } from './baresip-config.ts';
import { createPortBlocks } from './port-blocks.ts';
import { trunkOf } from './sip-settings.ts';
import { endLeftOvers, isBaresipOf, openServerDirectory, startTimeOf, writePid } from './worker-directory.ts';

const newFolder = () => mkdtemp(join(tmpdir(), 'tocsin-calls-'));
const isAlive = (pid: number) => startTimeOf(pid) !== undefined;

/** A baresip that the server of the folder has started. */
async function runBaresip(call: string): Promise<number> {
  await mkdir(call, { recursive: true });
  const ports = await createPortBlocks({ first: 15_100, last: 15_199 }).acquire('127.0.0.1');
  if (!ports) throw new Error('no ports');
  onTestFinished(() => ports.release());
  const address = { remote: '127.0.0.1', local: '127.0.0.1' };
  const trunk = trunkOf({ host: '127.0.0.1' });
  await writeFile(join(call, 'config'), configOf({ trunk, address, ports, silence: '/nowhere.wav' }));
  for (const name of ['accounts', 'contacts', 'uuid']) await writeFile(join(call, name), '');
  const child = spawn('baresip', ['-f', call], { stdio: 'ignore', detached: true });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  onTestFinished(() => void child.kill('SIGKILL'));
  await writePid(call, pid);
  await expect.poll(() => isBaresipOf(pid, call)).toBe(true);
  return pid;
}

test('calls of a server that has died are ended, and their files removed', async () => {
  const directory = await newFolder();
  const dead = join(directory, 'server-1-1');
  const pid = await runBaresip(join(dead, 'call-1'));
  expect(await endLeftOvers(directory)).toBe(1);
  await expect.poll(() => isBaresipOf(pid, join(dead, 'call-1'))).toBe(false);
  expect(existsSync(dead)).toBe(false);
});

test('calls of a server that lives are left alone', async () => {
  const directory = await newFolder();
  const { path } = await openServerDirectory(directory);
  const pid = await runBaresip(join(path, 'call-1'));
  expect(await endLeftOvers(directory)).toBe(0);
  expect(isAlive(pid)).toBe(true);
});

test('a process that has got the id of a dead call is never killed', async () => {
  const directory = await newFolder();
  const call = join(directory, 'server-1-1', 'call-1');
  await mkdir(call, { recursive: true });
  const other = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void other.kill());
  await once(other, 'spawn');
  for (const pid of [other.pid ?? 0, process.pid, 1, 0, -1, Number.NaN]) {
    await mkdir(call, { recursive: true });
    await writeFile(join(call, 'pid'), String(pid));
    expect(await endLeftOvers(directory)).toBe(0);
  }
  expect(isAlive(other.pid ?? 0)).toBe(true);
});

test('a folder that others may read is refused, because passwords are written there', async () => {
  const directory = await newFolder();
  await chmod(directory, 0o755);
  await expect(openServerDirectory(directory)).rejects.toThrow(
    'must belong to the user of this server alone',
  );
});
