import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { Program, RunOutcome } from './runner-messages.ts';
import { createRunner, type Runner } from './runner-process.ts';
import { isAlive, until, type Workshop, test as withWorkshop } from './testing/programs.fixture.ts';

const test = withWorkshop
  .extend('outcomes', () => new Map<string, RunOutcome>())
  .extend('runner', ({ outcomes }, { onCleanup }): Runner => {
    const log = pino({ level: 'silent' });
    const runner = createRunner({ onEnded: (key, outcome) => void outcomes.set(key, outcome), log });
    onCleanup(() => runner.close());
    return runner;
  });

function programOf(workshop: Workshop, key: string, text: string): Program {
  const argv = workshop.script(key, text);
  const common = { rule: undefined, parameter: '', as: undefined, within: undefined };
  return { key, argv, cwd: workshop.folder, timeoutMs: 20_000, ...common };
}

/** Keeps the event loop of this process from running meanwhile. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function blockUntil(condition: () => boolean): void {
  for (let waitedMs = 0; waitedMs < 10_000 && !condition(); waitedMs += 10) block(10);
}

/**
 * Does something in the very pass of the event loop that then looks for dead children, after it has looked for messages:
 * a child's output and its death are waiting together, and output goes first.
 */
async function beforeChildrenAreReaped(work: () => void): Promise<void> {
  const { stdout } = spawn('/bin/sh', ['-c', 'sleep 0.2; echo done'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const worked = new Promise<void>((resolve) => {
    stdout.once('data', () => {
      work();
      resolve();
    });
  });
  setImmediate(() => block(600));
  await worked;
}

test('a program whose start was reported just before the runner died does not outlive it', async ({
  workshop,
  outcomes,
  runner,
}) => {
  runner.run(programOf(workshop, 'first', 'true'));
  await until(() => outcomes.has('first'));
  const runnerId = runner.pid ?? 0;
  await beforeChildrenAreReaped(() => {
    runner.run(programOf(workshop, 'stay', 'echo $$ > pid; sleep 300'));
    blockUntil(() => workshop.note('pid') !== undefined);
    // The runner reports the start within a fraction of this time.
    block(300);
    process.kill(runnerId, 'SIGKILL');
    blockUntil(() => !isAlive(runnerId));
  });
  await until(() => outcomes.has('stay'));
  expect(outcomes.get('stay')).toMatchObject({
    status: 'unknown',
    reason: 'the runner died while the program ran',
  });
  expect(await until(() => !isAlive(Number(workshop.note('pid'))))).toBe(true);
});

test('a program that is run right after the runner died has a new runner', async ({
  workshop,
  outcomes,
  runner,
}) => {
  runner.run(programOf(workshop, 'first', 'true'));
  await until(() => outcomes.has('first'));
  const runnerId = runner.pid ?? 0;
  process.kill(runnerId, 'SIGKILL');
  await until(() => runner.pid === undefined);
  runner.run(programOf(workshop, 'second', 'true'));
  expect(await until(() => outcomes.get('second'))).toMatchObject({ status: 'done' });
  expect(runner.pid).not.toBe(runnerId);
});

test('closing the runner kills its programs', async ({ workshop, outcomes, runner }) => {
  runner.run(programOf(workshop, 'stay', 'echo $$ > pid; sleep 300'));
  const pid = Number(await until(() => workshop.note('pid')));
  await runner.close();
  expect(outcomes.get('stay')).toMatchObject({ status: 'unknown' });
  expect(await until(() => !isAlive(pid))).toBe(true);
});

test('a program that starts while the server goes away does not outlive the runner', async ({
  workshop,
  outcomes,
  runner,
}) => {
  runner.run(programOf(workshop, 'stay', 'echo $$ > pid; sleep 300'));
  // The runner reads the order when the channel is closed already, and cannot report the start any more.
  await runner.close();
  expect(outcomes.get('stay')).toMatchObject({ status: 'unknown' });
  await sleep(500);
  expect(isAlive(Number(workshop.note('pid') ?? 0))).toBe(false);
});
