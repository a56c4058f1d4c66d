import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, realpathSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type OpenRun = { users: number; close(): Promise<void> };

const guard = fileURLToPath(new URL('./run-guard.ts', import.meta.url));
const key = Symbol.for('tocsin.run');
const shared = globalThis as typeof globalThis & { [key]?: OpenRun };

/**
 * Gives a run of tests or benchmarks its own temporary folder, for this process and every process that it starts. A guard
 * process removes the folder and ends the servers, even when the run is killed. The returned function ends the run; several
 * projects of one run share one folder. With `inMemory` the folder needs no disk, if the machine has the memory: a database
 * of a test is then cloned in a tenth of the time.
 */
export function openRunFolder({ inMemory = false } = {}): () => Promise<void> {
  const run = (shared[key] ??= begin(inMemory ? memoryFolder() : tmpdir()));
  run.users += 1;
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete shared[key];
    await run.close();
  };
}

const memoryNeeded = 4 * 1024 ** 3;

/** The file system in memory, or the usual folder where it is missing or too small. */
function memoryFolder(): string {
  const folder = '/dev/shm';
  if (process.env['TMPDIR'] !== undefined || !existsSync(folder)) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= memoryNeeded ? folder : tmpdir();
}

function begin(parent: string): OpenRun {
  const before = process.env['TMPDIR'];
  const folder = realpathSync(mkdtempSync(join(parent, 'tocsin-run-')));
  // PostgreSQL runs as another user below this folder, so others may enter but not list it.
  chmodSync(folder, 0o711);
  // Its own process group, so that a signal to the run does not end the guard.
  const guardian = spawn(process.execPath, [guard, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guardian.unref();
  process.env['TMPDIR'] = folder;
  const close = async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const exited = once(guardian, 'exit');
    guardian.ref();
    guardian.stdin.end();
    await exited;
  };
  return { users: 0, close };
}
