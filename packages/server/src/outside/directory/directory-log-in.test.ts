import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createTenant } from '../../people/create-tenant.ts';
import { trailOf } from '../../testing/audit.fixture.ts';
import { makeAuthority } from '../../testing/certificates.ts';
import { addUser, goodPassword } from '../../testing/identity.fixture.ts';
import {
  annasPassword,
  person,
  personDn,
  startDirectory,
  type TestDirectory,
} from '../testing/directory.fixture.ts';
import { openOutsideApp, type People, peopleAt, test } from '../testing/outside-app.fixture.ts';

let directory: TestDirectory;
beforeAll(async () => {
  directory = await startDirectory();
});
afterAll(() => directory.close());

async function connect(people: People, more: object = {}, tenantId = 1): Promise<void> {
  const answer = await people.admin('PUT', '/directory', directory.settings(more), tenantId);
  expect(answer.statusCode, answer.body).toBe(200);
}

const refused = { error: 'invalid_grant' };

describe('a person of the directory logs in with their password there', () => {
  test.for(['ldap with StartTLS', 'ldaps'])('through %s', async (way, { people, runtime }) => {
    await connect(people, way === 'ldaps' ? { url: directory.encryptedUrl } : {});
    const answer = await people.logIn('anna', annasPassword);
    expect(answer.json()).toMatchObject({ name: 'anna of the directory', token_type: 'bearer' });
    const again = await people.logIn('ANNA', annasPassword);
    expect(again.json().id).toBe(answer.json().id);
    const users = (await people.admin('GET', `/users/${answer.json().id}`)).json();
    expect(users).toMatchObject({ username: 'anna', role: 'operator' });
    const trail = JSON.stringify(await trailOf(runtime));
    expect(trail).toContain('user.create');
    expect(trail).not.toContain(annasPassword);
    expect(trail).not.toContain('root of the directory');
  });

  test('a wrong password, an unknown name, somebody of no group, and no password at all are refused alike', async ({
    people,
  }) => {
    await connect(people);
    const attempts = [
      ['anna', 'wrong'],
      ['nobody', annasPassword],
      ['canteen', annasPassword],
    ] as const;
    for (const [name, password] of attempts)
      expect((await people.logIn(name, password)).json()).toMatchObject(refused);
    expect((await people.logIn('anna', '')).statusCode).toBe(400);
  });

  test.for(['*', 'anna*', '*)(uid=*', 'anna)(|(uid=*', '\\61nna', 'a\\2a'])(
    'the name %s is a name, and no part of a filter',
    async (name, { people }) => {
      await connect(people);
      expect((await people.logIn(name, annasPassword)).json()).toMatchObject(refused);
    },
  );

  test('several tenants: the password goes to the directory of the tenant that was named', async ({
    people,
    runtime,
  }) => {
    await createTenant(runtime, { name: 'Brenner Heat' });
    await connect(people, {}, 2);
    expect((await people.logIn('anna', annasPassword)).json()).toMatchObject(refused);
    expect((await people.logIn('anna@valmont water', annasPassword)).json()).toMatchObject(refused);
    expect((await people.logIn('anna@brenner heat', annasPassword)).statusCode).toBe(200);
    expect((await people.logIn('anna', annasPassword)).statusCode).toBe(200);
  });

  test('a user with a password here needs no directory, and is not changed by it', async ({
    people,
    runtime,
  }) => {
    await connect(people);
    await addUser(runtime, { username: 'bert', role: 'viewer' });
    expect((await people.logIn('bert', annasPassword)).json()).toMatchObject(refused);
    expect((await people.logIn('bert', goodPassword)).statusCode).toBe(200);
  });

  test('a directory that is switched off lets nobody in', async ({ people }) => {
    await connect(people, { enabled: false });
    expect((await people.logIn('anna', annasPassword)).json()).toMatchObject(refused);
  });
});

describe('a directory that cannot be trusted or reached', () => {
  test('with the certificate of another authority gets no password', async ({ people }) => {
    const { ca } = await makeAuthority('Stranger', await mkdtemp(join(tmpdir(), 'tocsin-ca-')));
    for (const url of [directory.url, directory.encryptedUrl]) {
      await connect(people, { certificate: ca, url });
      const answer = await people.logIn('anna', annasPassword);
      expect(answer.json()).toMatchObject({ code: 'unavailable' });
      const test = await people.admin('POST', '/directory/test', { username: 'anna' });
      expect(test.json()).toMatchObject({ reached: false, reason: expect.stringContaining('certificate') });
    }
  });

  test('that is stopped: users with a password here log in at once, its users get 503', async ({
    people,
    runtime,
  }) => {
    await connect(people);
    await addUser(runtime, { username: 'break-glass', role: 'admin' });
    await directory.stop();
    try {
      for (let n = 0; n < 6; n++) {
        const answer = await people.logIn('anna', annasPassword);
        expect(answer.statusCode).toBe(503);
        expect(answer.headers['retry-after']).toBe('10');
      }
      expect((await people.logIn('break-glass', goodPassword)).statusCode).toBe(200);
    } finally {
      await directory.start();
    }
    // Tries that nobody answered do not count as guesses.
    expect((await people.logIn('anna', annasPassword)).statusCode).toBe(200);
  });

  test('that accepts connections and says nothing holds up no log-in with a password here', async ({
    people,
    runtime,
  }) => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    await connect(people, { url: `ldap://127.0.0.1:${port}` });
    await addUser(runtime, { username: 'break-glass', role: 'admin' });
    const waiting = Array.from({ length: 8 }, (_, n) => people.logIn(`person ${n}`, annasPassword));
    let isAnswered = false;
    const first = Promise.race(waiting).then(() => (isAnswered = true));
    expect((await people.logIn('break-glass', goodPassword)).statusCode).toBe(200);
    expect(isAnswered).toBe(false);
    await first;
    for (const answer of await Promise.all(waiting)) expect(answer.statusCode).toBe(503);
    silent.close();
  }, 60_000);

  test('in the network of the operator is not reached without their leave', async ({ people }) => {
    await connect(people, { url: 'ldaps://10.0.0.5' });
    const test = await people.admin('POST', '/directory/test', { username: 'anna' });
    expect(test.json()).toMatchObject({ reached: false, reason: expect.stringContaining('EGRESS_ALLOW') });
  });
});

test('four wrong passwords reach the directory, from any networks and servers, then it is left alone', async ({
  people,
  runtime,
  clock,
}) => {
  await connect(people);
  const other = await openOutsideApp(runtime, clock);
  const servers = [people, peopleAt(other, runtime)];
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      servers[n % 2]?.logIn('anna', `guess ${n}`, `192.0.${n + 2}.${n + 1}`),
    ),
  );
  const statuses = answers.map((answer) => answer?.statusCode);
  // On a slow machine the directory may answer some of them too late.
  for (let n = 0; statuses.at(-1) !== 429 && n < 10; n++)
    statuses.push((await people.logIn('anna', `guess ${n}`, `192.1.${n}.1`)).statusCode);
  const wrong = statuses.filter((status) => status === 400).length;
  expect(wrong).toBeGreaterThan(0);
  expect(wrong).toBeLessThanOrEqual(4);
  expect(statuses.filter((status) => status !== 400 && status !== 503)).not.toContain(200);
  expect((await people.logIn('anna', annasPassword, '192.0.99.1')).statusCode).toBe(429);
  clock.advance(900);
  expect((await people.logIn('anna', annasPassword, '192.0.99.1')).statusCode).toBe(200);
  await other.close();
});

test('guesses elsewhere do not keep a user out of the network they use', async ({ people }) => {
  await connect(people);
  expect((await people.logIn('anna', annasPassword, '198.18.5.5')).statusCode).toBe(200);
  for (let n = 0; n < 6; n++) await people.logIn('anna', `guess ${n}`, `192.0.${n}.1`);
  expect((await people.logIn('anna', annasPassword, '192.0.77.1')).statusCode).toBe(429);
  expect((await people.logIn('anna', annasPassword, '198.18.5.5')).statusCode).toBe(200);
});

describe('the directory is asked again at a refresh', () => {
  const refresh = (people: People, token: string) =>
    people.form({ grant_type: 'refresh_token', refresh_token: token });
  const tokenOf = (answer: { json(): { refresh_token: string } }) => answer.json().refresh_token;

  test('a person who is removed has no session any more, at most 15 minutes later', async ({
    people,
    runtime,
    clock,
  }) => {
    await connect(people);
    const dn = personDn('erik');
    await directory.add(dn, person('erik'));
    await directory.add('cn=guests,dc=plant,dc=example', {
      objectClass: 'groupOfNames',
      cn: 'guests',
      member: dn,
    });
    await connect(people, { groupRoles: [{ group: 'cn=guests,dc=plant,dc=example', role: 'viewer' }] });
    const first = await people.logIn('erik', annasPassword);
    clock.advance(600);
    const second = await refresh(people, tokenOf(first));
    expect(second.statusCode).toBe(200);
    await directory.remove('cn=guests,dc=plant,dc=example');
    await directory.remove(dn);
    clock.advance(301);
    expect((await refresh(people, tokenOf(second))).json()).toMatchObject(refused);
    expect(await trailOf(runtime)).toContainEqual(
      expect.objectContaining({ action: 'session.revoke', reason: expect.stringContaining('directory') }),
    );
  });

  test('while it is away, sessions go on', async ({ people, clock }) => {
    await connect(people);
    const first = await people.logIn('anna', annasPassword);
    await directory.stop();
    try {
      clock.advance(1_200);
      expect((await refresh(people, tokenOf(first))).statusCode).toBe(200);
    } finally {
      await directory.start();
    }
  });
});

describe('settings of the directory', () => {
  test('a test shows what somebody would get, and the password of the search is never shown', async ({
    people,
  }) => {
    await connect(people);
    const test = await people.admin('POST', '/directory/test', { username: 'anna' });
    expect(test.json()).toEqual({
      reached: true,
      found: true,
      name: 'anna of the directory',
      groups: ['cn=operators,dc=plant,dc=example'],
      role: 'operator',
    });
    const unknown = await people.admin('POST', '/directory/test', { username: 'nobody' });
    expect(unknown.json()).toMatchObject({
      reached: true,
      found: false,
      reason: expect.stringContaining('no entry'),
    });
    const read = await people.admin('GET', '/directory');
    expect(read.json()).toMatchObject({ hasBindPassword: true });
    expect(read.headers.etag).toBe('"1"');
    expect(read.body).not.toContain('root of the directory');
  });

  test('the password of the search is not sent to another server than the one it was given for', async ({
    people,
  }) => {
    await connect(people);
    const moved = { ...directory.settings({ url: 'ldap://127.0.0.1:9' }), bindPassword: undefined };
    const answer = await people.admin('PUT', '/directory', moved);
    expect(answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '/bindPassword' }] });
  });

  test.for([
    [{ url: 'ldap://' }, '/url'],
    [{ userFilter: '(uid={name}' }, '/userFilter'],
    [{ certificate: 'none' }, '/certificate'],
  ] as const)('%o is refused at %s', async ([part, pointer], { people }) => {
    const answer = await people.admin('PUT', '/directory', directory.settings(part));
    expect(answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer }] });
  });

  test('without a directory, names of nobody are refused as before', async ({ people }) => {
    expect((await people.admin('GET', '/directory')).statusCode).toBe(404);
    expect((await people.logIn('anna', annasPassword)).json()).toMatchObject(refused);
  });
});
