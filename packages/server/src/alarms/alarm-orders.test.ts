import type { RaiseAlarm } from '@tocsin/contract';
import { expect } from 'vitest';
import { test } from '../testing/plant.fixture.ts';
import type { AlarmSound } from './alarm-orders.ts';
import { type AlarmWriter, createAlarmWriter } from './alarm-writer.ts';

const actor = { name: 'engineer', subject: 'user:1', userId: 1, stationIds: undefined };
const siren = { type: 'PlaySound', parameter: 'siren.wav', flags: 2 } as const;
const post = (writer: AlarmWriter, body: RaiseAlarm) => writer.submit(1, { kind: 'post', actor, body });

test('consoles are told which sound to play for which turn of an alarm, once it is stored', async ({
  runtime,
}) => {
  const told: { tenantId: number; sounds: readonly AlarmSound[] }[] = [];
  const writer = createAlarmWriter(runtime, {
    onSounds: (tenantId, sounds) => void told.push({ tenantId, sounds }),
  });
  const alarmId = await post(writer, { path: 'boiler', alarmActions: [siren], resetActions: [siren] });
  await post(writer, { path: 'boiler', raised: true });
  await post(writer, { path: 'boiler', raised: false });
  const sound = { name: 'siren.wav', scriptId: 0, flags: 2, alarmId, stationId: 1 };
  expect(told).toEqual([
    { tenantId: 1, sounds: [{ ...sound, occasion: 'raised' }] },
    { tenantId: 1, sounds: [{ ...sound, occasion: 'reset' }] },
  ]);
});

test('a masked alarm is raised in silence', async ({ runtime }) => {
  const told: AlarmSound[] = [];
  const writer = createAlarmWriter(runtime, { onSounds: (_, sounds) => void told.push(...sounds) });
  const tagId = (await post(writer, { path: 'boiler', raised: false, alarmActions: [siren] })) as number;
  await writer.submit(1, { kind: 'mask', actor, tagId, reason: 'work' });
  await post(writer, { path: 'boiler', raised: true });
  expect(told).toEqual([]);
});
