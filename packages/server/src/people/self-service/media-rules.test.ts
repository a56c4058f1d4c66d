import { describe, expect } from 'vitest';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { type Client, test } from '../../testing/app.fixture.ts';

const path = '/users/1/media-rules';
const byText = { priorities: [3], media: [{ kind: 'Sms' }] };
const quiet = { priorities: [4], from: '22:00', to: '06:00', media: [] };

const addAnna = (admin: Client) => admin.post('/users', { username: 'anna', role: 'viewer' });

test('people read and change the rules by which they are called', async ({ client }) => {
  await addAnna(client('admin'));
  const anna = client('viewer', { userId: 1 });
  expect((await anna.get(path)).json()).toEqual({ timeZone: '', usedTimeZone: 'Europe/Paris', rules: [] });
  const rules = [
    {
      name: 'At work',
      priorities: [1, 2],
      days: [5, 1],
      from: '08:00',
      to: '18:30',
      media: [
        { kind: 'Voice', address: '+33 (0)1 23' },
        { kind: 'Sms', afterSeconds: 30 },
        { kind: 'Voice' },
      ],
    },
    quiet,
    byText,
  ];
  const changed = await anna.put(path, { timeZone: 'America/Chicago', rules });
  expect(changed.statusCode, changed.body).toBe(200);
  const everyDay = [1, 2, 3, 4, 5, 6, 7];
  const [atWork, ...others] = rules;
  const kept = {
    timeZone: 'America/Chicago',
    usedTimeZone: 'America/Chicago',
    rules: [
      {
        ...atWork,
        days: [1, 5],
        media: [{ kind: 'Voice', address: '+330123' }, { kind: 'Sms', afterSeconds: 30 }, { kind: 'Voice' }],
      },
      { ...others[0], name: '', days: everyDay },
      { ...others[1], name: '', days: everyDay, from: '00:00', to: '24:00' },
    ],
  };
  expect(changed.json()).toEqual(kept);
  expect((await anna.get(path)).json()).toEqual(kept);
  const { timeZone, rules: sent } = kept;
  expect((await anna.put(path, { timeZone, rules: sent })).json()).toEqual(kept);
  expect((await anna.put(path, { rules: [] })).json()).toMatchObject({ timeZone: '', rules: [] });
});

test('times are those of the first station of the user, unless the rules have a zone', async ({ client }) => {
  const admin = client('admin', { userId: 99 });
  const id = (await admin.post('/stations', { name: 'Chicago', timeZone: 'America/Chicago' })).json<number>();
  await admin.post('/users', { username: 'anna', stationIds: [id] });
  expect((await admin.get(path)).json()).toMatchObject({ timeZone: '', usedTimeZone: 'America/Chicago' });
});

test('the audit trail shows the rules before and after a change', async ({ client }) => {
  const admin = client('admin', { userId: 99 });
  await addAnna(admin);
  await admin.put(path, { rules: [byText] });
  await admin.put(path, { rules: [quiet] });
  const { items } = (await admin.get('/audit?limit=1')).json();
  expect(items).toMatchObject([
    {
      action: 'media-rules.change',
      before: { rules: [{ priorities: [3] }] },
      after: { rules: [{ priorities: [4], from: '22:00' }] },
    },
  ]);
});

test('rules stay when the user is replaced, and go with the user', async ({ client, runtime }) => {
  const admin = client('admin', { userId: 99 });
  await addAnna(admin);
  await admin.put(path, { timeZone: 'UTC', rules: [byText] });
  await admin.put('/users/1', { username: 'anna', name: 'Anna Berg' });
  expect((await admin.get(path)).json()).toMatchObject({ timeZone: 'UTC', rules: [{ priorities: [3] }] });
  expect((await admin.delete('/users/1')).statusCode).toBe(204);
  expect((await admin.get(path)).statusCode).toBe(404);
  const left = await inTenant(runtime.database, 1, (transaction) =>
    transaction.selectFrom('userMediaRules').selectAll().execute(),
  );
  expect(left).toEqual([]);
});

describe('the rules of somebody else', () => {
  test.for(['viewer', 'operator', 'engineer', 'auditor', 'machine'] as const)(
    'are not changed by a %s',
    async (role, { client }) => {
      await addAnna(client('admin'));
      const answer = await client(role, { userId: 2 }).put(path, { rules: [byText] });
      expect(answer.statusCode).toBe(403);
      expect((await client('admin', { userId: 99 }).get(path)).json()).toMatchObject({ rules: [] });
    },
  );

  test('are read by those who may read users', async ({ client }) => {
    await addAnna(client('admin'));
    expect((await client('operator', { userId: 2 }).get(path)).statusCode).toBe(200);
    for (const role of ['viewer', 'machine'] as const)
      expect((await client(role, { userId: 2 }).get(path)).statusCode).toBe(403);
  });

  test('are changed by an administrator of the whole tenant', async ({ client }) => {
    await addAnna(client('admin'));
    const bound = client('admin', { userId: 2, stationIds: [1] });
    expect((await bound.put(path, { rules: [byText] })).statusCode).toBe(403);
    expect((await client('admin', { userId: 2 }).put(path, { rules: [byText] })).statusCode).toBe(200);
  });

  test('are not found in another tenant', async ({ client }) => {
    await addAnna(client('admin'));
    const other = client('admin', { tenantId: 2, userId: 2 });
    expect((await other.get(path)).statusCode).toBe(404);
    expect((await other.put(path, { rules: [byText] })).statusCode).toBe(404);
  });
});

describe('refused, with the place and the reason:', () => {
  const voice = { kind: 'Voice' };
  test.for<[string, object, string, string]>([
    [
      'quiet hours for priority 1',
      { rules: [{ ...quiet, priorities: [4, 1] }] },
      '/rules/0/media',
      'never apply to priority 1',
    ],
    [
      'quiet hours for priority 0',
      { rules: [{ ...quiet, priorities: [0] }] },
      '/rules/0/media',
      'never apply to priority 0',
    ],
    ['quiet hours without end', { rules: [{ priorities: [4], media: [] }] }, '/rules', 'no time in the week'],
    [
      'quiet hours that leave no time together',
      { rules: [quiet, { priorities: [3, 4], from: '06:00', to: '22:00', media: [] }] },
      '/rules',
      'priority 4',
    ],
    [
      'a zone that does not exist',
      { timeZone: 'Europe/Atlantis', rules: [] },
      '/timeZone',
      'Europe/Atlantis',
    ],
    [
      'a number that is none',
      { rules: [{ priorities: [2], media: [voice, { kind: 'Sms', address: 'home' }] }] },
      '/rules/0/media/1/address',
      'telephone number',
    ],
    [
      'a wait before the first medium',
      { rules: [{ priorities: [2], media: [{ ...voice, afterSeconds: 5 }] }] },
      '/rules/0/media/0/afterSeconds',
      'at once',
    ],
    ['a rule without priorities', { rules: [{ priorities: [], media: [voice] }] }, '/rules/0/priorities', ''],
    ['a time that is none', { rules: [{ ...quiet, from: '24:00' }] }, '/rules/0/from', ''],
    ['a day that is none', { rules: [{ ...quiet, days: [0] }] }, '/rules/0/days/0', ''],
  ])('%s', async ([, body, pointer, reason], { client }) => {
    const admin = client('admin', { userId: 99 });
    await addAnna(admin);
    const answer = await admin.put(path, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ pointer }] });
    expect(answer.body).toContain(reason);
    expect((await admin.get(path)).json()).toMatchObject({ rules: [] });
  });
});
