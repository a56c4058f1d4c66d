import { expect } from 'vitest';
import { createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import { test } from '../../testing/plant.fixture.ts';
import { systemAlarms } from '../testing/system-alarms.fixture.ts';
import { type MonitorAlarm, raiseMonitorAlarms } from './raise-monitor-alarms.ts';

const leak: MonitorAlarm = { path: 'roof/leak', message: 'It rains in' };
const fire: MonitorAlarm = { path: 'roof/fire', message: 'It burns' };

test('an alarm that several servers find at the same time is raised and reset once', async ({ runtime }) => {
  const writers = Array.from({ length: 5 }, () => createAlarmWriter(runtime));
  const tell = (...wrong: MonitorAlarm[]) =>
    Promise.all(
      writers.map((writer) =>
        raiseMonitorAlarms(runtime, writer, 1, { folder: 'roof', find: async () => wrong }),
      ),
    );
  await tell(leak, fire);
  const once = { occurrences: 1, repeats: 0 };
  expect(await systemAlarms(runtime)).toMatchObject([
    { path: 'tocsin/roof/fire', message: 'It burns', state: 3, ...once },
    { path: 'tocsin/roof/leak', message: 'It rains in', state: 3, ...once },
  ]);
  await tell(leak);
  await tell(leak);
  expect(await systemAlarms(runtime)).toMatchObject([
    { state: 2, ...once },
    { state: 3, ...once },
  ]);
  await tell(leak, fire);
  expect(await systemAlarms(runtime)).toMatchObject([
    { state: 3, occurrences: 2, repeats: 0 },
    { state: 3, ...once },
  ]);
});

test('an alarm of a server that died before storing it is posted again, as a repeat', async ({ runtime }) => {
  const writer = createAlarmWriter(runtime);
  const dying = {
    submit: async (...said: Parameters<typeof writer.submit>) => {
      await writer.submit(...said);
      throw new Error('killed');
    },
  };
  const told = { folder: 'roof', find: async () => [leak] };
  await expect(raiseMonitorAlarms(runtime, dying, 1, told)).rejects.toThrow('killed');
  await raiseMonitorAlarms(runtime, writer, 1, told);
  expect(await systemAlarms(runtime)).toMatchObject([{ state: 3, occurrences: 1, repeats: 1 }]);
});
