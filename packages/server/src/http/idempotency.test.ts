import { expect } from 'vitest';
import { test } from '../testing/app.fixture.ts';
import { openOwner } from '../testing/database-owner.fixture.ts';

test('an answer that no standby has is not repeated', async ({ runtime, client }) => {
  const { pool } = runtime.database;
  const owner = await openOwner(pool.options.connectionString ?? '');
  const send = () => client('admin').post('/stations', { name: 'Kobe' }, { 'idempotency-key': 'k-1' });
  await owner.set('synchronous_commit = on');
  await expect.poll(() => pool.totalCount).toBe(0);

  for (const _ of ['at first', 'and when it is sent again']) {
    const sent = send();
    await expect.poll(owner.waitingForStandby).toBe(1);
    await owner.endWaiting();
    expect((await sent).json()).toMatchObject({ status: 503, code: 'outcome-unknown' });
  }
  await owner.reset('synchronous_commit');
  await expect.poll(() => pool.totalCount).toBe(0);
  expect([(await send()).body, (await send()).body]).toEqual(['2', '2']);
  await owner.close();
});
