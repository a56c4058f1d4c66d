import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { addGroup, addPerson } from '../../calls/testing/people.fixture.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { test } from '../testing/dispatch.fixture.ts';
import { dispatchTo } from '../testing/simulated-dispatch.fixture.ts';
import { deliverDue } from './deliver-due.ts';
import { escalateDue } from './escalate-due.ts';
import { recoverAbandonedAttempts } from './recover-abandoned-attempts.ts';
import { sendOutbound } from './send-outbound.ts';

const pastTheLease = 11;

async function raiseForAda(admin: Client): Promise<void> {
  const ada = await addPerson(admin, 'Ada', { media: [{ kind: 'Voice', address: '+331' }] });
  const groupId = await addGroup(admin, 'Night', { userIds: [ada] });
  await admin.post('/alarms', { alarmActions: [{ type: 'CallGroup', id: groupId }] });
}

function outcomesOf({ database }: Runtime) {
  return inTenant(database, 1, (transaction) =>
    transaction.selectFrom('callAttempts').select(['outcome', 'fencingToken']).orderBy('id').execute(),
  );
}

/** Waits until another transaction waits for a lock. */
async function untilAwaited({ client }: TenantTransaction): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ waiting: boolean }>(
      `select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
         where not l.granted and a.datname = current_database()) as waiting`,
    );
    if (rows[0]?.waiting) return;
    await sleep(5);
  }
}

test('the outcome from a dispatcher that has lost its claim is ignored', async ({
  runtime,
  client,
  clock,
  world,
  dispatch,
}) => {
  await raiseForAda(client('admin'));
  await escalateDue(runtime, dispatch.configuration, 10);
  const [outbound] = await deliverDue(dispatch, 10);
  if (!outbound) throw new Error('nothing was claimed');
  clock.advance(pastTheLease);
  await recoverAbandonedAttempts(dispatchTo(runtime, world), 10);
  await sendOutbound(dispatch, outbound);
  expect(await outcomesOf(runtime)).toEqual([{ outcome: 'unknown', fencingToken: 2 }]);
});

test('a missing channel reported by a dispatcher that has lost its claim is ignored', async ({
  runtime,
  client,
  clock,
  world,
  dispatch,
}) => {
  await raiseForAda(client('admin'));
  await escalateDue(runtime, dispatch.configuration, 10);
  const { stalled } = await inTenant(runtime.database, 1, async (transaction) => {
    await transaction.client.query('select from escalations for update');
    const stalled = deliverDue(dispatchTo(runtime, world, []), 10);
    await untilAwaited(transaction);
    clock.advance(pastTheLease);
    expect(await deliverDue(dispatch, 10)).toHaveLength(1);
    return { stalled };
  });
  await stalled;
  expect(await outcomesOf(runtime)).toEqual([{ outcome: 'calling', fencingToken: 2 }]);
});
