import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { exportJWK } from 'jose';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { outsideTenants } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { putTogether, signedBy, takeApart } from '../testing/forge-token.ts';
import { addUser, type House, openHouse, test as withHouse } from '../testing/identity.fixture.ts';
import { installationSecret } from './installation-secrets.ts';
import { currentSigningKey, rotateSigningKeys } from './signing-keys.ts';

/** Two servers on one database, with one clock. */
const test = withHouse.extend(
  'houses',
  async ({ house, runtime, clock }): Promise<readonly [House, House]> => {
    const other = await openHouse(runtime, clock);
    onTestFinished(other.close);
    return [house, other];
  },
);

type Tokens = { access_token: string; refresh_token: string };

const rotate = ({ database, box }: Runtime, atOnce: boolean) =>
  outsideTenants(database, (outside) => rotateSigningKeys(outside, box, { atOnce }));

const deleteKeys = ({ database }: Runtime) =>
  outsideTenants(database, (transaction) => transaction.deleteFrom('signingKeys').execute());

test('a signing key that is deleted is dead on every server within thirty seconds', async ({
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

test('after a rotation that cannot wait the former tokens end within thirty seconds, and can be refreshed', async ({
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

test('nobody is refused while keys are rotated again and again, and the first key is gone in the end', {
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

/** All rows of all tables, as a dump has them. */
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

/** Every private key that lies in a text in clear. */
function keysIn(text: string): KeyObject[] {
  return [...text.matchAll(/\{[^{}]*"d": ?"[^{}]*\}/g)].map(([jwk]) =>
    createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' }),
  );
}

test('with all rows of the database and without the secrets key nobody can make a token', async ({
  runtime,
  house,
}) => {
  await addUser(runtime, { username: 'anna', role: 'admin' });
  const { access_token: token }: Tokens = (await house.door.logIn()).json();
  const { header, payload, ownKey } = await takeApart(runtime, token);
  const stolen = await dump(runtime);
  expect(stolen).toContain(header['kid']);
  expect(stolen).toContain('anna at the plant');
  const forge = (key: KeyObject) =>
    putTogether({ header, payload: { ...payload, jti: 'forged' }, signature: signedBy(key) });
  const accepted = await Promise.all(
    keysIn(stolen).map(async (key) => (await house.door.get(forge(key))).statusCode),
  );
  expect(accepted).not.toContain(200);
  expect((await house.door.get(forge(ownKey))).statusCode, 'with the key itself').toBe(200);
  const { d = '' } = await exportJWK(ownKey);
  for (const form of [d, Buffer.from(d, 'base64url').toString('hex'), Buffer.from(d).toString('hex')])
    expect(stolen).not.toContain(form);
});

test('nor can one who puts a key of his own into the database', async ({ runtime, house, clock }) => {
  await addUser(runtime);
  const { access_token: token }: Tokens = (await house.door.logIn()).json();
  const { header, payload } = await takeApart(runtime, token);
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
    const forged = putTogether({ header: { ...header, kid }, payload, signature: signedBy(own.privateKey) });
    expect((await house.door.get(forged)).statusCode, kid).toBe(401);
  }
});

test('the secrets of hub and answers are the same for all servers, and in no row', async ({ runtime }) => {
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
