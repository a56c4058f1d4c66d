/**
 * `node tools/run-guard.ts FOLDER`
 *
 * Waits for the end of its standard input, which is the end of the run, and cleans up: ends the processes whose temporary
 * folder is FOLDER, and removes FOLDER.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = process.argv[2] ?? '';
if (!basename(folder).startsWith('tocsin-run-')) throw new Error(`${folder} is no folder of a run`);

process.stdin.resume();
process.stdin.on('error', () => void clearUp());
process.stdin.on('close', () => void clearUp());

async function clearUp(): Promise<void> {
  // Processes that are just starting are found in the next round.
  for (let round = 0; round < 3; round++) {
    for (const pid of clusters()) end(pid, 'SIGQUIT');
    for (const pid of processes()) end(pid, 'SIGKILL');
    await sleep(200);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  process.exit();
}

function end(pid: number, signal: 'SIGQUIT' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended already.
  }
}

/** PostgreSQL overwrites its environment, so its process id is read from its data folder. */
function clusters(): number[] {
  return entries(folder).flatMap((name) => {
    const data = join(folder, name, 'data');
    const [pid, place] = text(join(data, 'postmaster.pid')).split('\n');
    const isOurs = place === data && linked(`/proc/${pid}/cwd`) === data;
    return isOurs ? [Number(pid)] : [];
  });
}

function processes(): number[] {
  return entries('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => text(`/proc/${name}/environ`).split('\0').includes(`TMPDIR=${folder}`))
    .map(Number);
}

function entries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function linked(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
