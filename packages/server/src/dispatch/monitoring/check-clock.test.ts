import { addSeconds } from '@tocsin/domain';
import { expect } from 'vitest';
import { test } from '../testing/dispatch.fixture.ts';
import { createClockCheck } from './check-clock.ts';

test('a wrong clock is a fault until it is corrected', async ({ runtime, clock }) => {
  let ahead = 0;
  const watch = createClockCheck(runtime, () => addSeconds(clock.now(), ahead));
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
