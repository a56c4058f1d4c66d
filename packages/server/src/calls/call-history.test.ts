import { expect } from 'vitest';
import { type Client, test } from '../testing/app.fixture.ts';
import { addGroup, addPerson, addPhones, settle } from './testing/people.fixture.ts';

const idsOf = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);
const kept = async (reader: Client, query: string) =>
  idsOf((await reader.get(`/call/histories?${query}`)).json());

/** Attempts 1 (Ada, by name) and 2 (Grace, through a group). */
async function twoCalls(admin: Client): Promise<{ ada: number; grace: number; group: number }> {
  await addPhones(admin);
  const ada = await addPerson(admin, 'Ada');
  const grace = await addPerson(admin, 'Grace', { media: [{ kind: 'Email', address: 'g@x.fr' }] });
  const group = await addGroup(admin, 'Mechanics', { userIds: [grace] });
  await admin.post('/call/users', { userIds: [ada], msgText: 'Flood in hall 7' });
  await admin.post('/call/groups', { callGroupIds: [group], msgText: 'Fire in hall 8' });
  return { ada, grace, group };
}

test('a queued attempt shows user, medium and time, but masks the address', async ({ client }) => {
  const admin = client('admin');
  const { ada, grace, group } = await twoCalls(admin);
  expect((await admin.get('/call/histories')).json()).toEqual({
    items: [
      {
        id: 2,
        callId: 2,
        alarmId: 0,
        callGroupId: group,
        userId: grace,
        user: 'Grace',
        medium: 'Email',
        address: '**x.fr',
        message: 'Fire in hall 8',
        attempt: 1,
        startTime: '2026-03-01T07:00:00+01:00',
        status: 'Queued',
        reason: '',
      },
      {
        id: 1,
        callId: 1,
        alarmId: 0,
        callGroupId: 0,
        userId: ada,
        user: 'Ada',
        medium: 'Voice',
        address: '********6789',
        message: 'Flood in hall 7',
        attempt: 1,
        startTime: '2026-03-01T07:00:00+01:00',
        status: 'Queued',
        reason: '',
      },
    ],
    paging: { offset: 0, limit: 10, total: 2 },
  });
});

test('an ended attempt shows its end and when the call was acknowledged', async ({ runtime, client }) => {
  const { ada } = await twoCalls(client('admin'));
  const endedAt = new Date('2026-03-29T01:00:00Z');
  const acknowledgedAt = new Date('2026-03-29T00:59:59.9Z');
  await settle(runtime, ada, 'Acknowledged', { endedAt, acknowledgedAt });
  const [item] = (await client('viewer').get(`/call/histories?userId=${ada}`)).json().items;
  expect(item).toMatchObject({
    status: 'Acknowledged',
    endTime: '2026-03-29T03:00:00+02:00',
    ackTime: '2026-03-29T01:59:59+01:00',
  });
});

test('userId selects the attempts to reach that user', async ({ client }) => {
  const { ada, grace } = await twoCalls(client('admin'));
  expect(await kept(client('viewer'), `userId=${ada}`)).toEqual([1]);
  expect(await kept(client('viewer'), `userId=${grace}`)).toEqual([2]);
  expect(await kept(client('viewer'), 'userId=99')).toEqual([]);
});

test('callGroupId selects the attempts through that group, and 0 selects all', async ({ client }) => {
  const { group } = await twoCalls(client('admin'));
  expect(await kept(client('viewer'), `callGroupId=${group}`)).toEqual([2]);
  expect(await kept(client('viewer'), 'callGroupId=0')).toHaveLength(2);
  expect(await kept(client('viewer'), 'callGroupId=99')).toEqual([]);
});

test('alarmId selects the attempts about that alarm, and 0 selects all', async ({ runtime, client }) => {
  const { ada } = await twoCalls(client('admin'));
  await settle(runtime, ada, 'Delivered', { tagId: 5 });
  expect(await kept(client('viewer'), 'alarmId=5')).toEqual([1]);
  expect(await kept(client('viewer'), 'alarmId=0')).toHaveLength(2);
  expect(await kept(client('viewer'), 'alarmId=6')).toEqual([]);
  expect((await client('viewer').get('/call/histories?alarmId=5')).json().items[0].alarmId).toBe(5);
});

test('search covers user, message and medium, but not the address', async ({ client }) => {
  await twoCalls(client('admin'));
  const viewer = client('viewer');
  expect(await kept(viewer, 'search=hall')).toEqual([2, 1]);
  expect(await kept(viewer, 'search=ada')).toEqual([1]);
  expect(await kept(viewer, 'search=email%20fire')).toEqual([2]);
  expect(await kept(viewer, 'search=%22hall%207%22')).toEqual([1]);
  expect(await kept(viewer, 'search=x.fr')).toEqual([]);
});

test('from is inclusive and to is exclusive, in the time zone of the first station', async ({
  client,
  clock,
}) => {
  const admin = client('admin');
  await addPhones(admin);
  const userIds = [await addPerson(admin, 'Ada')];
  for (const instant of ['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z']) {
    clock.set(instant);
    await admin.post('/call/users', { userIds });
  }
  expect(await kept(admin, 'from=2026-03-01T12:00:00')).toEqual([2]);
  expect(await kept(admin, 'from=2026-03-01T12:00:00.001')).toEqual([]);
  expect(await kept(admin, 'to=2026-03-01T11:00:00Z')).toEqual([1]);
  expect(await kept(admin, 'to=2026-03-01T11:00:01Z')).toEqual([2, 1]);
  for (const name of ['from', 'to']) {
    const refused = await admin.get(`/call/histories?${name}=last-tuesday`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().errors[0].pointer).toBe(name);
  }
});

test('attempts are listed newest first, and are paged and sorted like all lists', async ({ client }) => {
  const admin = client('admin');
  await addPhones(admin);
  const userIds = [await addPerson(admin, 'Ada')];
  for (let time = 0; time < 12; time += 1) await admin.post('/call/users', { userIds });
  expect(await kept(admin, '')).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  for (const sort of ['+id', '%2Bid', 'id'])
    expect(await kept(admin, `sort=${sort}&limit=2`)).toEqual([1, 2]);
  expect(await kept(admin, 'sort=-id&offset=11')).toEqual([1]);
  const none = (await admin.get('/call/histories?limit=0')).json();
  expect(none).toEqual({ items: [], paging: { offset: 0, limit: 0, total: 12 } });
  const all = (await admin.get('/call/histories?limit=5000&offset=1')).json();
  expect(all.items).toHaveLength(11);
  expect(all.paging).toEqual({ offset: 1, limit: 1_000, total: 12 });
});
