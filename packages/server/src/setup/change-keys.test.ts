import pg from 'pg';
import { pino } from 'pino';
import { expect } from 'vitest';
import { listAuditKeys } from '../audit/audit-key.store.ts';
import { openAuditKey } from '../audit/audit-keys.ts';
import { channelStore } from '../channels/channel.store.ts';
import { openSecrets, toNewChannel } from '../channels/channel.wire.ts';
import { installationSecret } from '../identity/tokens/installation-secrets.ts';
import { currentSigningKey } from '../identity/tokens/signing-keys.ts';
import { createTenant } from '../people/create-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants, readTenant } from '../postgres/tenant-transaction.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { trailOf } from '../testing/audit.fixture.ts';
import { test } from '../testing/plant.fixture.ts';
import { reseal, rotateKeys } from './change-keys.ts';
import { openSecretBox } from './open-secret-box.ts';

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
  const { keyId } = await openAuditKey(runtime.database, before.box);
  const id = await inTenant(runtime.database, tenantId, (transaction) =>
    channelStore.insert(transaction, toNewChannel(mailer, { box: before.box, tenantId })),
  );

  await expect(open(runtime, newKey)).rejects.toThrow(/SECRETS_KEY_FILE/);
  expect(await reseal(configOf(runtime, `${newKey}\n${oldKey}`), silent)).toBe(4);
  const after = await open(runtime, newKey);
  expect((await currentSigningKey(after)).kid).toBe(kid);
  expect(await installationSecret(after, 'hub', 'another')).toBe(secret);
  expect((await openAuditKey(runtime.database, after.box)).keyId).toBe(keyId);
  const row = await readTenant(runtime.database, tenantId, (transaction) =>
    channelStore.find(transaction, id, { forUpdate: false }),
  );
  expect(row && openSecrets(row, { box: after.box, tenantId })).toEqual(mailer.secrets);
  await expect(open(runtime, oldKey)).rejects.toThrow(/SECRETS_KEY_FILE/);
});

test('a new key signs after a minute, and the former one until then', async ({ runtime, clock }) => {
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

const signingKeys = ({ database }: Runtime) =>
  outsideTenants(database, (outside) =>
    outside.selectFrom('signingKeys').select('kid').orderBy('createdAt').execute(),
  );

test('the trail of every tenant records a rotation and a reseal, and no secret', async ({
  runtime,
  clock,
}) => {
  clock.set(new Date().toISOString());
  const other = await createTenant(runtime, { name: 'Elsewhere' });
  const before = await open(runtime, oldKey);
  await installationSecret(before, 'hub', 'a secret of the hub');
  const config = configOf(runtime, `${newKey}\n${oldKey}`);
  await rotateKeys(config, silent, []);
  await rotateKeys(config, silent, ['--audit']);
  await reseal(config, silent);
  await rotateKeys(config, silent, ['--now']);
  const kids = (await signingKeys(runtime)).map(({ kid }) => kid);
  const [newest, former] = await outsideTenants(runtime.database, listAuditKeys);
  for (const tenantId of [1, other]) {
    const [, plain, withAudit, resealed, now, ...more] = await trailOf(runtime, tenantId);
    expect(more).toEqual([]);
    const act = { actor: { kind: 'system', id: '' }, object: { kind: 'keys', id: '' } };
    expect(plain).toMatchObject({ ...act, action: 'keys.rotate', after: { atOnce: false } });
    expect(plain?.after).not.toHaveProperty('auditKey');
    expect(withAudit).toMatchObject({ ...act, after: { auditKey: former?.keyId, hubAndAnswers: false } });
    expect(resealed).toMatchObject({ ...act, action: 'keys.reseal', after: { auditKeys: 1, channels: 0 } });
    const after = { atOnce: true, signingKey: kids[0], auditKey: newest?.keyId, hubAndAnswers: true };
    expect(now).toMatchObject({ ...act, action: 'keys.rotate', after });
  }
  const trail = JSON.stringify(await trailOf(runtime));
  for (const secret of [oldKey, newKey, 'a secret of the hub', 'PRIVATE'])
    expect(trail).not.toContain(secret);
});

test('keys are neither rotated nor resealed if the trail cannot record it', async ({ runtime, clock }) => {
  clock.set(new Date().toISOString());
  const { kid } = await currentSigningKey(await open(runtime, oldKey));
  const owner = new pg.Client({ connectionString: runtime.database.pool.options.connectionString });
  await owner.connect();
  await owner.query('alter table audit_entries add constraint full_disk check (false) not valid');
  await owner.end();
  const config = configOf(runtime, `${newKey}\n${oldKey}`);
  for (const args of [[], ['--audit'], ['--now']])
    await expect(rotateKeys(config, silent, args)).rejects.toThrow('full_disk');
  await expect(reseal(config, silent)).rejects.toThrow('full_disk');
  expect(await signingKeys(runtime)).toEqual([{ kid }]);
  expect(await outsideTenants(runtime.database, listAuditKeys)).toEqual([]);
  await open(runtime, oldKey);
});

test('the former keys of the audit trail can no longer sign', async ({ runtime }) => {
  const config = configOf(runtime, oldKey);
  const { box, database } = await open(runtime, oldKey);
  const first = await openAuditKey(database, box);
  await rotateKeys(config, silent, ['--audit']);
  const second = await openAuditKey(database, box);
  expect(second.keyId).not.toBe(first.keyId);
  const rows = await outsideTenants(database, listAuditKeys);
  const kept = rows.map(({ keyId, privateKey }) => [keyId, privateKey.length > 0]);
  expect(Object.fromEntries(kept)).toEqual({ [first.keyId]: false, [second.keyId]: true });
  await rotateKeys(config, silent, []);
  expect((await openAuditKey(database, box)).keyId).toBe(second.keyId);
});
