import { addSeconds } from '@tocsin/domain';
import { expect } from 'vitest';
import { test } from './dispatch.fixture.ts';
import { createClockWatch } from './watch-clock.ts';

test('a server whose clock is wrong says so until it is right', async ({ runtime, clock }) => {
  let ahead = 0;
  const watch = createClockWatch(runtime, () => addSeconds(clock.now(), ahead));
  await watch.run();
  expect(watch.fault()).toBeUndefined();
  ahead = 3;
  await watch.run();
  expect(watch.fault()).toBe('The clock of this server is 3.0 s ahead of that of the database');
  ahead = -7_200;
  await watch.run();
  expect(watch.fault()).toContain('7200.0 s behind');
  ahead = 1;
  await watch.run();
  expect(watch.fault()).toBeUndefined();
});
