import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { type GroupLeader, signalGroup } from './process-group.ts';
import {
  bareOutcome,
  type FromRunner,
  type Program,
  type RunOutcome,
  type ToRunner,
} from './runner-messages.ts';

export type Runner = {
  run(program: Program): void;
  /** Does nothing for programs that this runner does not run. */
  stop(key: string): void;
  /** The process id of the runner, while it is running. */
  readonly pid: number | undefined;
  /** Ends the runner and all its programs. */
  close(): Promise<void>;
};

export type RunnerSettings = {
  onEnded: (key: string, outcome: RunOutcome) => void;
  log: Logger;
  /** A runner that is silent for longer counts as hung and is killed. It is pinged twice in this time. */
  silenceMs?: number;
};

/** With the extension of this file, which differs between sources and build. */
const script = fileURLToPath(new URL(`./runner${extname(import.meta.url)}`, import.meta.url));

const lost = bareOutcome('unknown', 'the runner died while the program ran');

/** Runs programs in a separate process, which is started on demand and replaced after it died. */
export function createRunner({ onEnded, log, silenceMs = 10_000 }: RunnerSettings): Runner {
  let current: RunnerProcess | undefined;
  const start = (): RunnerProcess => {
    const started = startProcess({ onEnded, log, silenceMs });
    started.child.once('exit', () => {
      if (current === started) current = undefined;
    });
    return started;
  };

  return {
    run: (program) => {
      current ??= start();
      current.running.set(program.key, undefined);
      send(current.child, { kind: 'run', program });
      if (current.child.pid === undefined) current = undefined;
    },
    stop: (key) => {
      if (current?.running.has(key)) send(current.child, { kind: 'stop', key });
    },
    get pid() {
      return current?.child.pid;
    },
    close: async () => {
      const last = current;
      if (!last) return;
      if (last.child.connected) last.child.disconnect();
      await last.ended;
    },
  };
}

type RunnerProcess = {
  readonly child: ChildProcess;
  /** The programs by key, each with its process group once the runner has reported it. */
  readonly running: Map<string, GroupLeader | undefined>;
  /** Resolves when the process is gone, its last message is read and its programs are killed. */
  readonly ended: Promise<void>;
};

function startProcess({ onEnded, log, silenceMs }: Required<RunnerSettings>): RunnerProcess {
  const running: RunnerProcess['running'] = new Map();
  const child = fork(script, { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const stopPings = pingRegularly(child, silenceMs);
  child.on('message', (received) => {
    const message = received as FromRunner;
    if (message.kind === 'started') running.set(message.key, message.leader);
    if (message.kind === 'ended' && running.delete(message.key)) onEnded(message.key, message.outcome);
  });
  child.on('error', (error) => log.error({ err: error }, 'command runner failed'));
  const finish = async () => {
    await untilDrained(child);
    stopPings();
    if (running.size > 0) log.error({ programs: running.size }, 'command runner died');
    endOrphans(running, onEnded);
  };
  const ended = finish();
  return { child, running, ended };
}

/**
 * Waits until the process is gone and its channel is read to the end. Either can come first, and the last message may
 * report a program that has just been started. A process that could not be started has neither event.
 */
async function untilDrained(child: ChildProcess): Promise<void> {
  const hasFailed = new Promise<void>((resolve) => {
    child.once('error', () => {
      if (child.pid === undefined) resolve();
    });
  });
  const hasExited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isDrained = new Promise<void>((resolve) => child.once('disconnect', () => resolve()));
  await Promise.race([hasFailed, Promise.all([hasExited, isDrained])]);
}

function endOrphans(running: RunnerProcess['running'], onEnded: RunnerSettings['onEnded']): void {
  for (const [key, leader] of running) {
    if (leader) signalGroup(leader, 'SIGKILL');
    onEnded(key, lost);
  }
  running.clear();
}

/** Pings the process, and kills it when it does not answer. Returns how to stop that. */
function pingRegularly(child: ChildProcess, silenceMs: number): () => void {
  // Process time: the clock of the plant may be set.
  let lastMessageMs = performance.now();
  child.on('message', () => {
    lastMessageMs = performance.now();
  });
  const timer = setInterval(() => {
    if (performance.now() - lastMessageMs > silenceMs) child.kill('SIGKILL');
    else send(child, { kind: 'ping' });
  }, silenceMs / 2);
  return () => clearInterval(timer);
}

/** A message that is lost because the runner is dying needs no answer: its end is reported. */
function send(child: ChildProcess, message: ToRunner): void {
  if (child.connected) child.send(message, () => {});
}
