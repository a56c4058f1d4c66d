import type { RaiseAlarm } from '@tocsin/contract';
import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';
import { addStormPlant, everythingOf } from '../testing/storm-plant.fixture.ts';
import { type AlarmWriter, createAlarmWriter } from '../write/alarm-writer.ts';
import type { AlarmSound } from './command-orders.ts';

const actor = { name: 'engineer', subject: 'user:1', userId: 1, stationIds: undefined };
const siren = { type: 'PlaySound', parameter: 'siren.wav', flags: 2 } as const;
const post = (writer: AlarmWriter, body: RaiseAlarm) => writer.submit(1, { kind: 'post', actor, body });

test('consoles get the sounds of each occasion once it is stored', async ({ runtime }) => {
  const played: { tenantId: number; sounds: readonly AlarmSound[] }[] = [];
  const writer = createAlarmWriter(runtime, {
    onSounds: (tenantId, sounds) => void played.push({ tenantId, sounds }),
  });
  const alarmId = await post(writer, { path: 'boiler', alarmActions: [siren], resetActions: [siren] });
  await post(writer, { path: 'boiler', raised: true });
  await post(writer, { path: 'boiler', raised: false });
  const sound = { name: 'siren.wav', scriptId: 0, flags: 2, alarmId, stationId: 1 };
  expect(played).toEqual([
    { tenantId: 1, sounds: [{ ...sound, occasion: 'raised' }] },
    { tenantId: 1, sounds: [{ ...sound, occasion: 'reset' }] },
  ]);
});

test('a masked alarm is raised without a sound', async ({ runtime }) => {
  const played: AlarmSound[] = [];
  const writer = createAlarmWriter(runtime, { onSounds: (_, sounds) => void played.push(...sounds) });
  const tagId = (await post(writer, { path: 'boiler', raised: false, alarmActions: [siren] })) as number;
  await writer.submit(1, { kind: 'mask', actor, tagId, reason: 'work' });
  await post(writer, { path: 'boiler', raised: true });
  expect(played).toEqual([]);
});

const inPlant = async (runtime: Runtime, body: RaiseAlarm) => {
  const tenantId = await addStormPlant(runtime);
  const writer = createAlarmWriter(runtime);
  await writer.submit(tenantId, { kind: 'post', actor, body: { path: 'boiler', ...body } });
  const { escalations, commandRuns, callEvents } = await everythingOf(runtime, tenantId);
  return { escalations, commandRuns, sounds: callEvents.map((event) => 'sound' in event && event.sound) };
};

test('an alarm with a sound of its own also follows the scenario of its tag group', async ({ runtime }) => {
  const loud = await inPlant(runtime, { tagGroupId: 2, alarmActions: [siren] });
  expect(loud.sounds).toMatchObject([{ name: 'siren.wav' }, { name: 'siren' }]);
  const called = await inPlant(runtime, { tagGroupId: 1, alarmActions: [siren] });
  expect([called.escalations.length, called.commandRuns.length]).toEqual([1, 1]);
});

test('calls of its own, on any occasion, replace all calls of the scenario, not its programs', async ({
  runtime,
}) => {
  const { escalations, commandRuns } = await inPlant(runtime, {
    tagGroupId: 1,
    resetActions: [{ type: 'CallUser', id: 102 }],
  });
  expect([escalations.length, commandRuns.length]).toEqual([0, 1]);
});

test('a program that a mask held back starts before that of a reset in the same batch', async ({
  runtime,
}) => {
  const tenantId = await addStormPlant(runtime);
  const submit = createAlarmWriter(runtime).submit;
  const program = { type: 'ExecuteCommand', scriptId: 1 } as const;
  const programs = { actor: { ...actor, mayRunCommands: true }, kind: 'post' } as const;
  const body = { path: 'boiler', alarmActions: [program], resetActions: [program] };
  const tagId = (await submit(tenantId, { ...programs, body: { ...body, raised: false } })) as number;
  await submit(tenantId, { kind: 'mask', actor, tagId, reason: 'work' });
  await submit(tenantId, { ...programs, body: { path: 'boiler', raised: true } });
  await Promise.all([
    submit(tenantId, { kind: 'comment', actor, tagId, comment: 'the next two wait for this one' }),
    submit(tenantId, { kind: 'unmask', actor, tagId, reason: 'over' }),
    submit(tenantId, { ...programs, body: { path: 'boiler', raised: false } }),
  ]);
  const { rows } = await readTenant(runtime.database, tenantId, ({ client }) =>
    client.query<{ occasion: string }>(
      "select occasion from command_runs where status = 'queued' order by id",
    ),
  );
  expect(rows.map(({ occasion }) => occasion)).toEqual(['raised', 'reset']);
});
