import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type OpenRun = { users: number; close(): Promise<void> };

const guard = fileURLToPath(new URL('./run-guard.ts', import.meta.url));
const key = Symbol.for('tocsin.run');
const shared = globalThis as typeof globalThis & { [key]?: OpenRun };

/**
 * Gives a run of tests or benchmarks a temporary folder of its own, in which all others are made, here and in every
 * process that it starts. Another process watches over it, so that no folder and no server stays behind, not even when
 * the run is killed. The function returned ends it; several projects of one run share one folder.
 */
export function openRunFolder(): () => Promise<void> {
  const run = (shared[key] ??= begin());
  run.users += 1;
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete shared[key];
    await run.close();
  };
}

function begin(): OpenRun {
  const before = process.env['TMPDIR'];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tocsin-run-')));
  // PostgreSQL runs as a user of its own below it. Nobody else learns what is in there.
  chmodSync(folder, 0o711);
  // A group of its own: what ends the run must not end the one that clears up after it.
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
