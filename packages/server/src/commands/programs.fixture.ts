import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as base } from 'vitest';
import type { CommandEntry } from './command-entry.ts';
import { machineUser } from './machine-user.ts';

/** A folder with programs, which anybody may read and all may write notes to. */
export type Workshop = {
  readonly folder: string;
  /** A shell script, as what to run. */
  script(name: string, text: string): string[];
  /** What a program noted; undefined before it did. */
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
    // A file is there before what is written to it.
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

/** As whom tests run programs: a server that is root must not run them as itself. */
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

/** Waits until the answer is not undefined and not false. */
export async function until<Answer>(
  ask: () => Answer | Promise<Answer>,
  { seconds = 15 }: { seconds?: number } = {},
): Promise<NonNullable<Answer>> {
  for (let waited = 0; waited < seconds * 1_000; waited += 25) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    await sleep(25);
  }
  throw new Error('it did not come to pass');
}

/** Whether the process is there and not only waiting to be buried. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}
