import type { Runtime } from '../runtime.ts';
import { type CommandList, readCommandList } from './command-list.ts';
import { createCommandWorker } from './command-worker.ts';
import { machineUser } from './machine-user.ts';
import { startTicksOf } from './process-group.ts';
import { settleStrays } from './settle-strays.ts';

export type RunningCommands = {
  /** What to repeat: name, pause, work. */
  readonly jobs: readonly { name: string; everyMs: number; run: () => Promise<void> }[];
  stop(): Promise<void>;
};

const lookMs = 250;
const settleMs = 1_000;
const straysAtOnce = 50;

/** The list of commands, undefined when there is none, or what is wrong with it. */
export function openCommandList(
  file: string | undefined,
  log: Runtime['log'],
): { list: CommandList | undefined } | { faults: string[] } {
  if (file === undefined) return { list: undefined };
  if (startTicksOf(process.pid) === undefined) {
    return {
      faults: ['COMMANDS_FILE is set, and this system does not tell when a process started: unset it'],
    };
  }
  const read = readCommandList(file, machineUser());
  if ('list' in read) {
    log.info({ file, sha256: read.list.hash, commands: read.list.entries.length }, 'commands are on');
  }
  return read;
}

/** Runs commands from this process when there is a list. Without one it only sees to it that no run stays open. */
export function openCommands(runtime: Runtime, list: CommandList | undefined): RunningCommands {
  const settle = {
    name: 'settle command runs',
    everyMs: settleMs,
    run: () => settleStrays(runtime, straysAtOnce),
  };
  if (list === undefined) return { jobs: [settle], stop: async () => {} };
  const worker = createCommandWorker(runtime, { list, user: machineUser() });
  return {
    jobs: [settle, { name: 'run commands', everyMs: lookMs, run: () => worker.work() }],
    stop: () => worker.stop(),
  };
}
