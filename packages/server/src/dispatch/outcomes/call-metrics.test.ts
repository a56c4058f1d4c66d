import { expect } from 'vitest';
import { metricValue, metricValues } from '../../testing/metric-values.ts';
import { test } from '../testing/dispatch.fixture.ts';

const attempts = 'tocsin_call_attempts_total';

test('each call is counted when it is made and when its outcome is known', async ({
  registry,
  technicians,
  work,
  world,
  clock,
}) => {
  await technicians.raise();
  await work();
  expect(await metricValues(registry, attempts)).toEqual({
    '{medium="Voice",outcome="calling"}': 1,
    '{medium="Voice",outcome="accepted"}': 1,
  });

  // Ada does not acknowledge. Grace is called, and the telephone company refuses.
  world.answer = () => ({ kind: 'failed', permanent: false, blame: 'channel', reason: 'HTTP 500' });
  clock.advance(61);
  await work();
  const counts = await metricValues(registry, attempts);
  const failed = counts['{medium="Voice",outcome="failed"}'] ?? 0;
  expect(failed).toBeGreaterThan(0);
  expect(counts['{medium="Voice",outcome="calling"}']).toBe(1 + failed);
});

test('the time to the first call is measured once for an alarm, from when the call was due', async ({
  registry,
  technicians,
  work,
  world,
  clock,
}) => {
  await technicians.raise();
  clock.advance(7);
  await work();
  expect(world.sent).toHaveLength(1);
  clock.advance(61);
  await work();
  expect(world.sent.length, 'Grace is called too').toBeGreaterThan(1);
  expect(await metricValue(registry, 'tocsin_first_call_seconds_count')).toBe(1);
  expect(await metricValue(registry, 'tocsin_first_call_seconds_sum')).toBe(7);
});

test('messages about a reset are no first call', async ({ registry, technicians, client, work, world }) => {
  const { groupId } = technicians;
  const raised = await technicians.raise({
    resetMessage: 'Boiler 1 is cool',
    resetActions: [{ type: 'CallGroup', id: groupId }],
  });
  await work();
  const calls = world.sent.length;
  await client('admin').post(`/alarms/${raised.json<number>()}/reset`, {});
  await work();
  expect(world.sent.length, 'people are told').toBeGreaterThan(calls);
  expect(await metricValue(registry, 'tocsin_first_call_seconds_count')).toBe(1);
});
