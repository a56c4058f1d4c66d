import { test as base, expect } from 'vitest';
import { type Answer, HttpClient } from '../harness/http/http-client.ts';
import { installPair, logIn } from '../harness/installation.ts';
import { addPhones, create, type Page, read } from '../harness/plant.ts';

type Pair = {
  /** The same person at two servers. */
  clients: readonly [HttpClient, HttpClient];
  /** Another one, at the first server. */
  other: HttpClient;
};

/** `test` with two servers on one database, the same for all tests. */
const test = base
  .extend('installation', { scope: 'file' }, () => installPair())
  .extend('pair', { scope: 'file' }, async ({ installation }, { onCleanup }): Promise<Pair> => {
    const [first, second] = installation.servers;
    const admin = await logIn(first);
    const elsewhere = new HttpClient(second.baseUrl, admin.token);
    const user = { username: 'other', password: 'another good password', role: 'admin' };
    await create(admin, 'users', user);
    const other = await logIn(first, user);
    onCleanup(async () => {
      for (const client of [admin, elsewhere, other]) client.close();
      await installation.close();
    });
    return { clients: [admin, elsewhere], other };
  });

const times = 50;
let keys = 0;
/** A key that no other test uses. */
const newKey = () => ({ 'idempotency-key': `key ${++keys}` });

/** The same request many times at once, alternately to both servers. */
function sendAtOnce(
  [first, second]: Pair['clients'],
  { path, body, headers = newKey() }: { path: string; body: object; headers?: Record<string, string> },
): Promise<Answer[]> {
  const send = (_: unknown, index: number) =>
    (index % 2 === 0 ? first : second).post(`/api/v1/${path}`, body, { headers });
  return Promise.all(Array.from({ length: times }, send));
}

const shown = ({ status, text, headers }: Answer) => [status, text, headers['call-id']].join(' ').trim();

/** The common answer; throws if the answers differ. */
function same(answers: readonly Answer[]): string {
  const [only = '', ...more] = new Set(answers.map(shown));
  if (more.length > 0) throw new Error(`answered in different ways: ${[only, ...more].join('\n')}`);
  return only;
}

async function total(client: HttpClient, path: string): Promise<number> {
  return (await read<Page<unknown>>(client, path)).paging.total;
}

test('an alarm without a name that is sent fifty times at once is one alarm, raised once', async ({
  pair: { clients },
}) => {
  const body = { alarmMessage: 'help, I fell', alarmActions: [] };
  const answer = same(await sendAtOnce(clients, { path: 'alarms', body }));
  expect(answer).toMatch(/^200 \d+$/);
  expect(await total(clients[0], 'alarms?search=fell')).toBe(1);
  expect(await total(clients[1], 'alarms/histories?search=fell')).toBe(1);
  const id = answer.split(' ')[1];
  expect(await read(clients[0], `alarms/${id}`)).toMatchObject({ repeats: 0, state: 3 });
  expect(await total(clients[0], `alarms/${id}/timeline`)).toBe(1);
});

test('an acknowledgment that is sent fifty times at once answers the same alarm each time', async ({
  pair: { clients },
}) => {
  const id = await create(clients[0], 'alarms', { path: 'acknowledged pump' });
  const action = { path: `alarms/${id}/acknowledge`, body: { comment: 'seen' }, headers: newKey() };
  const before = await sendAtOnce(clients, action);
  await create(clients[0], 'alarms', { path: 'acknowledged pump', raised: false });
  // The original answer, not the present alarm.
  const after = await sendAtOnce(clients, action);
  expect(same([...before, ...after])).toContain('"state":1');
});

test('a call that is asked for fifty times at once is one call', async ({ pair: { clients } }) => {
  await addPhones(clients[0]);
  const media = [{ kind: 'Email', address: 'guard@plant.example' }];
  const guard = await create(clients[0], 'users', { username: 'guard', media });
  const group = await create(clients[0], 'callgroups', { name: 'Guards', userIds: [guard] });
  for (const [path, callee] of [
    ['call/users', { userIds: [guard] }],
    ['call/groups', { callGroupIds: [group] }],
  ] as const) {
    const before = await total(clients[0], 'call/histories');
    const answers = await sendAtOnce(clients, { path, body: { ...callee, msgText: 'come' } });
    expect(same(answers)).toMatch(/^200 true \d+$/);
    expect(await total(clients[1], 'call/histories')).toBe(before + 1);
  }
});

test.for(['callgroups', 'callgroupgroupings', 'stations'])(
  'one of %s that is asked for fifty times at once is made once',
  async (path, { pair: { clients } }) => {
    const answers = await sendAtOnce(clients, { path, body: { name: 'Night shift' } });
    expect(answers).toHaveLength(times);
    expect(same(answers)).toMatch(/^200 \d+$/);
    expect(await total(clients[0], `${path}?search=night`)).toBe(1);
  },
);

test.for([
  { path: 'alarms', body: { path: 'reused pump' }, changed: { path: 'reused fan' }, list: 'alarms' },
  { path: 'callgroups', body: { name: 'Reused' }, changed: { name: 'Used' }, list: 'callgroups' },
  { path: 'call/users', body: { userIds: [1] }, changed: { userIds: [1, 2] }, list: 'call/histories' },
])('the key of one request does not do for another: $path', async (request, { pair }) => {
  const { path, body, changed, list } = request;
  const [first, second] = pair.clients;
  const headers = newKey();
  const post = (client: HttpClient, to: string, sent: object) =>
    client.post(`/api/v1/${to}`, sent, { headers });
  const answer = shown(await post(first, path, body));
  expect(answer).toMatch(/^200 /);

  const before = await total(first, list);
  const reused = { status: 409, code: 'idempotency-key-reused' };
  expect((await post(second, path, changed)).json()).toMatchObject(reused);
  expect((await post(second, 'stations', { name: 'Elsewhere' })).json()).toMatchObject(reused);
  expect((await post(first, `${path}?other=1`, body)).json()).toMatchObject(reused);
  expect(await total(first, list)).toBe(before);
  expect(shown(await post(second, path, body))).toBe(answer);
});

test('the same key at the same moment for several requests: one is carried out, the others are refused', async ({
  pair: {
    clients: [first, second],
  },
}) => {
  for (let round = 0; round < 20; round++) {
    const headers = newKey();
    const answers = await Promise.all([
      first.post('/api/v1/alarms', { path: `contested pump ${round}` }, { headers }),
      second.post('/api/v1/callgroups', { name: `contested ${round}` }, { headers }),
      first.post('/api/v1/callgroups', { name: `contested too ${round}` }, { headers }),
      second.post('/api/v1/alarms', { path: `contested fan ${round}` }, { headers }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  }
  const made =
    (await total(first, 'alarms?search=contested')) + (await total(first, 'callgroups?search=contested'));
  expect(made).toBe(20);
});

test('the same key of another person is another key', async ({ pair: { clients, other } }) => {
  const headers = newKey();
  const post = (client: HttpClient, body: object) => client.post('/api/v1/callgroups', body, { headers });
  const mine = await post(clients[0], { name: 'Mine' });
  const theirs = await post(other, { name: 'Theirs' });
  expect([mine.status, theirs.status]).toEqual([200, 200]);
  expect(theirs.text).not.toBe(mine.text);
  expect(shown(await post(clients[1], { name: 'Mine' }))).toBe(shown(mine));
  expect((await post(other, { name: 'Mine' })).status).toBe(409);

  const alarm = (client: HttpClient) =>
    client.post('/api/v1/alarms', {}, { headers: { 'idempotency-key': 'ours' } });
  const [first, second] = await Promise.all([alarm(clients[0]), alarm(other)]);
  expect(first.text).not.toBe(second.text);
});

test.for([
  { path: 'alarms', wrong: { path: 'late pump', stationId: 77 }, right: { path: 'late pump' } },
  { path: 'callgroups', wrong: { name: 'Late', stationId: 77 }, right: { name: 'Late' } },
])('a request that was refused has not used up its key: $path', async ({ path, wrong, right }, { pair }) => {
  const headers = newKey();
  const [first, second] = pair.clients;
  expect((await first.post(`/api/v1/${path}`, wrong, { headers })).status).toBe(400);
  expect((await second.post(`/api/v1/${path}`, right, { headers })).status).toBe(200);
});
