import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));

/** A run that creates a folder, starts PostgreSQL and another process, prints them, and waits for its end. */
const run = `
  import { spawn } from 'node:child_process';
  import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  import { openRunFolder } from ${here('./run-folder.ts')};
  import { startCluster } from ${here('./postgres-cluster.ts')};
  const close = openRunFolder();
  const secret = mkdtempSync(join(tmpdir(), 'tocsin-secret-'));
  writeFileSync(join(secret, 'secret'), 'correct horse');
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const cluster = await startCluster();
  const postmaster = Number(readFileSync(join(cluster.folder, 'data', 'postmaster.pid'), 'utf8').split('\\n')[0]);
  console.log(JSON.stringify({ folder: tmpdir(), secret, pids: [child.pid, postmaster] }));
  process.stdin.once('data', async () => {
    await close();
    process.exit();
  });`;

type Started = { folder: string; secret: string; pids: number[] };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.for(['SIGKILL', 'SIGTERM', 'its own end'] as const)(
  'after %s nothing of a run is left, neither folders nor servers',
  { timeout: 120_000 },
  async (ending) => {
    const args = ['--conditions=source', '--input-type=module', '--eval', run];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { folder, secret, pids } = JSON.parse(line) as Started;
    expect(existsSync(secret)).toBe(true);
    expect(pids.map(isRunning)).toEqual([true, true]);
    if (ending === 'its own end') child.stdin.write('end\n');
    else child.kill(ending);
    await expect.poll(() => existsSync(folder), { timeout: 60_000 }).toBe(false);
    await expect.poll(() => pids.map(isRunning), { timeout: 60_000 }).toEqual([false, false]);
  },
);
