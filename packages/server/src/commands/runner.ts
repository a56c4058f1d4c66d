/**
 * The process that runs programs, started by the server and talking to it alone. It has neither the server's settings
 * nor its connections. When the server is gone, it ends everything it started, and itself.
 */
import { getPriority, setPriority } from 'node:os';
import { type RunningProgram, runProgram } from './run-program.ts';
import type { FromRunner, Program, ToRunner } from './runner-messages.ts';

/** Calls go first. */
const niceness = 10;

const running = new Map<string, RunningProgram>();

function tell(message: FromRunner): void {
  if (process.connected) process.send?.(message);
}

function run(program: Program): void {
  const { key } = program;
  const started = runProgram(program, {
    onStarted: (leader) => tell({ kind: 'started', key, leader }),
    onEnded: (outcome) => {
      running.delete(key);
      tell({ kind: 'ended', key, outcome });
    },
  });
  if (started) running.set(key, started);
}

process.on('message', (message) => {
  const order = message as ToRunner;
  if (order.kind === 'run') run(order.program);
  else if (order.kind === 'stop') running.get(order.key)?.stop();
  else tell({ kind: 'pong' });
});

process.on('disconnect', () => {
  for (const program of running.values()) program.kill();
  process.exit(0);
});

// Of a key pressed in the server's terminal too: when to end is the server's to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

setPriority(Math.max(getPriority(), niceness));
