import { pino } from 'pino';
import { expect } from 'vitest';
import { reseal, rotateKeys } from './change-keys.ts';
import { findChannel, insertChannel } from './channels/channel.store.ts';
import { openSecrets, toNewChannel } from './channels/channel.wire.ts';
import { type Config, readConfig } from './config.ts';
import { installationSecret } from './identity/installation-secrets.ts';
import { currentSigningKey } from './identity/signing-keys.ts';
import { openSecretBox } from './open-secret-box.ts';
import { createTenant } from './people/create-tenant.ts';
import { inTenant, readTenant } from './postgres/tenant-transaction.ts';
import type { Runtime } from './runtime.ts';
import { test } from './testing/plant.fixture.ts';

const silent = pino({ level: 'silent' });
const [oldKey, newKey] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];

const configOf = ({ database }: Runtime, secretsKey: string): Config => ({
  ...readConfig({ DATABASE_URL: database.pool.options.connectionString, ALLOW_SUPERUSER_LOGIN: 'true' }),
  secretsKey,
});
const open = (runtime: Runtime, secretsKey: string) =>
  openSecretBox(configOf(runtime, secretsKey), { database: runtime.database, log: silent });

const mailer = {
  name: 'Mail',
  kind: 'email',
  medium: 'Email',
  priority: 1,
  enabled: true,
  settings: {},
  secrets: { password: 'of the mail server' },
} as const;

test('after a reseal the new key alone opens everything, of every tenant', async ({ runtime, clock }) => {
  // The command has a connection of its own, and with it the clock of the database.
  clock.set(new Date().toISOString());
  const tenantId = await createTenant(runtime, { name: 'Elsewhere' });
  const before = await open(runtime, oldKey);
  const { kid } = await currentSigningKey(before);
  const secret = await installationSecret(before, 'hub', 'a secret of the hub');
  const id = await inTenant(runtime.database, tenantId, (transaction) =>
    insertChannel(transaction, toNewChannel(mailer, { box: before.box, tenantId })),
  );

  await expect(open(runtime, newKey)).rejects.toThrow(/SECRETS_KEY_FILE/);
  expect(await reseal(configOf(runtime, `${newKey}\n${oldKey}`), silent)).toBe(3);
  const after = await open(runtime, newKey);
  expect((await currentSigningKey(after)).kid).toBe(kid);
  expect(await installationSecret(after, 'hub', 'another')).toBe(secret);
  const row = await readTenant(runtime.database, tenantId, (transaction) =>
    findChannel(transaction, id, { forUpdate: false }),
  );
  expect(row && openSecrets(row, { box: after.box, tenantId })).toEqual(mailer.secrets);
  await expect(open(runtime, oldKey)).rejects.toThrow(/SECRETS_KEY_FILE/);
});

test('a key made by the command signs a minute later, and the former one until then', async ({
  runtime,
  clock,
}) => {
  const config = configOf(runtime, oldKey);
  const keeper = await open(runtime, oldKey);
  const { kid } = await currentSigningKey(keeper);
  clock.set(new Date().toISOString());
  const now = await currentSigningKey(keeper);
  await rotateKeys(config, silent, []);
  expect(now.kid === kid).toBe(false);
  expect((await currentSigningKey(keeper)).kid).toBe(now.kid);
  clock.set(new Date(Date.now() + 61_000).toISOString());
  expect((await currentSigningKey(keeper)).kid).not.toBe(now.kid);
  await expect(rotateKeys(config, silent, ['--soon'])).rejects.toThrow(/Unknown option/);
});
