import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../../command/command.ts';
import { CommandError } from '../../common/command-error.ts';

/** The files of a demo. */
export type DemoFolder = {
  readonly path: string;
  readonly plantFile: string;
  /** A secret of the demo: made when it is first asked for, and the same ever after. */
  secret(name: string): string;
  secretFile(name: string): string;
  /** A value that a former start has left, or undefined. */
  recall(name: string): string | undefined;
  remember(name: string, value: string): void;
  /** Lets another demo use the folder. */
  release(): void;
};

/** A demo that runs in another process. */
export type RunningDemo = { readonly url: string; readonly password: string };

/** Where the data of a user belongs, by operating system. */
export function defaultFolder(platform: string, environment: Environment, isRoot: boolean): string {
  // PostgreSQL runs as another user then, who may not enter the home of root.
  if (isRoot) return '/var/lib/tocsin-demo';
  const home = homedir();
  if (platform === 'darwin') return join(home, 'Library/Application Support/Tocsin/demo');
  if (platform === 'win32')
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData/Local'), 'Tocsin/demo');
  return join(environment['XDG_DATA_HOME'] || join(home, '.local/share'), 'tocsin/demo');
}

/** Opens the folder for one demo at a time. */
export function openDemoFolder(folder: string): DemoFolder {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: 0o711 });
  const lock = join(path, 'lock');
  takeLock(lock, path);
  const place = (name: string) => join(path, name);
  const recall = (name: string) =>
    existsSync(place(name)) ? readFileSync(place(name), 'utf8').trim() : undefined;
  const remember = (name: string, value: string) => writeFileSync(place(name), `${value}\n`, { mode: 0o600 });
  const secretFile = (name: string) => {
    if (!existsSync(place(name))) remember(name, randomBytes(32).toString('base64'));
    return place(name);
  };
  return {
    path,
    plantFile: place('plant.yaml'),
    secretFile,
    secret: (name) => readFileSync(secretFile(name), 'utf8').trim(),
    recall,
    remember,
    release: () => rmSync(lock, { force: true }),
  };
}

/** The demo that runs in a folder, or undefined. */
export function runningDemo(folder: string): RunningDemo | undefined {
  const read = (name: string) => {
    const path = join(resolve(folder), name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
  };
  const [url, password] = [read('address'), read('demo.password')];
  if (!isRunning(Number(read('lock'))) || url === undefined || password === undefined) return undefined;
  return { url, password };
}

/** The lock has the process number of its owner, so that one that was left by a crash is recognised. */
function takeLock(lock: string, path: string): void {
  for (let tries = 0; ; tries++) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || tries > 0) throw error;
    }
    const owner = Number(readFileSync(lock, 'utf8'));
    if (isRunning(owner))
      throw new CommandError(
        `A demo runs in ${path} already (process ${owner}). Use it, end it, or start another one with --dir.`,
      );
    rmSync(lock, { force: true });
  }
}

/** Whether a process with this number runs, whoever owns it. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
