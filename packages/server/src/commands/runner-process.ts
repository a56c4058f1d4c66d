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
  /** Does nothing for what this runner does not run. */
  stop(key: string): void;
  /** Of the runner's process, while there is one. */
  readonly pid: number | undefined;
  /** Ends the runner with all that it runs. */
  close(): Promise<void>;
};

export type RunnerSettings = {
  onEnded: (key: string, outcome: RunOutcome) => void;
  log: Logger;
  /** How long the runner may say nothing before it counts as hung, looked at as often as half of it. */
  silenceMs?: number;
};

/** As this file itself: sources are run as they are, and so is what was built from them. */
const script = fileURLToPath(new URL(`./runner${extname(import.meta.url)}`, import.meta.url));

const lost = bareOutcome('unknown', 'the runner died while the program ran');

/** Runs programs in a process of its own, which is started when it is needed and again when it died. */
export function createRunner({ onEnded, log, silenceMs = 10_000 }: RunnerSettings): Runner {
  /** What the present process runs; the leader once it has told it. */
  const running = new Map<string, GroupLeader | undefined>();
  let child: ChildProcess | undefined;
  let lastHeard = 0;

  const hear = (message: FromRunner) => {
    lastHeard = performance.now();
    if (message.kind === 'started') running.set(message.key, message.leader);
    if (message.kind === 'ended' && running.delete(message.key)) onEnded(message.key, message.outcome);
  };
  const bury = () => {
    child = undefined;
    clearInterval(watching);
    const orphans = [...running];
    running.clear();
    for (const [key, leader] of orphans) {
      if (leader) signalGroup(leader, 'SIGKILL');
      onEnded(key, lost);
    }
    if (orphans.length > 0) log.error({ programs: orphans.length }, 'command runner died');
  };
  let watching: NodeJS.Timeout | undefined;
  const living = (): ChildProcess => {
    if (child) return child;
    const born = fork(script, { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child = born;
    lastHeard = performance.now();
    born.on('message', (message) => hear(message as FromRunner));
    born.on('error', (error) => {
      log.error({ err: error }, 'command runner failed');
      // One that never lived does not die either.
      if (born.pid === undefined) bury();
    });
    born.once('exit', bury);
    watching = setInterval(() => {
      // How long a process has been silent is not the plant's time.
      if (performance.now() - lastHeard > silenceMs) born.kill('SIGKILL');
      else tell(born, { kind: 'ping' });
    }, silenceMs / 2);
    return born;
  };

  return {
    run: (program) => {
      const present = living();
      running.set(program.key, undefined);
      tell(present, { kind: 'run', program });
    },
    stop: (key) => {
      if (child && running.has(key)) tell(child, { kind: 'stop', key });
    },
    get pid() {
      return child?.pid;
    },
    close: async () => {
      const last = child;
      if (!last || last.exitCode !== null || last.signalCode !== null) return;
      const gone = new Promise((resolve) => last.once('exit', resolve));
      last.disconnect();
      await gone;
    },
  };
}

/** What cannot be told because the runner is dying is answered by its end. */
function tell(child: ChildProcess, message: ToRunner): void {
  if (child.connected) child.send(message, () => {});
}
