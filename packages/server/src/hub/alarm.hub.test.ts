import { expect } from 'vitest';
import { callerOf, type Listener, listen, settle, test } from './testing/hub.fixture.ts';

test('a client gets each alarm that is raised after it has connected, once, with its 20 members', async ({
  server,
  admin,
}) => {
  await admin.raise('pump/before');
  const listener = await listen(server, admin.token);
  const id = await admin.raise('pump/1', { alarmMessage: 'Pump 1 is hot', priority: 2 });
  await expect.poll(() => listener.alarms.length).toBe(1);
  await settle();
  const [alarm] = listener.alarms;
  expect(Object.keys(alarm ?? {})).toHaveLength(20);
  expect(alarm).toMatchObject({ id, path: 'pump/1', message: 'Pump 1 is hot', priority: 2, state: 3 });
  const { items } = await admin.get<{ items: { path: string }[] }>('/alarms?search=hot');
  expect(listener.alarms).toEqual(items);
  expect(listener.changes).toEqual([]);
});

test('repeats and masked alarms are not announced; one still active is when its mask ends', async ({
  server,
  admin,
}) => {
  const listener = await listen(server, admin.token);
  const quiet = { eventCondition: { reactivatable: false } };
  const id = await admin.raise('pump/1', quiet);
  await admin.raise('pump/1', quiet);
  const masked = await admin.raise('pump/2', { raised: false });
  await admin.post(`/alarms/${masked}/mask`, { reason: 'work' });
  await admin.raise('pump/2');
  await admin.post(`/alarms/${id}/acknowledge`);
  await settle();
  expect(listener.paths()).toEqual(['pump/1']);
  await admin.post(`/alarms/${masked}/unmask`, { reason: 'done' });
  await expect.poll(() => listener.paths()).toEqual(['pump/1', 'pump/2']);
});

test('alarms of every source are pushed: of a person, an event condition, and a machine with a key', async ({
  server,
  admin,
}) => {
  const listener = await listen(server, admin.token);
  await admin.raise('by a person');
  const watched = { path: 'by its value', eventCondition: { value: 'high' } };
  await admin.post('/alarms', { ...watched, value: 'low' });
  await admin.post('/alarms', { ...watched, value: 'high' });
  const { key } = await admin.post<{ key: string }>('/apikeys', { name: 'PLC', role: 'machine' });
  await callerOf(server.url, key).raise('by a machine');
  await admin.post('/alarms', { alarmMessage: 'without a name' });
  await expect
    .poll(() => listener.paths())
    .toEqual(['by a person', 'by its value', 'by a machine', expect.stringMatching(/^api\//)]);
});

test('a filter limits the alarms of a client, and without a filter it gets all of them', async ({
  server,
  admin,
}) => {
  const dataServerId = await admin.post<number>('/dataservers', { name: 'Gateway' });
  const listener = await listen(server, admin.token);
  const raiseAll = async (round: number) => {
    await admin.raise(`pump ${round}`, { alarmMessage: 'Überdruck' });
    await admin.raise(`fan ${round}`, { dataServerId });
    // Entries that wait to be written when the filter changes are matched by the new one.
    await settle();
  };
  await listener.subscribe({ dataServerId });
  await raiseAll(1);
  await listener.subscribe({ search: 'UBERDRUCK' });
  await raiseAll(2);
  await listener.subscribe({ alarmState: 1 });
  await raiseAll(3);
  await listener.subscribe({ stationId: 1, alarmState: 3 });
  await raiseAll(4);
  await listener.subscribe();
  await raiseAll(5);
  await expect
    .poll(() => listener.paths())
    .toEqual(['fan 1', 'pump 2', 'pump 4', 'fan 4', 'pump 5', 'fan 5']);
});

test.for([
  [{ tagGroupId: -1 }, /filter\.tagGroupId must be >= 0/],
  [{ stationId: 'one' }, /filter\.stationId must be integer/],
  ['pumps', /filter must be object/],
] as const)(
  'an invalid filter is refused, and the old one stays: %j',
  async ([filter, reason], { server, admin }) => {
    const listener = await listen(server, admin.token);
    await expect(listener.connection.invoke('subscribe', filter)).rejects.toThrow(reason);
    await admin.raise('pump/1');
    await expect.poll(() => listener.paths()).toEqual(['pump/1']);
  },
);

test('a filter may name a tag group, a scenario or a call group, as the list of alarms may', async ({
  server,
  admin,
}) => {
  const userId = await admin.post<number>('/users', { username: 'guard', role: 'operator' });
  const callGroupId = await admin.post<number>('/callgroups', { name: 'Night', userIds: [userId] });
  const actions = [{ type: 'CallGroup', id: callGroupId }];
  const scenarioId = await admin.post<number>('/scenarios', { name: 'Flood', alarmActions: actions });
  const top = await admin.post<number>('/taggroups', { name: 'Water' });
  const tagGroupId = await admin.post<number>('/taggroups', { name: 'Wells', parentId: top, scenarioId });
  const filters: Record<string, object> = {
    'tag group above': { tagGroupId: top },
    scenario: { scenarioId },
    'call group': { callGroupId },
    'another group': { tagGroupId: 99 },
    'no group': { tagGroupId: 0, scenarioId: 0, callGroupId: 0, stationId: 0, dataServerId: 0 },
  };
  const heard = await Promise.all(
    Object.entries(filters).map(async ([name, filter]) => {
      const listener = await listen(server, admin.token);
      await listener.subscribe(filter);
      return { name, listener };
    }),
  );
  await admin.raise('pump');
  await admin.raise('well', { tagGroupId });
  await admin.raise('fan', { alarmActions: [{ type: 'Scenario', id: scenarioId }] });
  // The server raises alarms of its own when nobody can be called.
  const own = ({ paths }: Listener) => paths().filter((path) => !path.startsWith('tocsin/'));
  await expect.poll(() => heard.map(({ listener }) => own(listener)).at(-1)).toEqual(['pump', 'well', 'fan']);
  await settle();
  expect(Object.fromEntries(heard.map(({ name, listener }) => [name, own(listener)]))).toEqual({
    'tag group above': ['well'],
    scenario: ['well', 'fan'],
    'call group': ['well', 'fan'],
    'another group': [],
    'no group': ['pump', 'well', 'fan'],
  });
  const again = await listen(server, admin.token);
  await again.subscribe({ scenarioId });
  await again.resume(0);
  expect(own(again)).toEqual(['well', 'fan']);
});

test('a client that unsubscribes gets nothing until it subscribes again, and then only new alarms', async ({
  server,
  admin,
}) => {
  const listener = await listen(server, admin.token);
  await listener.connection.invoke('unsubscribe');
  await admin.raise('unheard');
  await settle();
  const { seq } = await listener.subscribe();
  await admin.raise('heard');
  await expect.poll(() => listener.paths()).toEqual(['heard']);
  const { items } = await admin.get<{ items: { seq: number }[] }>('/alarms/1/timeline?sort=-id&limit=1');
  expect(seq).toBe(items[0]?.seq);
});

test('a ping is answered, and changes nothing', async ({ server, admin }) => {
  const listener = await listen(server, admin.token);
  expect(await listener.connection.invoke('ping')).toBeNull();
  await admin.raise('heard');
  await expect.poll(() => listener.paths()).toEqual(['heard']);
});

test('changes are pushed on request, each with its position, and the alarm before its change', async ({
  server,
  admin,
}) => {
  const old = await listen(server, admin.token);
  const listener = await listen(server, admin.token);
  await listener.subscribe({ changes: true });
  const id = await admin.raise('pump/1');
  await admin.post(`/alarms/${id}/acknowledge`, { comment: 'mine' });
  await admin.post(`/alarms/${id}/reset`);
  await expect
    .poll(() => listener.changes.map(({ kind }) => kind))
    .toEqual(['raised', 'acknowledged', 'reset']);
  const seqs = listener.changes.map(({ seq }) => seq);
  const first = seqs[0] ?? 0;
  expect(seqs).toEqual([first, first + 1, first + 2]);
  expect(listener.changes.map(({ alarm }) => alarm.state)).toEqual([3, 1, 0]);
  expect(listener.paths()).toEqual(['pump/1']);
  await listener.subscribe({ stationId: 1 });
  await admin.raise('pump/2');
  await expect.poll(() => listener.changes.length).toBe(4);
  expect(old.changes).toEqual([]);
});
