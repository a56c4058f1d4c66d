import type { RaiseAlarm } from '@tocsin/contract';
import { expect } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { test } from '../../testing/plant.fixture.ts';
import { addStormPlant, everythingOf } from '../testing/storm-plant.fixture.ts';
import { createAlarmWriter } from '../write/alarm-writer.ts';

const actor = { name: 'PLC', subject: 'key:1', userId: undefined, stationIds: undefined };

/** Raises an alarm with such actions, in a plant whose fallback group is the second of two. */
async function raised(runtime: Runtime, body: RaiseAlarm) {
  const tenantId = await addStormPlant(runtime);
  const { database } = runtime;
  await createAlarmWriter(runtime).submit(tenantId, { kind: 'post', actor, body: { path: 'Pump', ...body } });
  const { journal, escalations } = await everythingOf(runtime, tenantId);
  const systemAlarms = await readTenant(database, tenantId, (transaction) =>
    transaction.selectFrom('systemAlarms').select(['path', 'message', 'kind', 'subject']).execute(),
  );
  type Escalation = { plan: { targets: { stages: { groupId: number }[] }[] } };
  const called = (escalations as Escalation[]).map(({ plan }) =>
    plan.targets.map(({ stages }) => stages[0]?.groupId),
  );
  return { detail: (journal[0] as { detail: string }).detail, called, systemAlarms };
}

test.for([
  [{ type: 'Fax', id: 1 }, 'an action of unknown type Fax'],
  [{ id: 1 }, 'an action without a type'],
  [{ type: 'CallGroup' }, 'a CallGroup without an id'],
  [{ type: 'CallUser', id: 0 }, 'a CallUser without an id'],
  [{ type: 'Scenario', id: 9 }, 'Scenario 9 is not there'],
] as const)(
  'an action that cannot be carried out calls the fallback group: %j',
  async ([action, fault], { runtime }) => {
    const { detail, called, systemAlarms } = await raised(runtime, { alarmActions: [action] });
    expect(detail).toBe(fault);
    expect(called).toEqual([[2]]);
    expect(systemAlarms).toEqual([
      {
        path: 'actions/1',
        kind: 'actions',
        subject: 1,
        message: expect.stringMatching(`What alarm 1 .*Pump.* asks for cannot be done: ${fault}$`) as string,
      },
    ]);
  },
);

test('an action whose call group or user is missing is reported, and the fallback is called', async ({
  runtime,
}) => {
  for (const type of ['CallGroup', 'CallUser']) {
    const { detail, called, systemAlarms } = await raised(runtime, { alarmActions: [{ type, id: 9 }] });
    expect(detail).toBe(`${type} 9 is not there`);
    expect([called.length, systemAlarms.length]).toEqual([1, 1]);
  }
});

test('the fallback group is not called when another action calls somebody', async ({ runtime }) => {
  const { detail, called } = await raised(runtime, {
    alarmActions: [{ type: 'Fax' }, { type: 'CallGroup', id: 1 }],
  });
  expect([detail, called]).toEqual(['an action of unknown type Fax', [[1]]]);
});

test('an action without a call calls nobody, and nothing is reported', async ({ runtime }) => {
  const { detail, called, systemAlarms } = await raised(runtime, { alarmActions: [{ type: 'PlaySound' }] });
  expect({ detail, called, systemAlarms }).toEqual({ detail: '', called: [], systemAlarms: [] });
});

test('an action of a reset that cannot be carried out does not call the fallback group', async ({
  runtime,
}) => {
  const { detail, called } = await raised(runtime, { resetActions: [{ type: 'CallGroup' }] });
  expect([detail, called]).toEqual(['a CallGroup without an id', []]);
});
