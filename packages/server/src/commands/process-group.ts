import { readFileSync } from 'node:fs';

/** A process that leads a group of its own. Its number may become another's; the moment it started stays its own. */
export type GroupLeader = { readonly pid: number; readonly startTicks: string };

/** When the process started, in ticks since the machine did, or undefined when there is none. */
export function startTicksOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in parentheses and may hold anything; the start is the 22nd field, 19 after the state.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/**
 * Signals all processes of the group, unless its number belongs to somebody else by now. The number of a leader that
 * is gone is not given away while its group has members.
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
