import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';
import { forgetRestingAlarms } from '../../upkeep/forget-resting-alarms.ts';
import type { Actor } from '../decide/alarm-command.ts';
import { createAlarmWriter } from '../write/alarm-writer.ts';
import { listAlarms } from './alarm.store.ts';
import { forgetRestingAlarms as forgetSome } from './recent-alarm.store.ts';

const actor: Actor = { name: 'Ada', subject: 'user:1', userId: 1, stationIds: undefined };

function plantOf(runtime: Runtime) {
  const { submit } = createAlarmWriter(runtime);
  return {
    post: (path: string, raised: boolean) =>
      submit(1, { kind: 'post', actor, body: { path, raised, eventCondition: { resettable: true } } }),
    acknowledge: (tagId: number) => submit(1, { kind: 'acknowledge', actor, tagId }),
    listed: () =>
      readTenant(runtime.database, 1, async (transaction) => {
        const page = { offset: 0, limit: 100, descending: false };
        const { records } = await listAlarms(transaction, { inactiveMasked: false }, page);
        return records.map(({ definition }) => definition.path);
      }),
    recent: () =>
      readTenant(runtime.database, 1, async ({ client }) => {
        const { rows } = await client.query<{ id: number }>(
          'select tag_id as id from recent_alarms order by 1',
        );
        return rows.map(({ id }) => id);
      }),
  };
}

const day = 86_400;

test('alarms that have been at rest for a day are forgotten, and listed again when they are raised', async ({
  runtime,
  clock,
}) => {
  const { post, acknowledge, listed, recent } = plantOf(runtime);
  for (const path of ['Pump', 'Fan', 'Valve']) await post(path, true);
  await post('Sensor', false);
  for (const path of ['Pump', 'Fan']) await post(path, false);
  await acknowledge(1);
  expect(await listed()).toEqual(['Fan', 'Valve']);
  expect(await recent()).toEqual([1, 2, 3]);

  clock.advance(day - 1);
  await forgetRestingAlarms(runtime);
  expect(await recent()).toEqual([1, 2, 3]);
  clock.advance(2);
  await forgetRestingAlarms(runtime);
  expect(await recent()).toEqual([2, 3]);
  expect(await listed()).toEqual(['Fan', 'Valve']);

  await post('Pump', true);
  expect(await listed()).toEqual(['Pump', 'Fan', 'Valve']);
});

test('an alarm that is raised while it is being forgotten is listed', async ({ runtime, clock }) => {
  const { post, acknowledge, listed } = plantOf(runtime);
  await post('Pump', true);
  await acknowledge(1);
  await post('Pump', false);
  clock.advance(2 * day);

  let raised: Promise<unknown> | undefined;
  await inTenant(runtime.database, 1, async (transaction) => {
    expect(await forgetSome(transaction, clock.now(), 10)).toBe(1);
    raised = post('Pump', true);
    expect(await Promise.race([raised, sleep(200, 'waits')])).toBe('waits');
  });
  await raised;
  expect(await listed()).toEqual(['Pump']);
});

test('an alarm that is being raised is not forgotten', async ({ runtime, clock }) => {
  const { post, acknowledge, listed, recent } = plantOf(runtime);
  await post('Pump', true);
  await acknowledge(1);
  await post('Pump', false);
  clock.advance(2 * day);

  await inTenant(runtime.database, 1, async ({ client }) => {
    await client.query('update alarms set state = 3 where tenant_id = 1 and tag_id = 1');
    const forgotten = inTenant(runtime.database, 1, (transaction) =>
      forgetSome(transaction, clock.now(), 10),
    );
    expect(await forgotten).toBe(0);
  });
  expect(await recent()).toEqual([1]);
  expect(await listed()).toEqual(['Pump']);
});
