import type { ChildProcess } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The process that is number 1 in a machine, once it runs `program`: a child of systemd-nspawn. */
export function initOf({ pid, exitCode }: ChildProcess, program: string): number | undefined {
  if (exitCode !== null) throw new Error(`systemd-nspawn ended with ${exitCode}`);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const found = children.find((child) => child !== '' && isInit(child, program));
  return found === undefined ? undefined : Number(found);
}

function isInit(pid: string, program: string): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return /^NSpid:.*\t1$/m.test(status) && basename(readlinkSync(`/proc/${pid}/exe`)) === program;
  } catch {
    // It has ended in the meantime.
    return false;
  }
}

/** Tries until there is a value. */
export async function poll<Value>(
  attempt: () => Value | undefined | Promise<Value | undefined>,
  timeoutMs: number,
  failed: () => Error,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const value = await attempt();
    if (value !== undefined) return value;
    await sleep(200);
  }
  throw failed();
}
