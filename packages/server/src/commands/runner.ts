/**
 * The process that runs programs for the server. It has neither the server's settings nor its connections. When the
 * server is gone, it kills its programs and ends.
 */
import { getPriority, setPriority } from 'node:os';
import { type RunningProgram, runProgram } from './run-program.ts';
import type { FromRunner, Program, ToRunner } from './runner-messages.ts';

/** Programs yield the processor to the server, which makes calls. */
const niceness = 10;

const running = new Map<string, RunningProgram>();

/** A report that fails because the server is gone is dropped: an error would end this process before it kills its programs. */
function send(message: FromRunner): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function run(program: Program): void {
  const { key } = program;
  const started = runProgram(program, {
    onStarted: (leader) => send({ kind: 'started', key, leader }),
    onEnded: (outcome) => {
      running.delete(key);
      send({ kind: 'ended', key, outcome });
    },
  });
  if (started) running.set(key, started);
}

process.on('message', (message) => {
  const order = message as ToRunner;
  if (order.kind === 'run') run(order.program);
  else if (order.kind === 'stop') running.get(order.key)?.stop();
  else send({ kind: 'pong' });
});

process.on('disconnect', () => {
  for (const program of running.values()) program.kill();
  process.exit(0);
});

// Ignored, because the server decides when to end; a terminal sends signals to both processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

setPriority(Math.max(getPriority(), niceness));
