import type { Runtime } from '../postgres/runtime.ts';
import { type CommandList, readCommandList } from './command-list.ts';
import { createCommandWorker } from './command-worker.ts';
import { machineUser } from './machine-user.ts';
import { startTicksOf } from './process-group.ts';
import { settleAbandonedRuns } from './settle-abandoned-runs.ts';

export type RunningCommands = {
  /** Jobs to repeat, each with its interval. */
  readonly jobs: readonly { name: string; everyMs: number; run: () => Promise<void> }[];
  stop(): Promise<void>;
};

const workMs = 250;
const settleMs = 1_000;
const abandonedAtOnce = 50;

/** Reads the command list; undefined if no file is set. */
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
    log.info({ file, sha256: read.list.hash, commands: read.list.entries.length }, 'commands enabled');
  }
  return read;
}

/** Runs commands if there is a list. Without one, it only settles abandoned runs. */
export function openCommands(runtime: Runtime, list: CommandList | undefined): RunningCommands {
  const settle = {
    name: 'settle command runs',
    everyMs: settleMs,
    run: () => settleAbandonedRuns(runtime, abandonedAtOnce),
  };
  if (list === undefined) return { jobs: [settle], stop: async () => {} };
  const worker = createCommandWorker(runtime, { list, user: machineUser() });
  return {
    jobs: [settle, { name: 'run commands', everyMs: workMs, run: () => worker.work() }],
    stop: () => worker.stop(),
  };
}
