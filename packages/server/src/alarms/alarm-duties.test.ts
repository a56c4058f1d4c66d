import { expect } from 'vitest';
import { inTenant, readTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { test } from '../testing/plant.fixture.ts';
import type { AlarmCommand } from './alarm-command.ts';
import { createAlarmWriter } from './alarm-writer.ts';
import { addStormPlant } from './storm-plant.fixture.ts';

const actor = { name: 'Olga', subject: 'user:1', userId: 1, stationIds: undefined };
const raise = (more: object = {}): AlarmCommand => ({
  kind: 'post',
  actor,
  body: { path: 'Pump', alarmDelay: 60, alarmActions: [{ type: 'CallGroup', id: 1 }], ...more },
});
const acknowledge = { kind: 'acknowledge' as const, tagId: 1, actor };
const mask = { kind: 'mask' as const, tagId: 1, actor, reason: 'work' };
const reset: AlarmCommand = { kind: 'post', actor, body: { path: 'Pump', raised: false } };

/** Writes commands as batches: the first by itself, so that those behind it gather. */
async function submitTogether(runtime: Runtime, tenantId: number, commands: readonly AlarmCommand[]) {
  const batches: number[] = [];
  const writer = createAlarmWriter(runtime, {
    onCommitted: (_tenantId, entries) => void batches.push(entries.length),
  });
  const first: AlarmCommand = { kind: 'post', actor, body: { path: 'Fan' } };
  await Promise.all([first, ...commands].map((command) => writer.submit(tenantId, command)));
  expect(batches).toEqual([1, commands.length]);
}

function dutiesOf({ database }: Runtime, tenantId: number) {
  return readTenant(database, tenantId, (transaction) =>
    transaction
      .selectFrom('duties')
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
  expect(await dutiesOf(runtime, tenantId)).toMatchObject([
    { occasion: 'raised', closedReason: 'acknowledged', closedAt: clock.now() },
  ]);
});

test('a duty whose alarm is masked and acknowledged in one batch is closed', async ({ runtime, clock }) => {
  const tenantId = await addStormPlant(runtime);
  await createAlarmWriter(runtime).submit(tenantId, raise());
  await submitTogether(runtime, tenantId, [mask, acknowledge]);
  expect(await dutiesOf(runtime, tenantId)).toMatchObject([
    { closedReason: 'acknowledged', closedAt: clock.now(), dueAt: clock.now() },
  ]);
});

test('a duty is closed for what happened first', async ({ runtime }) => {
  const tenantId = await addStormPlant(runtime);
  await createAlarmWriter(runtime).submit(tenantId, raise());
  await submitTogether(runtime, tenantId, [reset, acknowledge]);
  expect(await dutiesOf(runtime, tenantId)).toMatchObject([{ closedReason: 'reset' }]);
});

test('an event is called for until it is acknowledged, though it is over at once', async ({ runtime }) => {
  const tenantId = await addStormPlant(runtime);
  const event = raise({ eventCondition: { transitory: true } });
  await submitTogether(runtime, tenantId, [event, { ...acknowledge, tagId: 2 }]);
  expect(await dutiesOf(runtime, tenantId)).toMatchObject([{ closedReason: 'acknowledged' }]);
});

test('people are told what the format of the turn says, and the message where it has none', async ({
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
    client.query("select plan -> 'message' ->> 'text' as text from duties where tenant_id = $1 order by id", [
      tenantId,
    ]),
  );
  expect(plans.rows).toEqual([
    { text: 'Pump (Pump), P2: Too hot at 2026-03-01 07:00:00 {x}' },
    { text: 'Too hot' },
  ]);
});
