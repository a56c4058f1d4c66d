import { expect } from 'vitest';
import { createAlarmWriter } from '../alarms/write/alarm-writer.ts';
import { expectRebuilt, readRawHistory } from '../history/testing/recount.fixture.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/plant.fixture.ts';
import { dropOldMonths } from './drop-old-months.ts';
import { ada, liveThroughYear, machine, makePartitionsOfYear } from './testing/year.fixture.ts';

const firstMonth = async ({ database }: Runtime) =>
  (await readTenant(database, 1, readRawHistory)).occurrences[0]?.raisedAt.toISOString().slice(0, 7);

test('an alarm that stays active for years keeps neither months nor other tenants, and loses nothing', async ({
  runtime,
  clock,
}) => {
  const { submit } = createAlarmWriter(runtime);
  await makePartitionsOfYear(runtime);
  clock.set('2025-01-10T12:00:00Z');
  await submit(1, {
    kind: 'post',
    actor: machine,
    body: { path: 'Leak', alarmMessage: 'Water in the shaft' },
  });
  clock.advance(60);
  await submit(1, { kind: 'acknowledge', tagId: 1, actor: ada });
  await liveThroughYear(runtime, clock);
  clock.set('2026-01-15T12:00:00Z');
  expect(await dropOldMonths(runtime, 3)).toHaveLength(9);
  expect(await firstMonth(runtime)).toBe('2025-10');
  await expectRebuilt(runtime, 1);
  const leak = { raised: '2025-01-10T12:00:00.000Z', acknowledged: '2025-01-10T12:01:00.000Z' };
  expect(await readLeak(runtime)).toEqual([{ ...leak, reset: undefined, message: 'Water in the shaft' }]);

  await submit(1, { kind: 'comment', tagId: 1, comment: 'pump ordered', actor: ada });
  await submit(1, { kind: 'reset', tagId: 1, actor: ada });
  expect(await readLeak(runtime)).toMatchObject([{ ...leak, reset: '2026-01-15T12:00:00.000Z' }]);
  // It was raised before the histories begin, and is in no sum.
  await expectRebuilt(runtime, 1);

  clock.set('2026-02-15T12:00:00Z');
  expect(await dropOldMonths(runtime, 3)).toEqual(['2025-10']);
  expect(await readLeak(runtime)).toEqual([]);
  await expectRebuilt(runtime, 1);
});

async function readLeak(runtime: Runtime) {
  return readTenant(runtime.database, 1, async ({ client }) => {
    const { rows } = await client.query<
      Record<'raised_at' | 'acknowledged_at' | 'reset_at', Date | null> & { message: string }
    >(
      `select o.raised_at, o.acknowledged_at, o.reset_at, x.message from occurrences o
       join texts x on x.tenant_id = o.tenant_id and x.id = o.text_id where o.tenant_id = 1 and o.tag_id = 1
       and o.raised_at < '2025-01-11Z'`,
    );
    return rows.map(({ raised_at: raised, acknowledged_at: acknowledged, reset_at: reset, message }) => ({
      raised: raised?.toISOString(),
      acknowledged: acknowledged?.toISOString(),
      reset: reset?.toISOString(),
      message,
    }));
  });
}
