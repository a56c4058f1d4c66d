import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { installationSecret } from '../identity/tokens/installation-secrets.ts';
import { createVerifyingKeys, currentSigningKey } from '../identity/tokens/signing-keys.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { test } from '../testing/plant.fixture.ts';
import { rotateKeys } from './change-keys.ts';
import { openSecretBox } from './open-secret-box.ts';

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');

/** Settings of a server on the database, with a state folder of its own and no secrets key. */
function configOf({ database }: Pick<Runtime, 'database'>, more: Partial<Config> = {}): Config {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const url = database.pool.options.connectionString;
  return {
    ...readConfig({ DATABASE_URL: url, ALLOW_SUPERUSER_LOGIN: 'true' }),
    stateFolder: join(folder, 'state'),
    ...more,
  };
}

const silent = pino({ level: 'silent' });
const open = (config: Config, { database }: Runtime) => openSecretBox(config, { database, log: silent });

test('a server without a secrets key creates one that only it can read, and finds it again', async ({
  runtime,
}) => {
  const config = configOf(runtime);
  const [first, second] = await Promise.all([open(config, runtime), open(config, runtime)]);
  const { kid } = await currentSigningKey(first);
  expect((await currentSigningKey(second)).kid, 'of one that starts at the same time').toBe(kid);
  expect((await currentSigningKey(await open(config, runtime))).kid, 'after a restart').toBe(kid);
  expect(readdirSync(config.stateFolder)).toEqual(['secrets-key']);
  const file = join(config.stateFolder, 'secrets-key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
});

test('a server with another key than the others does not start, and creates none', async ({ runtime }) => {
  await currentSigningKey(await open(configOf(runtime, { secretsKey: keyOf(1) }), runtime));
  const keyless = configOf(runtime);
  await expect(open(keyless, runtime)).rejects.toThrow(/Give it the SECRETS_KEY_FILE of the servers before/);
  expect(() => readdirSync(keyless.stateFolder)).toThrow(/ENOENT/);
  const stranger = configOf(runtime, { secretsKey: keyOf(2) });
  await expect(open(stranger, runtime)).rejects.toThrow(/Give it the SECRETS_KEY_FILE of the servers before/);
  const heir = configOf(runtime, { secretsKey: `${keyOf(2)}\n${keyOf(1)}` });
  await expect(open(heir, runtime)).resolves.toBeDefined();
});

test('if the key is lost, `rotate-keys --now` creates new secrets, and the server starts', async ({
  runtime,
}) => {
  const former = await open(configOf(runtime, { secretsKey: keyOf(1) }), runtime);
  const { kid } = await currentSigningKey(former);
  await installationSecret(former, 'answers', 'a secret that is lost');
  const config = configOf(runtime);
  await rotateKeys(config, silent, ['--now']);
  const now = await open(config, runtime);
  expect((await currentSigningKey(now)).kid).not.toBe(kid);
  expect(await installationSecret(now, 'answers', 'a new secret')).toBe('a new secret');
});

test('a server that cannot store a key reports it', async ({ runtime }) => {
  const { stateFolder } = configOf(runtime);
  writeFileSync(stateFolder, 'a file where the folder should be');
  const config = configOf(runtime, { stateFolder: join(stateFolder, 'below') });
  await expect(open(config, runtime)).rejects.toThrow(/no key can be kept in STATE_FOLDER: ENOTDIR/);
});

test('secrets that an older release stored in clear are sealed at start, and stay valid', async ({
  runtime,
  clock,
}) => {
  const { database } = runtime;
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  const key = {
    kid: 'of-before',
    privateJwk: JSON.stringify(await exportJWK(privateKey)),
    publicJwk: JSON.stringify(await exportJWK(publicKey)),
    createdAt: new Date(clock.now().getTime() - 3_600_000),
    retiresAt: new Date(clock.now().getTime() + 86_400_000),
  };
  await outsideTenants(database, async (transaction) => {
    await transaction.insertInto('signingKeys').values(key).execute();
    const secret = { secret: 'a secret of before', createdAt: clock.now() };
    await transaction.insertInto('hubSecrets').values(secret).execute();
    await transaction.insertInto('answerSecrets').values(secret).execute();
  });
  const sealed = await open(configOf(runtime, { secretsKey: keyOf(1) }), runtime);
  expect(await currentSigningKey(sealed)).toEqual({
    kid: 'of-before',
    createdAt: key.createdAt,
    retiresAt: key.retiresAt,
    privateJwk: JSON.parse(key.privateJwk),
    publicJwk: JSON.parse(key.publicJwk),
  });
  expect(await createVerifyingKeys(sealed)('of-before', clock.now())).toEqual(JSON.parse(key.publicJwk));
  for (const purpose of ['hub', 'answers'] as const)
    expect(await installationSecret(sealed, purpose, 'another')).toBe('a secret of before');
  const inClear = await outsideTenants(database, async (transaction) => [
    ...(await transaction
      .selectFrom('signingKeys')
      .select('kid')
      .where('privateJwk', 'is not', null)
      .execute()),
    ...(await transaction.selectFrom('hubSecrets').select('secret').execute()),
    ...(await transaction.selectFrom('answerSecrets').select('secret').execute()),
  ]);
  expect(inClear).toEqual([]);
});
