import { expect } from 'vitest';
import { createConfigurationCache } from '../../escalations/configuration-cache.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';
import { addStormPlant } from '../testing/storm-plant.fixture.ts';
import { createAlarmWriter } from '../write/alarm-writer.ts';
import type { AlarmCommand } from './alarm-command.ts';

const actor = { name: 'Olga', subject: 'user:1', userId: 1, stationIds: undefined };
const raise = (more: object = {}): AlarmCommand => ({
  kind: 'post',
  actor,
  body: { path: 'Pump', alarmDelay: 60, alarmActions: [{ type: 'CallGroup', id: 1 }], ...more },
});
const acknowledge = { kind: 'acknowledge' as const, tagId: 1, actor };
const mask = { kind: 'mask' as const, tagId: 1, actor, reason: 'work' };
const reset: AlarmCommand = { kind: 'post', actor, body: { path: 'Pump', raised: false } };

/** Writes a first command alone, so that the others gather in one batch behind it. */
async function submitTogether(runtime: Runtime, tenantId: number, commands: readonly AlarmCommand[]) {
  const batches: number[] = [];
  // Commands would wait for the directory, and the first one not.
  const configuration = createConfigurationCache();
  await readTenant(runtime.database, tenantId, (transaction) => configuration.readDirectory(transaction));
  const writer = createAlarmWriter(runtime, {
    configuration,
    onCommitted: (_tenantId, entries) => void batches.push(entries.length),
  });
  const first: AlarmCommand = { kind: 'post', actor, body: { path: 'Fan' } };
  await Promise.all([first, ...commands].map((command) => writer.submit(tenantId, command)));
  expect(batches).toEqual([1, commands.length]);
}

function escalationsOf({ database }: Runtime, tenantId: number) {
  return readTenant(database, tenantId, (transaction) =>
    transaction
      .selectFrom('escalations')
      .select(['occasion', 'closedReason', 'closedAt', 'dueAt'])
      .where('tenantId', '=', tenantId)
      .orderBy('id')
      .execute(),
  );
}

test('nobody is called for an alarm that was raised and acknowledged in one batch', async ({
  runtime,
  clock,
}) => {
  const tenantId = await addStormPlant(runtime);
  await submitTogether(runtime, tenantId, [raise(), { ...acknowledge, tagId: 2 }]);
  expect(await escalationsOf(runtime, tenantId)).toMatchObject([
    { occasion: 'raised', closedReason: 'acknowledged', closedAt: clock.now() },
  ]);
});

test('an escalation whose alarm is masked and acknowledged in one batch is closed', async ({
  runtime,
  clock,
}) => {
  const tenantId = await addStormPlant(runtime);
  await createAlarmWriter(runtime).submit(tenantId, raise());
  await submitTogether(runtime, tenantId, [mask, acknowledge]);
  expect(await escalationsOf(runtime, tenantId)).toMatchObject([
    { closedReason: 'acknowledged', closedAt: clock.now(), dueAt: clock.now() },
  ]);
});

test('the first change that closes an escalation is its reason', async ({ runtime }) => {
  const tenantId = await addStormPlant(runtime);
  await createAlarmWriter(runtime).submit(tenantId, raise());
  await submitTogether(runtime, tenantId, [reset, acknowledge]);
  expect(await escalationsOf(runtime, tenantId)).toMatchObject([{ closedReason: 'reset' }]);
});

test('people are called for a transitory alarm until it is acknowledged', async ({ runtime }) => {
  const tenantId = await addStormPlant(runtime);
  const event = raise({ eventCondition: { transitory: true } });
  await submitTogether(runtime, tenantId, [event, { ...acknowledge, tagId: 2 }]);
  expect(await escalationsOf(runtime, tenantId)).toMatchObject([{ closedReason: 'acknowledged' }]);
});

test('people get the text of the format of the occasion, or the message if it has none', async ({
  runtime,
}) => {
  const tenantId = await addStormPlant(runtime);
  await inTenant(runtime.database, tenantId, ({ client }) =>
    client.query("update stations set time_zone = 'Europe/Paris' where tenant_id = $1", [tenantId]),
  );
  const call = [{ type: 'CallGroup' as const, id: 1 }];
  const formats = { alarmFormat: '{name} ({path}), P{priority}: {message} at {time} {x}', ackFormat: '' };
  const body = {
    priority: 2,
    alarmMessage: 'Too hot',
    ackActions: call,
    ...formats,
  };
  await submitTogether(runtime, tenantId, [raise(body), { ...acknowledge, tagId: 2 }]);
  const plans = await readTenant(runtime.database, tenantId, ({ client }) =>
    client.query(
      "select plan -> 'message' ->> 'text' as text from escalations where tenant_id = $1 order by id",
      [tenantId],
    ),
  );
  expect(plans.rows).toEqual([
    { text: 'Pump (Pump), P2: Too hot at 2026-03-01 07:00:00 {x}' },
    { text: 'Too hot' },
  ]);
});
