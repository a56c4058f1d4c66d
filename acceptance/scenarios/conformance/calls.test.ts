import type { CallHistory } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallPlant, openCallPlant } from '../../harness/call-plant.ts';
import {
  basePaths,
  create,
  jsonTypeOf,
  offsetDateTime,
  type Page,
  raise,
  read,
} from '../../harness/plant.ts';

const message = { msgText: 'Come to hall 4', msgNum: 42 };

const members = [
  ['id', 'integer'],
  ['callId', 'integer'],
  ['alarmId', 'integer'],
  ['callGroupId', 'integer'],
  ['userId', 'integer'],
  ['user', 'string'],
  ['medium', 'string'],
  ['address', 'string'],
  ['message', 'string'],
  ['attempt', 'integer'],
  ['startTime', 'string'],
  ['status', 'string'],
  ['reason', 'string'],
] as const;

/** Paths of clients of the old server, and texts that name no file: none of them refuses a call. */
const unusable = [
  '../secret.wav',
  '..',
  '/etc/passwd',
  'sounds\\horn.wav',
  'C:\\horn.wav',
  '\\\\server\\share\\horn.wav',
  'file:///horn.wav',
  'Attention: gas',
  'bm8gYXVkaW8=',
];

const byUser = (calls: CallHistory[]) => calls.toSorted((one, other) => one.userId - other.userId);

describe.each(basePaths)('the calls at "%s"', (basePath) => {
  let plant: CallPlant;
  let users: CallPlant['users'];
  let groups: CallPlant['groups'];

  const callUsers = (body: object, headers: Record<string, string> = {}) =>
    plant.client.post('/api/v1/call/users', body, { headers });
  const callGroups = (body: object, headers: Record<string, string> = {}) =>
    plant.client.post('/api/v1/call/groups', body, { headers });
  const histories = (query = '') =>
    read<Page<CallHistory>>(plant.client, `call/histories?limit=1000${query}`);
  /** The answer of a request and the entries it added to the histories. */
  const added = async (work: () => Promise<{ text: string }>) => {
    const before = await histories();
    const { text } = await work();
    const { items, paging } = await histories();
    return { text, items: items.slice(0, paging.total - before.paging.total) };
  };

  beforeAll(async () => {
    plant = await openCallPlant(basePath);
    ({ users, groups } = plant);
  });
  afterAll(() => plant.close());

  test('§4.6 the answer is 200 and a bare boolean in JSON', async () => {
    const answer = await callUsers({ userIds: [users.ada], ...message });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(answer.text).toBe('true');
  });

  test('§4.6 true, and one queued call for each user that was named', async () => {
    const { text, items } = await added(() => callUsers({ userIds: [users.ada, users.ben], ...message }));
    expect(text).toBe('true');
    expect(byUser(items).map(({ userId, status }) => [userId, status])).toEqual([
      [users.ada, 'Queued'],
      [users.ben, 'Queued'],
    ]);
  });

  test('§4.6 a user named twice is called once', async () => {
    const { items } = await added(() => callUsers({ userIds: [users.ada, users.ada], ...message }));
    expect(items).toHaveLength(1);
  });

  test.each([
    ['does not exist', () => [users.ada, 4_000]],
    ['is disabled', () => [users.ada, users.off]],
    ['has no medium', () => [users.ada, users.mute]],
    ['has no enabled medium', () => [users.ada, users.deaf]],
    ['has no medium that a channel serves', () => [users.ada, users.paged]],
    ['has the number 0', () => [0]],
  ])('§4.6 false, and nobody is called, when one of the users %s', async (_why, userIds) => {
    const { text, items } = await added(() => callUsers({ userIds: userIds(), ...message }));
    expect(text).toBe('false');
    expect(items).toEqual([]);
  });

  test('§4.6 false is answered with 200', async () => {
    expect((await callUsers({ userIds: [4_000], ...message })).status).toBe(200);
  });

  test('§4.6 Call-Id names the call, and the histories have it', async () => {
    const answer = await callUsers({ userIds: [users.ada], ...message });
    expect(answer.headers['call-id']).toMatch(/^[1-9]\d*$/);
    expect((await histories()).items[0]?.callId).toBe(Number(answer.headers['call-id']));
  });

  test('§4.6 a call that failed has no Call-Id, and says why in Call-Refusal', async () => {
    const { headers } = await callUsers({ userIds: [4_000, users.off, users.mute, users.paged], ...message });
    expect(headers).not.toHaveProperty('call-id');
    expect(headers['call-refusal']).toBe(
      `user 4000 does not exist; user ${users.off} is disabled; user ${users.mute} has no medium; ` +
        `no channel serves a medium of user ${users.paged}`,
    );
  });

  test('§4.6 msgText is what the histories show as message', async () => {
    const { items } = await added(() => callUsers({ userIds: [users.ada], msgText: 'Größe 🔥' }));
    expect(items[0]?.message).toBe('Größe 🔥');
  });

  test('§4.6 userIds alone is enough', async () => {
    expect((await callUsers({ userIds: [users.ada] })).text).toBe('true');
  });

  test.each(['msgAudio', 'msgFile'])('§4.6 %s may be absent, null or a name', async (name) => {
    const body = { userIds: [users.ada], ...message };
    expect((await callUsers(body)).text).toBe('true');
    expect((await callUsers({ ...body, [name]: null })).text).toBe('true');
    expect((await callUsers({ ...body, [name]: 'horn.wav' })).text).toBe('true');
  });

  test.each(['msgAudio', 'msgFile'])('§4.6 an unusable %s refuses no call and is reported', async (name) => {
    for (const text of unusable) {
      const body = { userIds: [users.ada], ...message, [name]: text };
      const { text: answered, items } = await added(() => callUsers(body));
      expect(answered, text).toBe('true');
      expect(items, text).toMatchObject([{ reason: `${name} unknown: ${text}` }]);
    }
  });

  test('§4.6 msgAudio is audio in base64, and msgFile a path whose last part the library has', async () => {
    const wav = Buffer.concat([Buffer.from('RIFF0000WAVEfmt '), Buffer.alloc(64)]).toString('base64');
    const content = Buffer.from('Close the valve').toString('base64');
    await create(plant.client, 'mediafiles', { name: 'valve.txt', contentType: 'text/plain', content });
    const body = { userIds: [users.ada], msgAudio: wav, msgFile: 'C:\\Messages\\valve.txt' };
    const { text, items } = await added(() => callUsers(body));
    expect(text).toBe('true');
    expect(items).toMatchObject([{ reason: '' }]);
  });

  test.each([
    ['/userIds', {}],
    ['/userIds', { userIds: 1 }],
    ['/userIds/0', { userIds: ['1'] }],
    ['/userIds/0', { userIds: [-1] }],
    ['/userIds/1', { userIds: [1, 1.5] }],
    ['/msgText', { userIds: [1], msgText: 7 }],
    ['/msgNum', { userIds: [1], msgNum: '42' }],
    ['/msgNum', { userIds: [1], msgNum: -1 }],
    ['/msgNum', { userIds: [1], msgNum: 4_294_967_296 }],
  ])('§4.6 %s of another type than the table says is 400: %j', async (pointer, body) => {
    const answer = await callUsers(body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid-request', errors: [{ pointer }] });
  });

  test('§4.6 unknown members are ignored', async () => {
    expect((await callUsers({ userIds: [users.ada], ...message, urgent: true })).text).toBe('true');
  });

  test('§4.6 Prefer: wait answers whether everybody was reached in that time', async () => {
    const started = performance.now();
    const answer = await callUsers({ userIds: [users.ada], ...message }, { prefer: 'wait=1' });
    expect(answer.text).toBe('false');
    expect(answer.headers['call-id']).toMatch(/^\d+$/);
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  test('§4.7 the answer is 200 and a bare boolean in JSON', async () => {
    const answer = await callGroups({ callGroupIds: [groups.day], ...message });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(answer.text).toBe('true');
  });

  test('§4.7 all users of the group are called, with the group they are called for', async () => {
    const { items } = await added(() => callGroups({ callGroupIds: [groups.day], ...message }));
    expect(byUser(items).map(({ userId, callGroupId }) => [userId, callGroupId])).toEqual([
      [users.ada, groups.day],
      [users.ben, groups.day],
    ]);
  });

  test('§4.7 users of teams are called too, on duty or not', async () => {
    const { items } = await added(() => callGroups({ callGroupIds: [groups.night], ...message }));
    expect(byUser(items).map(({ userId }) => userId)).toEqual([users.ben, users.carl]);
  });

  test('§4.7 a user of two groups is called once', async () => {
    const both = { callGroupIds: [groups.day, groups.night], ...message };
    const { items } = await added(() => callGroups(both));
    expect(byUser(items).map(({ userId }) => userId)).toEqual([users.ada, users.ben, users.carl]);
  });

  test.each([
    ['does not exist', () => [groups.day, 4_000]],
    ['has a user who cannot be called', () => [groups.day, groups.broken]],
    ['has no users', () => [groups.empty]],
  ])('§4.7 false, and nobody is called, when one of the groups %s', async (_why, callGroupIds) => {
    const { text, items } = await added(() => callGroups({ callGroupIds: callGroupIds(), ...message }));
    expect(text).toBe('false');
    expect(items).toEqual([]);
  });

  test('§4.7 Call-Id names the call', async () => {
    const answer = await callGroups({ callGroupIds: [groups.day], ...message });
    expect((await histories()).items[0]?.callId).toBe(Number(answer.headers['call-id']));
  });

  test.each([
    ['/callGroupIds', {}],
    ['/callGroupIds', { callGroupIds: 'Day' }],
    ['/callGroupIds/0', { callGroupIds: [-1] }],
    ['/msgNum', { callGroupIds: [1], msgNum: '42' }],
  ])('§4.7 an invalid %s is 400: %j', async (pointer, body) => {
    const answer = await callGroups(body);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
  });

  test('§4.8 GET /api/v1/call/histories answers 200 with a PagingCollection', async () => {
    const answer = await plant.client.get('/api/v1/call/histories?offset=1&limit=2');
    expect(answer.status).toBe(200);
    const { items, paging } = answer.json<Page<CallHistory>>();
    expect(items).toHaveLength(2);
    expect(paging).toMatchObject({ offset: 1, limit: 2 });
    expect(paging.total).toBeGreaterThan(2);
  });

  test('§4.8 a queued call has exactly its 13 members: no endTime, no ackTime', async () => {
    const [call] = (await histories()).items;
    expect(Object.keys(call ?? {}).toSorted()).toEqual(members.map(([name]) => name).toSorted());
  });

  test.each(members)('§4.8 CallHistory.%s has the JSON type %s', async (name, type) => {
    expect(jsonTypeOf((await histories()).items[0]?.[name])).toBe(type);
  });

  test('§4.8 a call of a user has its user, medium and message', async () => {
    const { items } = await added(() => callUsers({ userIds: [users.ada], ...message }));
    expect(items[0]).toMatchObject({
      alarmId: 0,
      callGroupId: 0,
      userId: users.ada,
      user: 'Ada Byron',
      medium: 'Sms',
      message: 'Come to hall 4',
      attempt: 1,
      status: 'Queued',
    });
    expect(items[0]?.startTime).toMatch(offsetDateTime);
  });

  test('§4.8 the address shows its last four characters and hides the rest', async () => {
    const { items } = await added(() => callUsers({ userIds: [users.ada], ...message }));
    expect(items[0]?.address).toMatch(/5678$/);
    expect(items[0]?.address.replace(/\D/g, '')).toBe('5678');
  });

  test('§4.8 startTime has the offset of the station of the group', async () => {
    const { items } = await added(() => callGroups({ callGroupIds: [groups.day], ...message }));
    expect(items[0]?.startTime.slice(19)).toBe('+05:30');
  });

  test('§4.8 calls are listed newest first by default', async () => {
    const ids = (await histories()).items.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect((await histories('&sort=+id')).items.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('§4.8 userId keeps the calls of that user and drops the others', async () => {
    const { items } = await histories(`&userId=${users.ben}`);
    expect(new Set(items.map(({ userId }) => userId))).toEqual(new Set([users.ben]));
    expect((await histories('&userId=4000')).items).toEqual([]);
  });

  test('§4.8 callGroupId keeps the calls of that group and drops the others', async () => {
    const { items } = await histories(`&callGroupId=${groups.night}`);
    expect(new Set(items.map(({ callGroupId }) => callGroupId))).toEqual(new Set([groups.night]));
  });

  test('§4.8 alarmId drops the calls that no alarm made', async () => {
    const alarmId = await raise(plant.client, { path: 'Silent' });
    expect((await histories(`&alarmId=${alarmId}`)).items).toEqual([]);
  });

  test('§4.8 search keeps the calls with all words and drops the others', async () => {
    await callUsers({ userIds: [users.carl], msgText: 'Überdruck im Kessel' });
    const { items } = await histories('&search=uberdruck+carl');
    expect(items.map(({ userId }) => userId)).toEqual([users.carl]);
    expect((await histories('&search=uberdruck+ada')).items).toEqual([]);
  });

  test('§4.8 from and to bound the start of the call', async () => {
    const last = (await histories()).items[0]?.startTime ?? '';
    const time = encodeURIComponent(last);
    const later = new Date(Date.parse(last) + 1_000).toISOString();
    expect((await histories(`&from=${time}`)).paging.total).toBeGreaterThan(0);
    expect((await histories(`&from=${later}`)).paging.total).toBe(0);
    const before = (await histories(`&to=${time}`)).paging.total;
    expect(before).toBeLessThan((await histories(`&to=${later}`)).paging.total);
  });

  test.each(['userId', 'callGroupId', 'alarmId', 'offset', 'limit'])(
    '§4.8 %s takes decimal digits only',
    async (name) => {
      for (const text of ['-1', '1.5', 'abc', '0x10', '%201', '4294967296']) {
        const answer = await plant.client.get(`/api/v1/call/histories?${name}=${text}`);
        expect(answer.status, text).toBe(400);
        expect(answer.json(), text).toMatchObject({ errors: [{ pointer: name }] });
      }
    },
  );
});
