import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type WorkerFiles, writeWorkerFiles } from './baresip-config.ts';
import { type ControlConnection, type ControlEvent, openControl } from './control-connection.ts';
import { writePid } from './worker-directory.ts';

/** One baresip process, which carries one call. */
export type Worker = {
  command(name: string, params?: string): Promise<string | undefined>;
  /** Events, in their order. The last one has the type `GONE`: the process has ended or cannot be controlled any more. */
  onEvent(listener: (event: ControlEvent) => void): void;
  /** Lets baresip log off from the trunk, then ends it. */
  quit(): Promise<void>;
  /** Ends it at once: an INVITE that it still repeats could make a phone ring for nobody. */
  kill(): Promise<void>;
};

export const workerGone = 'GONE';

/** A worker that is not ready by then is dead; baresip goes on without its control socket if it cannot open it. */
const readyMs = 2_000;
const quitMs = 500;

/** Undefined if the process does not start. Removes its files and frees its ports when it has ended. */
export async function startWorker(directory: string, files: WorkerFiles): Promise<Worker | undefined> {
  const cleanUp = async () => {
    // Nobody may wait for this yet, so it must not reject. The next server on this machine removes what is left.
    await rm(directory, { recursive: true, force: true }).catch(() => {});
    await files.ports.release();
  };
  let child: ChildProcess | undefined;
  try {
    await writeWorkerFiles(directory, files);
    child = startProcess(directory);
    const ended = endOf(child).then(cleanUp);
    if (child.pid !== undefined) await writePid(directory, child.pid);
    return await controlled(child, files.ports.control, ended);
  } catch (error) {
    // A process without a pid file would be found by nobody.
    child?.kill('SIGKILL');
    await cleanUp();
    throw error;
  }
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

const running = new Set<ChildProcess>();
/** Calls end with this server, even if it ends without closing its channels. */
const endAll = () => {
  for (const child of running) child.kill('SIGKILL');
};

function startProcess(directory: string): ChildProcess {
  if (running.size === 0) process.once('exit', endAll);
  const child = spawn('baresip', ['-f', directory], {
    cwd: directory,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: directory },
    stdio: 'ignore',
    // A signal to the server's group, such as Ctrl+C, must not end calls before the server does.
    detached: true,
  });
  running.add(child);
  const forget = () => {
    running.delete(child);
    if (running.size === 0) process.removeListener('exit', endAll);
  };
  return child.once('exit', forget).once('error', forget);
}

async function controlled(
  child: ChildProcess,
  port: number,
  ended: Promise<void>,
): Promise<Worker | undefined> {
  const events = createEventQueue();
  const isAlive = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const onClosed = () => events.push({ type: workerGone, param: '' });
  const control = await openControl(port, { onEvent: events.push, onClosed }, { withinMs: readyMs, isAlive });
  const kill = async () => {
    control?.close();
    if (isAlive()) child.kill('SIGKILL');
    await ended;
  };
  if (control) return { ...workerOver(control, { child, ended, kill }), onEvent: events.listen };
  await kill();
  return undefined;
}

function workerOver(
  control: ControlConnection,
  { child, ended, kill }: { child: ChildProcess; ended: Promise<void>; kill: () => Promise<void> },
): Omit<Worker, 'onEvent'> {
  return {
    command: control.command,
    kill,
    quit: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return kill();
      const exited = once(child, 'exit');
      void control.command('quit');
      const timer = setTimeout(() => void child.kill('SIGKILL'), quitMs);
      await exited;
      clearTimeout(timer);
      control.close();
      await ended;
    },
  };
}

/** Keeps events until somebody listens, so that none between the start and the first listener is lost. */
function createEventQueue() {
  const waiting: ControlEvent[] = [];
  let listener: ((event: ControlEvent) => void) | undefined;
  return {
    push: (event: ControlEvent) => {
      if (listener) listener(event);
      else waiting.push(event);
    },
    listen: (added: (event: ControlEvent) => void) => {
      listener = added;
      for (const event of waiting.splice(0)) added(event);
    },
  };
}
