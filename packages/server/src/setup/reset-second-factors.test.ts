import { expect } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { inShort, trailOf } from '../testing/audit.fixture.ts';
import { test } from '../testing/identity.fixture.ts';
import { arrive, setUpApp, setUpPasskey } from '../testing/second-factor.fixture.ts';
import { resetSecondFactors } from './reset-second-factors.ts';

test('an operator lets an only administrator in again who has lost every device', async ({
  runtime,
  door,
  clock,
}) => {
  // The command has a connection of its own, and with it the clock of the database.
  clock.set(new Date().toISOString());
  const config = readConfig({
    DATABASE_URL: runtime.database.pool.options.connectionString,
    ALLOW_SUPERUSER_LOGIN: 'true',
  });
  const reset = (...args: string[]) => resetSecondFactors(config, runtime.log, args);
  const boss = await arrive(runtime, door, { username: 'boss', role: 'admin' });
  await setUpApp(door, clock, boss);
  await setUpPasskey(door, boss);
  expect((await door.logIn('boss')).json()).toMatchObject({ error: 'mfa_required' });
  await reset('boss@Valmont Water');
  expect((await door.logIn('boss')).statusCode).toBe(200);
  clock.advance(5);
  expect((await door.get(boss.token)).statusCode, 'sessions end').toBe(401);
  expect((await trailOf(runtime)).map(inShort)).toContain('system second-factors.reset user');
  await expect(reset('nobody')).rejects.toThrow(/There is no user nobody/);
  await expect(reset()).rejects.toThrow(/Name one user/);
});
