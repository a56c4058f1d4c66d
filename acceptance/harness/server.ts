import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../tools/postgres-cluster.ts';
import { serverProgram } from './main-files.ts';

/** The same for all servers of an installation. */
const secretsKey = Buffer.alloc(32, 5).toString('base64');

export const firstAdmin = { username: 'admin', password: 'correct horse battery staple' };

export type Server = {
  /** Host and prefix. */
  readonly baseUrl: string;
  readonly pid: number;
  /** Its standard output and standard error so far. */
  output(): string;
  /** Sends SIGTERM, waits for the end and returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Suspends the process, or resumes it. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
};

export type ServerSettings = {
  databaseUrl: string;
  basePath?: string;
  environment?: Record<string, string>;
  /** The main file of another release; by default that of this one. */
  program?: string;
};

/** Starts a server in its own process and waits until it is ready. */
export async function startServer({
  databaseUrl,
  basePath = '',
  environment = {},
  program = serverProgram(environment),
}: ServerSettings): Promise<Server> {
  const port = environment['PORT'] === undefined ? await freePort() : Number(environment['PORT']);
  const child = spawn(process.execPath, ['--conditions=source', program], {
    env: {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: tmpdir(),
      // Hundreds of servers start in a run; with the cache each takes half of the processor time.
      NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache'),
      DATABASE_URL: databaseUrl,
      ALLOW_SUPERUSER_LOGIN: 'true',
      PORT: String(port),
      HOST: '127.0.0.1',
      ADMIN_PORT: '0',
      BASE_PATH: basePath,
      LOG_LEVEL: 'warn',
      FIRST_ADMIN_USERNAME: firstAdmin.username,
      FIRST_ADMIN_PASSWORD_FILE: await secretFile(firstAdmin.password),
      SECRETS_KEY_FILE: await secretFile(secretsKey),
      RATE_LIMIT_PER_SECOND: '100000',
      INTAKE_LIMIT_PER_SECOND: '100000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const server: Server = {
    baseUrl: `http://127.0.0.1:${port}${basePath}`,
    pid: child.pid ?? 0,
    output: () => output,
    stop: () => end(child, 'SIGTERM'),
    kill: async () => void (await end(child, 'SIGKILL')),
    signal: (name) => void child.kill(name),
  };
  try {
    await untilReady(server, child);
  } catch (error) {
    // A server that is only slow would keep the port and run for ever.
    await server.kill();
    throw error;
  }
  return server;
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

async function untilReady({ baseUrl, output }: Server, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output()}`);
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error(`the server is not ready after 90 s:\n${output()}`);
}

export async function secretFile(secret: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-secret-'));
  const file = join(folder, 'secret');
  await writeFile(file, secret, { mode: 0o400 });
  return file;
}

/** Creates another tenant with the command of the server. */
export async function addTenant(
  databaseUrl: string,
  { name, admin, password }: { name: string; admin: string; password: string },
): Promise<void> {
  const passwordFile = await secretFile(password);
  await runCommand(databaseUrl, ['create-tenant', name, '--admin', admin, '--password-file', passwordFile]);
}

/** Runs a command of the server and returns its output; throws with its output if it fails. */
export async function runCommand(
  databaseUrl: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', serverProgram({}), ...args],
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        TMPDIR: tmpdir(),
        // Hundreds of servers start in a run; with the cache each takes half of the processor time.
        NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache'),
        DATABASE_URL: databaseUrl,
        ALLOW_SUPERUSER_LOGIN: 'true',
        LOG_LEVEL: 'warn',
        ...environment,
      },
    },
  );
  return stdout + stderr;
}
