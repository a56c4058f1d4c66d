import { expect } from 'vitest';
import { inTenant, readTenant } from '../postgres/tenant-transaction.ts';
import { addUser, test } from '../testing/identity.fixture.ts';
import { endBreakGlassAlarms } from './end-break-glass-alarms.ts';

test('the alarm of a break-glass account lasts while it is signed in, and each log-in is a new one', async ({
  runtime,
  door,
}) => {
  await addUser(runtime, { username: 'emergency', role: 'admin' });
  const { database } = runtime;
  await inTenant(database, 1, (transaction) =>
    transaction.updateTable('users').set({ breakGlass: true }).execute(),
  );
  const enter = async () => (await door.logIn('emergency')).json<{ access_token: string }>().access_token;
  const alarms = async () => {
    await endBreakGlassAlarms(runtime);
    return readTenant(database, 1, (transaction) =>
      transaction.selectFrom('systemAlarms').select(['path', 'message', 'raised', 'version']).execute(),
    );
  };
  const token = await enter();
  const message =
    'Break-glass account emergency at the plant (emergency) was used from 203.0.113.7: find out who it was and why, then give it a new password';
  const alarm = { path: 'break-glass/1', message };
  expect(await alarms()).toEqual([{ ...alarm, raised: true, version: 1 }]);
  const again = await enter();
  expect(await alarms()).toEqual([{ ...alarm, raised: true, version: 2 }]);
  await door.post(token, '/auth/logout', {});
  expect(await alarms()).toMatchObject([{ raised: true }]);
  await door.post(again, '/auth/logout', {});
  expect(await alarms()).toEqual([{ ...alarm, raised: false, version: 3 }]);
});
