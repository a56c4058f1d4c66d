import { readdirSync, readFileSync } from 'node:fs';

/** The process and its children: a postmaster and its sessions. */
export function familyOf(pid: number): number[] {
  return pid > 0 && isRunning(pid) ? [pid, ...childrenOf(pid)] : [];
}

/** False for a process that has ended and that nobody has asked for its exit code. */
export function isRunning(pid: number): boolean {
  const { state } = statusOf(pid);
  return state !== '' && state !== 'Z';
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(Number(name)).parent === parent)
    .map(Number);
}

function statusOf(pid: number): { state: string; parent: number } {
  try {
    // The name of the program is in parentheses and may contain spaces.
    const [state = '', parent] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(
      ' ',
    );
    return { state, parent: Number(parent) };
  } catch {
    return { state: '', parent: 0 };
  }
}

/** Sends a signal to each process that still exists. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended already.
    }
  }
}
