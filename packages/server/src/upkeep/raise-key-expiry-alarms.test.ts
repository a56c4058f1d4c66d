import { expect } from 'vitest';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { addUser, test } from '../testing/identity.fixture.ts';
import { raiseKeyExpiryAlarms } from './raise-key-expiry-alarms.ts';

const day = 86_400;

test('a key in use raises a system alarm 30 days before it expires, until it is revoked', async ({
  runtime,
  clock,
  door,
}) => {
  await addUser(runtime, { username: 'ada', role: 'admin' });
  const createKey = async (name: string) => {
    const { access_token } = (await door.logIn('ada')).json<{ access_token: string }>();
    return (await door.post(access_token, '/apikeys', { name })).json<{ key: string }>().key;
  };
  const systemAlarms = async () => {
    await raiseKeyExpiryAlarms(runtime);
    return readTenant(runtime.database, 1, (transaction) =>
      transaction.selectFrom('systemAlarms').select(['path', 'message', 'raised']).execute(),
    );
  };
  const used = await createKey('Gateway');
  await createKey('Drawer');

  clock.advance(334 * day);
  expect((await door.post(used, '/alarms', {})).statusCode).toBe(200);
  expect(await systemAlarms()).toEqual([]);
  clock.advance(day);
  const message =
    'API key Gateway (1) is in use and expires at 2027-03-01T06:00:00 UTC: give its machine another one (replacesId: 1) and revoke this one';
  const alarm = { path: 'apikeys/1', message, raised: true };
  expect(await systemAlarms()).toEqual([alarm]);

  const { access_token } = (await door.logIn('ada')).json<{ access_token: string }>();
  expect((await door.delete(access_token, '/apikeys/1')).statusCode).toBe(204);
  expect(await systemAlarms()).toEqual([{ ...alarm, raised: false }]);
});
