import type { Actor } from '../../alarms/decide/alarm-command.ts';
import { createAlarmWriter } from '../../alarms/write/alarm-writer.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { giveToPlainOwner } from '../../testing/plain-owner.fixture.ts';
import type { FakeClock } from '../../testing/plant.fixture.ts';

export const machine: Actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };
export const ada: Actor = { name: 'Ada', subject: 'user:1', userId: 1, stationIds: undefined };

export async function makePartitionsOfYear(runtime: Runtime): Promise<void> {
  await runtime.database.pool.query("select make_partitions('2025-01-01Z', 11)");
  await giveToPlainOwner(runtime);
}

/** A plant in which pump, fan and door failed in each month of a year and were reset within the hour. */
export async function liveThroughYear(runtime: Runtime, clock: FakeClock): Promise<void> {
  const { submit } = createAlarmWriter(runtime);
  await makePartitionsOfYear(runtime);
  for (let month = 1; month <= 12; month += 1) {
    clock.set(`2025-${String(month).padStart(2, '0')}-28T23:30:00Z`);
    for (const raised of [true, false]) {
      await Promise.all(
        ['Pump', 'Fan', 'Door'].map((path) =>
          submit(1, {
            kind: 'post',
            actor: machine,
            body: { path, raised, alarmMessage: `${path} ${month}` },
          }),
        ),
      );
      await submit(1, { kind: 'acknowledge', tagId: 1, actor: ada });
      clock.advance(2_400);
    }
  }
}
