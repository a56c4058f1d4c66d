import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program in the background that can be killed, suspended and started again. */
export type Daemon = {
  /** Process id; 0 while it does not run. */
  pid(): number;
  start(): void;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
  /** Everything it has printed, for the message of a failure. */
  log(): Promise<string>;
};

export type Owner = { uid?: number; gid?: number };

export type DaemonSettings = {
  name: string;
  program: string;
  args: readonly string[];
  /** Working directory, home and place of the log. */
  folder: string;
  owner: Owner;
};

export function createDaemon({ name, program, args, folder, owner }: DaemonSettings): Daemon {
  const logFile = join(folder, `${name}.log`);
  let child: ReturnType<typeof spawn> | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    pid: () => (isRunning() ? (child?.pid ?? 0) : 0),
    start: () => {
      const output = openSync(logFile, 'a', 0o666);
      child = spawn(program, args, {
        ...owner,
        cwd: folder,
        // The guard of a run finds processes by this temporary folder.
        env: { PATH: `${process.env['PATH']}:/usr/sbin`, TMPDIR: tmpdir(), HOME: folder, LC_ALL: 'C.UTF-8' },
        stdio: ['ignore', output, output],
      });
      closeSync(output);
    },
    kill: async () => {
      if (!child || !isRunning()) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    log: () => readFile(logFile, 'utf8').catch(() => ''),
  };
}
