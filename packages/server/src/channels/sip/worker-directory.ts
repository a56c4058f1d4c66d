import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The folder of this server process among those of all servers of the machine: `server-PID-TIME/call-N`. The time at which
 * the process started tells it from a later process with the same id.
 */
export type ServerDirectory = {
  readonly path: string;
  /** A new folder for one call. */
  next(): string;
};

const serverPattern = /^server-(\d+)-(\d+)$/;

/** Ends what dead servers have left in the directory, and returns the folder of this server. */
export async function openServerDirectory(directory: string): Promise<ServerDirectory> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  refuseForeign(directory);
  await endLeftOvers(directory);
  const path = join(directory, `server-${process.pid}-${startTimeOf(process.pid) ?? '0'}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  let calls = 0;
  return {
    path,
    next: () => {
      calls += 1;
      return join(path, `call-${calls}-${crypto.randomUUID().slice(0, 8)}`);
    },
  };
}

/** In a folder that others may write to, somebody could have made the directory first, and would read passwords. */
function refuseForeign(directory: string): void {
  const { uid, mode } = lstatSync(directory);
  const isOurs = uid === process.getuid?.() && (mode & 0o077) === 0;
  if (!isOurs)
    throw new Error(
      `${directory} must belong to the user of this server alone (mode 700): check CALL_FOLDER`,
    );
}

export async function writePid(directory: string, pid: number): Promise<void> {
  await writeFile(join(directory, 'pid'), String(pid), { mode: 0o600 });
}

/** Time for a process to hang up its call. */
const hangUpMs = 1_500;

/**
 * Ends the baresip processes of servers that no longer run. Returns how many there were. They hang up first: a process
 * that is killed would leave the telephone ringing.
 */
export async function endLeftOvers(directory: string): Promise<number> {
  const dead = foldersIn(directory).filter((folder) => isOfDeadServer(basename(folder)));
  const calls = dead.flatMap(foldersIn).filter((call) => signalBaresip(call, 'SIGTERM'));
  const deadline = performance.now() + hangUpMs;
  while (calls.some((call) => signalBaresip(call, 0)) && performance.now() < deadline) await sleep(20);
  for (const call of calls) signalBaresip(call, 'SIGKILL');
  for (const server of dead) await rm(server, { recursive: true, force: true });
  return calls.length;
}

function isOfDeadServer(name: string): boolean {
  const [, pid, started] = serverPattern.exec(name) ?? [];
  return pid !== undefined && startTimeOf(Number(pid)) !== started;
}

/** Signals the process of a pid file, if it really is the baresip of this folder: ids of processes are used again. */
function signalBaresip(call: string, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  const pid = Number(read(join(call, 'pid')));
  if (!Number.isSafeInteger(pid) || pid <= 1 || !isBaresipOf(pid, call)) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

export function isBaresipOf(pid: number, call: string): boolean {
  const [program = '', option, folder] = read(`/proc/${pid}/cmdline`).split('\0');
  return basename(program) === 'baresip' && option === '-f' && folder === call;
}

/** The 22nd field of `/proc/PID/stat`; undefined if there is no such process. The name before it may contain spaces. */
export function startTimeOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function foldersIn(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
