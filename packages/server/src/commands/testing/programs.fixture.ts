import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as base } from 'vitest';
import type { CommandEntry } from '../command-entry.ts';
import { machineUser } from '../machine-user.ts';

/** A folder with programs, to which every user may write. */
export type Workshop = {
  readonly folder: string;
  /** Writes a shell script and returns its argv. */
  script(name: string, text: string): string[];
  /** The content of a file that a program wrote; undefined while it is empty or missing. */
  note(name: string): string | undefined;
};

export function openWorkshop(): Workshop & { close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-commands-'));
  chmodSync(folder, 0o1777);
  return {
    folder,
    script: (name, text) => {
      const file = join(folder, name);
      writeFileSync(file, text);
      chmodSync(file, 0o755);
      return ['/bin/sh', file];
    },
    note: (name) =>
      existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') || undefined : undefined,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const test = base.extend('workshop', ({ task: _task }, { onCleanup }): Workshop => {
  const workshop = openWorkshop();
  onCleanup(workshop.close);
  return workshop;
});

/** A server that runs as root must run programs as another user. */
const someUser = machineUser().uid === 0 ? { user: 'nobody' } : {};

export function entryOf(workshop: Workshop, more: Partial<CommandEntry> & { argv: string[] }): CommandEntry {
  return {
    id: 1,
    tenantId: 1,
    params: [],
    timeoutMs: 20_000,
    cwd: workshop.folder,
    maxParallel: 4,
    ...someUser,
    ...more,
  };
}

/** Waits until `ask` returns neither undefined nor false. */
export async function until<Answer>(
  ask: () => Answer | Promise<Answer>,
  { seconds = 15 }: { seconds?: number } = {},
): Promise<NonNullable<Answer>> {
  for (let waited = 0; waited < seconds * 1_000; waited += 25) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    await sleep(25);
  }
  throw new Error('waited in vain');
}

/** What the system says of a process; undefined if it does not exist or is a zombie. */
export function statOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2) === 'Z' ? undefined : stat;
  } catch {
    return undefined;
  }
}

export const isAlive = (pid: number): boolean => statOf(pid) !== undefined;
