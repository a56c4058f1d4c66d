import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { exportJWK } from 'jose';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants } from '../../postgres/tenant-transaction.ts';
import { joinToken, signedBy, splitToken } from '../../testing/forge-token.ts';
import {
  addUser,
  type Installation,
  openInstallation,
  test as withInstallation,
} from '../../testing/identity.fixture.ts';
import { installationSecret } from './installation-secrets.ts';
import { currentSigningKey, rotateSigningKeys } from './signing-keys.ts';

/** Two servers on one database, with one clock. */
const test = withInstallation.extend(
  'houses',
  async ({ installation, runtime, clock }): Promise<readonly [Installation, Installation]> => {
    const other = await openInstallation(runtime, clock);
    onTestFinished(other.close);
    return [installation, other];
  },
);

type Tokens = { access_token: string; refresh_token: string };

const rotate = ({ database, box }: Runtime, atOnce: boolean) =>
  outsideTenants(database, (outside) => rotateSigningKeys(outside, box, { atOnce }));

const deleteKeys = ({ database }: Runtime) =>
  outsideTenants(database, (transaction) => transaction.deleteFrom('signingKeys').execute());

test('a deleted signing key is rejected on every server within thirty seconds', async ({
  runtime,
  houses,
  clock,
}) => {
  await addUser(runtime);
  const { access_token: token }: Tokens = (await houses[0].door.logIn()).json();
  for (const { door } of houses) expect((await door.get(token)).statusCode).toBe(200);
  await deleteKeys(runtime);
  clock.advance(30);
  for (const { door } of houses) expect((await door.get(token)).statusCode).toBe(401);
  const { access_token: next }: Tokens = (await houses[1].door.logIn()).json();
  clock.advance(2);
  for (const { door } of houses) expect((await door.get(next)).statusCode).toBe(200);
});

test('after an immediate rotation the former tokens are rejected within thirty seconds, and can be refreshed', async ({
  runtime,
  houses,
  clock,
}) => {
  await addUser(runtime);
  const tokens: Tokens = (await houses[0].door.logIn()).json();
  for (const { door } of houses) expect((await door.get(tokens.access_token)).statusCode).toBe(200);
  await rotate(runtime, true);
  clock.advance(30);
  for (const { door } of houses) expect((await door.get(tokens.access_token)).statusCode).toBe(401);
  const fresh: Tokens = (await houses[1].door.refresh(tokens.refresh_token)).json();
  for (const { door } of houses) expect((await door.get(fresh.access_token)).statusCode).toBe(200);
});

test('no client is refused while keys are rotated repeatedly, and the first key is deleted in the end', {
  timeout: 60_000,
}, async ({ runtime, houses, clock }) => {
  const stepSeconds = 10;
  const people = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      await addUser(runtime, { username: `user${n}` });
      const tokens: Tokens = (await houses[n % 2 === 0 ? 0 : 1].door.logIn(`user${n}`)).json();
      return { tokens, age: n * 60 };
    }),
  );
  const { kid: first } = await currentSigningKey(runtime);
  const rotateAt = new Set([60, 80, 100, 600, 1_200, 1_210]);
  const kids = new Set<unknown>();
  const refused: unknown[] = [];
  for (let second = 0; second < 2_400; second += stepSeconds) {
    const rotation = rotateAt.has(second) ? rotate(runtime, false) : undefined;
    const work = people.map(async (person, n) => {
      person.age += stepSeconds;
      if (person.age >= 840) {
        const { door } = houses[n % 2 === 0 ? 1 : 0];
        person.tokens = (await door.refresh(person.tokens.refresh_token)).json();
        person.age = 0;
      }
      const { access_token: token } = person.tokens;
      kids.add(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid);
      for (const { door } of houses) {
        const { statusCode } = await door.get(token);
        if (statusCode !== 200) refused.push({ second, n, statusCode });
      }
    });
    await Promise.all([rotation, ...work]);
    clock.advance(stepSeconds);
  }
  expect(refused).toEqual([]);
  expect(kids.size).toBeGreaterThan(2);
  const left = await outsideTenants(runtime.database, (transaction) =>
    transaction.selectFrom('signingKeys').select('kid').where('retiresAt', '>', transaction.now).execute(),
  );
  expect(left.map(({ kid }) => kid)).not.toContain(first);
});

/** All rows of all tables, as in a dump. */
async function dump({ database }: Runtime): Promise<string> {
  const client = new pg.Client({ connectionString: database.pool.options.connectionString });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  await client.end();
  return texts.join('\n');
}

/** Every private key in a plain text. */
function keysIn(text: string): KeyObject[] {
  return [...text.matchAll(/\{[^{}]*"d": ?"[^{}]*\}/g)].map(([jwk]) =>
    createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' }),
  );
}

test('a dump of the database without the secrets key cannot forge a token', async ({
  runtime,
  installation,
}) => {
  await addUser(runtime, { username: 'anna', role: 'admin' });
  const { access_token: token }: Tokens = (await installation.door.logIn()).json();
  const { header, payload, ownKey } = await splitToken(runtime, token);
  const stolen = await dump(runtime);
  expect(stolen).toContain(header['kid']);
  expect(stolen).toContain('anna at the plant');
  const forge = (key: KeyObject) =>
    joinToken({ header, payload: { ...payload, jti: 'forged' }, signature: signedBy(key) });
  const accepted = await Promise.all(
    keysIn(stolen).map(async (key) => (await installation.door.get(forge(key))).statusCode),
  );
  expect(accepted).not.toContain(200);
  expect((await installation.door.get(forge(ownKey))).statusCode, 'with the key itself').toBe(200);
  const { d = '' } = await exportJWK(ownKey);
  for (const form of [d, Buffer.from(d, 'base64url').toString('hex'), Buffer.from(d).toString('hex')])
    expect(stolen).not.toContain(form);
});

test('a key that was inserted into the database cannot sign tokens', async ({
  runtime,
  installation,
  clock,
}) => {
  await addUser(runtime);
  const { access_token: token }: Tokens = (await installation.door.logIn()).json();
  const { header, payload } = await splitToken(runtime, token);
  const own = generateKeyPairSync('ed25519');
  const [publicJwk, privateJwk] = [own.publicKey, own.privateKey].map((key) =>
    JSON.stringify(key.export({ format: 'jwk' })),
  ) as [string, string];
  const dates = { createdAt: clock.now(), retiresAt: new Date(clock.now().getTime() + 86_400_000) };
  await outsideTenants(runtime.database, async (transaction) => {
    const [kept] = await transaction.selectFrom('signingKeys').select('sealed').execute();
    await transaction
      .insertInto('signingKeys')
      .values([
        { kid: 'clear', privateJwk, publicJwk, ...dates },
        { kid: 'copied', sealed: kept?.sealed ?? null, publicJwk, ...dates },
        { kid: 'made up', sealed: Buffer.from(privateJwk), publicJwk, ...dates },
      ])
      .execute();
  });
  clock.advance(30);
  for (const kid of ['clear', 'copied', 'made up']) {
    const forged = joinToken({ header: { ...header, kid }, payload, signature: signedBy(own.privateKey) });
    expect((await installation.door.get(forged)).statusCode, kid).toBe(401);
  }
});

test('all servers share the secrets of hub and answers, and no row contains them', async ({ runtime }) => {
  for (const purpose of ['hub', 'answers'] as const) {
    const offers = ['a secret of the first server', 'a secret of the second server'];
    const [secret = '', other] = await Promise.all(
      offers.map((offered) => installationSecret(runtime, purpose, offered)),
    );
    expect(secret).toBe(other);
    expect(offers).toContain(secret);
    const stolen = await dump(runtime);
    expect(stolen).toContain('installation_secrets');
    for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
      expect(stolen).not.toContain(form);
  }
});
