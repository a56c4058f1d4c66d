import { expect } from 'vitest';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/app.fixture.ts';
import { maxOpenCalls } from './place-call.ts';
import { addGroup, addPerson, addPhones, countCalls, endCalling } from './testing/people.fixture.ts';

/** Repeats the first call in the database. */
async function repeatFirstCall({ database }: Runtime, times: number): Promise<void> {
  await inTenant(database, 1, async ({ client }) => {
    await client.query(
      `insert into calls (tenant_id, id, kind, message, number, audio, file, requested_by, requested_at)
       select tenant_id, 1000000 + n, kind, message, number, audio, file, requested_by, requested_at
       from calls, generate_series(1, $1) as n where id = 1`,
      [times],
    );
    await client.query(
      `insert into escalations (tenant_id, occasion, call_id, station_id, priority, plan, state, opened_at, first_due_at, due_at)
       select tenant_id, occasion, 1000000 + n, station_id, priority, plan, state, opened_at, first_due_at, due_at
       from escalations, generate_series(1, $1) as n where call_id = 1`,
      [times],
    );
  });
}

test('a tenant with too many open calls by hand gets 429 until some have ended; alarms are not refused', async ({
  client,
  runtime,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada');
  const callGroupIds = [await addGroup(admin, 'Night', { userIds: [ada] })];
  const operator = client('operator');
  const call = () => operator.post('/call/users', { userIds: [ada], msgText: 'Flood' });
  expect((await call()).body).toBe('true');
  await repeatFirstCall(runtime, maxOpenCalls - 2);
  expect((await call()).body).toBe('true');

  const before = await countCalls(runtime);
  for (const refused of [await call(), await operator.post('/call/groups', { callGroupIds })]) {
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('10');
    expect(refused.json()).toMatchObject({ code: 'too-many-requests' });
  }
  expect(await countCalls(runtime)).toEqual(before);
  const actions = [{ type: 'CallGroup', id: callGroupIds[0] }];
  expect((await operator.post('/alarms', { path: 'boiler', alarmActions: actions })).statusCode).toBe(200);

  await endCalling(runtime, 'reached');
  expect((await call()).body).toBe('true');
});
