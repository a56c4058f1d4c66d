import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { metricValue, metricValues } from '../testing/metric-values.ts';
import { watchDispatch } from './dispatch-metrics.ts';

test('a dispatcher that has never finished a pass is as late as its process is old', async () => {
  const registry = new Registry();
  const lastDone = new Map<string, number>();
  let fault: string | undefined = 'The dispatcher does not get to escalate';
  watchDispatch(registry, { lastDone, fault: () => fault });
  const before = performance.now() / 1_000;
  const ages = await metricValues(registry, 'tocsin_dispatch_pass_age_seconds');
  expect(Object.keys(ages)).toEqual(['{loop="escalate"}', '{loop="deliver"}']);
  expect(ages['{loop="escalate"}']).toBeGreaterThanOrEqual(before);
  expect(await metricValue(registry, 'tocsin_dispatch_healthy')).toBe(0);

  fault = undefined;
  lastDone.set('escalate', performance.now() - 3_000);
  lastDone.set('recover', performance.now());
  const later = await metricValues(registry, 'tocsin_dispatch_pass_age_seconds');
  expect(later['{loop="escalate"}']).toBeCloseTo(3, 0);
  expect(later['{loop="recover"}']).toBeLessThan(1);
  expect(await metricValue(registry, 'tocsin_dispatch_healthy')).toBe(1);
});
