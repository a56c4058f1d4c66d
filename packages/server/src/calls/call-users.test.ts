import { expect } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import { test } from '../testing/app.fixture.ts';
import { addPerson, addPhones, countCalls } from './testing/people.fixture.ts';

test('calling users stores one call and one queued attempt for each user', async ({ runtime, client }) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada', {
    media: [
      { kind: 'Email', address: 'ada@valmont.example', enabled: false },
      { kind: 'Sms', address: '+33600000001' },
      { kind: 'Voice', address: '+33600000002' },
    ],
  });
  const grace = await addPerson(admin, 'Grace');
  const operator = client('operator', { name: 'Olga' });
  const answer = await operator.post('/call/users', {
    userIds: [grace, ada, grace],
    msgText: 'Flood in hall 7',
    msgNum: 12,
    msgAudio: null,
    msgFile: null,
    colour: 'red',
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.body).toBe('true');
  expect(answer.headers['call-id']).toBe('1');

  const [call, attempts] = await inTenant(runtime.database, 1, async (transaction) => [
    await transaction.selectFrom('calls').selectAll().executeTakeFirstOrThrow(),
    await transaction.selectFrom('callAttempts').selectAll().orderBy('id').execute(),
  ]);
  expect(call).toMatchObject({
    id: 1,
    kind: 'users',
    message: 'Flood in hall 7',
    number: 12,
    audio: '',
    file: '',
    requestedBy: 'Olga',
  });
  const usual = {
    callId: 1,
    message: 'Flood in hall 7',
    attempt: 1,
    status: 'Queued',
    reason: '',
    stationId: 1,
    tagId: null,
    callGroupId: null,
    endedAt: null,
  };
  expect(attempts).toMatchObject([
    { ...usual, id: 1, userId: grace, userName: 'Grace', medium: 'Voice', address: '+33123456789' },
    { ...usual, id: 2, userId: ada, userName: 'Ada', medium: 'Sms', address: '+33600000001' },
  ]);
});

test('a call is refused when one user cannot be called', async ({ runtime, client }) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada');
  const away = await addPerson(admin, 'Away', { enabled: false });
  const mute = await addPerson(admin, 'Mute', { media: [] });
  const silenced = await addPerson(admin, 'Silenced', {
    media: [{ kind: 'Voice', address: '+331', enabled: false }],
  });
  const operator = client('operator');
  for (const userIds of [[], [0], [99], [ada, 99], [ada, away], [mute, ada], [silenced]]) {
    const answer = await operator.post('/call/users', { userIds, msgText: 'Flood' });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('false');
    expect(answer.headers).not.toHaveProperty('call-id');
  }
  expect(await countCalls(runtime)).toEqual({ calls: 0, attempts: 0 });
  expect((await operator.post('/call/users', { userIds: [ada] })).body).toBe('true');
});

test('a thousand people are called by one request', async ({ runtime, client }) => {
  await addPhones(client('admin'));
  const { database } = runtime;
  const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
  await inTenant(database, 1, async (transaction) => {
    const { tenantId, now: lastChange } = transaction;
    const users = ids.map((id) => ({
      id,
      username: `u${id}`,
      name: `U ${id}`,
      searchText: '',
      role: 'viewer',
    }));
    const media = ids.map((userId) => ({
      userId,
      position: 0,
      kind: 'Voice',
      address: '+331',
      enabled: true,
    }));
    await transaction
      .insertInto('users')
      .values(users.map((user) => Object.assign(user, { tenantId, lastChange })))
      .execute();
    await transaction
      .insertInto('userMedia')
      .values(media.map((medium) => Object.assign(medium, { tenantId })))
      .execute();
  });
  expect((await client('operator').post('/call/users', { userIds: ids, msgText: 'All' })).body).toBe('true');
  const histories = (await client('operator').get('/call/histories?limit=1000&sort=id')).json();
  expect(histories.items.map(({ id }: { id: number }) => id)).toEqual(ids);
  expect(histories.items.map(({ userId }: { userId: number }) => userId)).toEqual(ids);
});

test('a sound that is not in the library does not prevent the call, but is reported', async ({ client }) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada');
  const content = Buffer.from('Turn the valve').toString('base64');
  await admin.post('/mediafiles', { name: 'advice.txt', contentType: 'text/plain', content });
  const call = (message: object) => admin.post('/call/users', { userIds: [ada], ...message });
  expect((await call({ msgAudio: 'siren.wav', msgFile: 'advice.txt' })).body).toBe('true');
  expect((await call({ msgAudio: 'siren.wav', msgFile: 'map.pdf' })).body).toBe('true');
  expect((await call({ msgAudio: '', msgFile: 'advice.txt' })).body).toBe('true');
  const { items } = (await admin.get('/call/histories?sort=id')).json();
  expect(items.map(({ reason }: { reason: string }) => reason)).toEqual([
    'msgAudio unknown: siren.wav',
    'msgAudio unknown: siren.wav; msgFile unknown: map.pdf',
    '',
  ]);
});

/** A WAV file: 44 bytes of header and some silence. */
const wav = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WAVEfmt '), Buffer.alloc(200)]);

test('audio that comes with a call is stored once and played by its name', async ({ runtime, client }) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada');
  const base64 = wav.toString('base64');
  for (const msgAudio of [base64, `data:audio/wav;base64,${base64}`]) {
    expect((await admin.post('/call/users', { userIds: [ada], msgAudio })).body).toBe('true');
  }
  const files = (await admin.get('/mediafiles')).json().items;
  expect(files).toMatchObject([{ name: expect.stringMatching(/^sent-.*\.wav$/), contentType: 'audio/wav' }]);
  const calls = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('calls').select('audio').execute(),
  );
  expect(calls).toEqual([{ audio: files[0].name }, { audio: files[0].name }]);
  const { items } = (await admin.get('/call/histories')).json();
  expect(items.map(({ reason }: { reason: string }) => reason)).toEqual(['', '']);
});

test('only the file name of a path is looked up, and no call is refused for its sound', async ({
  runtime,
  client,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada');
  const content = Buffer.from('Turn the valve').toString('base64');
  await admin.post('/mediafiles', { name: 'advice.txt', contentType: 'text/plain', content });
  const known = [
    'advice.txt',
    'C:\\Messages\\advice.txt',
    '/srv/advice.txt',
    '..\\advice.txt',
    'C:advice.txt',
  ];
  const unknown = ['..', '/etc/passwd', 'Attention: fire', 'folder/', 'x'.repeat(100_000), 'UklGRg=='];
  for (const text of [...known, ...unknown]) {
    for (const member of ['msgAudio', 'msgFile']) {
      const answer = await admin.post('/call/users', { userIds: [ada], [member]: text });
      expect(answer.body, `${member} ${text.slice(0, 50)}`).toBe('true');
    }
  }
  const calls = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('calls').select(['id', 'audio', 'file']).orderBy('id').execute(),
  );
  expect(calls.map(({ audio, file }) => audio || file)).toEqual([
    ...known.flatMap(() => ['advice.txt', 'advice.txt']),
    ...unknown.flatMap(() => ['', '']),
  ]);
  const { items } = (await admin.get('/call/histories?limit=100&sort=id')).json();
  const reasons: string[] = items.map(({ reason }: { reason: string }) => reason);
  expect(reasons.map((reason) => reason !== '')).toEqual(calls.map(({ audio, file }) => !audio && !file));
  expect(reasons).toContain('msgFile unknown: /etc/passwd');
});

test('the answer false comes with the reason', async ({ client }) => {
  const admin = client('admin');
  const ada = await addPerson(admin, 'Ada');
  const away = await addPerson(admin, 'Away', { enabled: false });
  const mute = await addPerson(admin, 'Mute', { media: [] });
  const refusal = async (userIds: number[], headers = {}) => {
    const answer = await client('operator').post('/call/users', { userIds }, headers);
    return [answer.body, answer.headers['call-refusal']];
  };
  expect(await refusal([ada]), 'no channel yet').toEqual([
    'false',
    `no channel serves a medium of user ${ada}`,
  ]);
  await addPhones(admin);
  expect(await refusal([ada])).toEqual(['true', undefined]);
  expect(await refusal([])).toEqual(['false', 'no user is named']);
  const all = `user 99 does not exist; user ${away} is disabled; user ${mute} has no medium`;
  const key = { 'idempotency-key': 'again' };
  expect(await refusal([ada, 99, away, mute], key)).toEqual(['false', all]);
  expect(await refusal([ada, 99, away, mute], key), 'and again').toEqual(['false', all]);
  const bound = client('operator', { stationIds: [1] });
  await admin.post('/stations', { name: 'South' });
  const far = await addPerson(admin, 'Far', { stationIds: [2] });
  const hidden = await bound.post('/call/users', { userIds: [far] });
  expect(hidden.headers['call-refusal'], 'whom one may not see').toBe(`user ${far} does not exist`);
  const groups = await client('operator').post('/call/groups', { callGroupIds: [7] });
  expect([groups.body, groups.headers['call-refusal']]).toEqual(['false', 'call group 7 does not exist']);
});

test('an invalid body is refused and names the wrong member', async ({ client }) => {
  const operator = client('operator');
  const refusals = [
    [{}, '/userIds'],
    [{ userIds: null }, '/userIds'],
    [{ userIds: 7 }, '/userIds'],
    [{ userIds: [1, -1] }, '/userIds/1'],
    [{ userIds: ['1'] }, '/userIds/0'],
    [{ userIds: [1], msgNum: 1.5 }, '/msgNum'],
    [{ userIds: [1], msgText: 7 }, '/msgText'],
  ] as const;
  for (const [body, pointer] of refusals) {
    const refused = await operator.post('/call/users', body);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().errors[0].pointer).toBe(pointer);
  }
});

test('a user limited to stations calls the people of those stations and of all stations', async ({
  client,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  await admin.post('/stations', { name: 'South', timeZone: 'Asia/Tokyo' });
  const [everywhere, north, south] = [
    await addPerson(admin, 'Everywhere'),
    await addPerson(admin, 'North', { stationIds: [1] }),
    await addPerson(admin, 'South', { stationIds: [1, 2] }),
  ];
  const bound = client('operator', { stationIds: [2] });
  expect((await bound.post('/call/users', { userIds: [north] })).body).toBe('false');
  expect((await bound.post('/call/users', { userIds: [south, north] })).body).toBe('false');
  expect((await bound.post('/call/users', { userIds: [south, everywhere] })).body).toBe('true');

  const seen = async (stationIds: number[]) =>
    (await client('viewer', { stationIds }).get('/call/histories')).json().items;
  expect(await seen([1])).toEqual([]);
  expect(await seen([2])).toMatchObject([
    { user: 'Everywhere', startTime: '2026-03-01T15:00:00+09:00' },
    { user: 'South' },
  ]);
});

test('a call that is repeated with its key is made once', async ({ runtime, client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const panel = client('operator', { keyId: 1 });
  const key = { 'idempotency-key': 'flood-1' };
  const body = { userIds: [ada], msgText: 'Flood' };
  for (let round = 0; round < 3; round += 1) {
    const answer = await panel.post('/call/users', body, key);
    expect(answer.body).toBe('true');
    expect(answer.headers['call-id']).toBe('1');
  }
  expect(await countCalls(runtime)).toEqual({ calls: 1, attempts: 1 });
  const other = await panel.post('/call/users', { ...body, msgText: 'Fire' }, key);
  expect(other.statusCode).toBe(409);
});

test('concurrent calls each get their own id and attempts', async ({ runtime, client }) => {
  const admin = client('admin');
  await addPhones(admin);
  const userIds = [await addPerson(admin, 'Ada'), await addPerson(admin, 'Grace')];
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client('operator').post('/call/users', { userIds })),
  );
  const numbers = answers.map(({ headers }) => Number(headers['call-id'])).toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(await countCalls(runtime)).toEqual({ calls: 20, attempts: 40 });
});

test('users of another tenant cannot be called', async ({ runtime, client }) => {
  await addPhones(client('admin'));
  const ada = await addPerson(client('admin'), 'Ada');
  const tenantId = await createTenant(runtime, { name: 'Elsewhere' });
  const stranger = client('operator', { tenantId });
  expect((await stranger.post('/call/users', { userIds: [ada] })).body).toBe('false');
  expect((await client('operator').post('/call/users', { userIds: [ada] })).body).toBe('true');
  expect((await stranger.get('/call/histories')).json().paging.total).toBe(0);
});

test('viewers, auditors and machines may not call, machines may not read who was called', async ({
  client,
}) => {
  const body = { userIds: [1], callGroupIds: [1] };
  for (const role of ['viewer', 'auditor'] as const) {
    expect((await client(role).post('/call/users', body)).statusCode).toBe(403);
    expect((await client(role).post('/call/groups', body)).statusCode).toBe(403);
    expect((await client(role).get('/call/histories')).statusCode).toBe(200);
  }
  const sensor = client('machine', { keyId: 1 });
  expect((await sensor.post('/call/users', body)).statusCode).toBe(403);
  expect((await sensor.post('/call/groups', body)).statusCode).toBe(403);
  expect((await sensor.get('/call/histories')).statusCode).toBe(403);
});
