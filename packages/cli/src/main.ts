#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './run-command-line.ts';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

/** Signals that would end the program abort the signal from now on. */
function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

// A reader such as head that has seen enough ends the program without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

// The only place of this package that reads the environment and the clock.
const exitCode = await runCommandLine(process.argv.slice(2), version, {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  program: [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)],
  now: () => Date.now(),
  untilStopped,
});
if (exitCode !== undefined) process.exit(exitCode);
