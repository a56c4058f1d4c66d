import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLineProgram } from '../main-files.ts';

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type RunOptions = {
  readonly environment?: Record<string, string>;
  /** For standard input. */
  readonly input?: string;
  readonly folder?: string;
};

/** Starts the command line in its own process. */
export function startTocsin(
  args: readonly string[],
  { environment = {}, folder = tmpdir() }: RunOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ['--conditions=source', commandLineProgram(environment), ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: tmpdir(),
      NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache'),
      ...environment,
    },
  });
}

/** Runs the command line to its end. */
export async function runTocsin(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = startTocsin(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}
