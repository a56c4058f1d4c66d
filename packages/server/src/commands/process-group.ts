import { readFileSync } from 'node:fs';

/** The leader of a process group. Its id may be reused by another process, which then has another start time. */
export type GroupLeader = { readonly pid: number; readonly startTicks: string };

/** The start time of a process in clock ticks since boot; undefined if there is no such process. */
export function startTicksOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain anything. The start time is field 22, 19 after the state.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/**
 * Signals all processes of the group, unless its id now belongs to another process. The id of a leader that has ended is
 * not reused while its group has members.
 */
export function signalGroup({ pid, startTicks }: GroupLeader, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  const present = startTicksOf(pid);
  if (present !== undefined && present !== startTicks) return false;
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
