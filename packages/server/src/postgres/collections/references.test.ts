import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { test } from '../../testing/app.fixture.ts';
import { inTenant } from '../tenant-transaction.ts';
import { missingIds } from './references.ts';

/** The caller may see every station. */
const stationIds = undefined;

test('missing ids are returned once each', async ({ client, runtime }) => {
  await client('admin').post('/users', { username: 'anna' });
  const missing = await inTenant(runtime.database, 1, async (transaction) => [
    await missingIds(transaction, 'users', { ids: [4, 1, 9, 4], stationIds }),
    await missingIds(transaction, 'callGroupGroupings', { ids: [1], stationIds }),
    await missingIds(transaction, 'users', { ids: [], stationIds }),
  ]);
  expect(missing).toEqual([new Set([4, 9]), new Set([1]), new Set()]);
});

test('a user who is being put on a team cannot be deleted meanwhile', async ({ client, runtime }) => {
  const admin = client('admin');
  await admin.post('/users', { username: 'anna' });
  await admin.post('/callgroups', { name: 'Mechanics' });
  const deletion = await inTenant(runtime.database, 1, async (transaction) => {
    await missingIds(transaction, 'users', { ids: [1], stationIds });
    const begun = { answer: admin.delete('/users/1') };
    const first = await Promise.race([begun.answer.then(() => 'deleted'), setTimeout(300, 'waiting')]);
    expect(first).toBe('waiting');
    await transaction
      .insertInto('callGroupTeams')
      .values({ tenantId: 1, callGroupId: 1, id: 1, name: 'Day', userIds: [1] })
      .execute();
    return begun;
  });
  expect((await deletion.answer).statusCode).toBe(409);
});
