import { expect } from 'vitest';
import type { Runtime } from '../postgres/runtime.ts';
import { test } from '../testing/plant.fixture.ts';
import { oneServerAtATime } from './one-server-at-a-time.ts';

/** The job of one server, which runs until it is told to end. */
function startServer(runtime: Runtime) {
  const end = Promise.withResolvers<void>();
  let runs = 0;
  const run = async () => {
    runs += 1;
    await end.promise;
  };
  const job = oneServerAtATime({ name: 'sweep', everyMs: 3_600_000, run }, runtime);
  return { job, end: end.resolve, runs: () => runs };
}

test('a job does not run while another server runs it, and is tried again within a minute', async ({
  runtime,
}) => {
  const [first, second] = [startServer(runtime), startServer(runtime)];
  const running = first.job.run();
  await expect.poll(first.runs).toBe(1);
  await second.job.run();
  expect(second.runs()).toBe(0);
  expect(second.job.everyMs).toBeLessThanOrEqual(60_000);
  first.end();
  await running;

  second.end();
  await second.job.run();
  expect(second.runs()).toBe(1);
  await second.job.run();
  expect(second.runs()).toBe(1);
});

test('the job of a server that died is taken over', async ({ runtime, clock }) => {
  const [dead, other] = [startServer(runtime), startServer(runtime)];
  void dead.job.run();
  await expect.poll(dead.runs).toBe(1);
  other.end();
  await other.job.run();
  expect(other.runs()).toBe(0);
  clock.advance(301);
  await other.job.run();
  expect(other.runs()).toBe(1);
});

test('a job that fails is free for the next run', async ({ runtime }) => {
  const fail = () => Promise.reject(new Error('no connection'));
  const failing = oneServerAtATime({ name: 'sweep', everyMs: 1, run: fail }, runtime);
  await expect(failing.run()).rejects.toThrow('no connection');
  const next = startServer(runtime);
  next.end();
  await next.job.run();
  expect(next.runs()).toBe(1);
});
