import type { Approval, TimelineEntry } from '@tocsin/contract';
import { describe, expect } from 'vitest';
import type { Principal } from '../http/principal.ts';
import { type Client, clientsOf, openApp, test as withApp } from '../testing/app.fixture.ts';
import { trailOf } from '../testing/audit.fixture.ts';

const settings = {
  secondFactorRoles: [],
  confirmDangerous: false,
  confirmationMinutes: 10,
  deskMinutes: 15,
  twoPersonActions: ['commands', 'masks', 'keys'],
};

type People = { chief: Client; anna: Client; bea: Client; carl: Client };

/** A plant that wants two people. Anna (2) asks, Bea (3) and Carl (4) decide; all are engineers but the chief (1). */
const test = withApp.extend('people', async ({ client }): Promise<People> => {
  const chief = client('admin', { userId: 1, name: 'Chief' });
  const role = 'engineer';
  await chief.post('/users', { username: 'chief', name: 'Chief', role: 'admin' });
  for (const username of ['anna', 'bea', 'carl']) await chief.post('/users', { username, role });
  await chief.put('/security-settings', settings);
  return {
    chief,
    anna: client(role, { userId: 2, name: 'anna' }),
    bea: client(role, { userId: 3, name: 'bea' }),
    carl: client(role, { userId: 4, name: 'carl' }),
  };
});

const raise = async (client: Client, more: object = {}) =>
  (await client.post('/alarms', { path: 'boiler', priority: 1, ...more })).json<number>();

const askForMask = async (client: Client, alarmId: number, reason = 'work') => {
  const answer = await client.post(`/alarms/${alarmId}/mask`, { reason, seconds: 600 });
  expect(answer.statusCode, answer.body).toBe(202);
  return answer.json<Approval>();
};

const decide = (client: Client, { id }: Approval, decision = 'Approve', comment?: string) =>
  client.post(`/approvals/${id}/decision`, { decision, ...(comment !== undefined && { comment }) });

const maskOf = async (client: Client, alarmId: number) =>
  (await client.get(`/alarms/${alarmId}`)).json<{ maskReason?: string }>().maskReason;

describe('a mask of priority 1', () => {
  test('waits for a second person, and then has the author who asked', async ({ people, runtime }) => {
    const { anna, bea } = people;
    const alarmId = await raise(anna);
    const approval = await askForMask(anna, alarmId);
    expect(approval).toMatchObject({
      action: 'masks',
      state: 'Waiting',
      summary: `Mask alarm ${alarmId} (boiler): work`,
      requestedById: 2,
      requestedBy: 'anna',
      requestTime: '2026-03-01T06:00:00',
      expiryTime: '2026-03-01T06:30:00',
    });
    expect((await maskOf(anna, alarmId)) ?? '', 'nothing has happened yet').toBe('');
    expect((await askForMask(anna, alarmId)).id, 'asking again').toBe(approval.id);
    const approved = await decide(bea, approval, 'Approve', 'seen');
    expect(approved.json(), approved.body).toMatchObject({
      state: 'Approved',
      decidedBy: 'bea',
      comment: 'seen',
    });
    const { items } = (await bea.get(`/alarms/${alarmId}/timeline`)).json<{ items: TimelineEntry[] }>();
    expect(items.find(({ kind }) => kind === 'masked')).toMatchObject({
      actor: 'anna',
      actorId: 'user:2',
      detail: 'work (approved by bea)',
    });
    const trail = await trailOf(runtime);
    expect(trail.find(({ action }) => action === 'alarm.mask')).toMatchObject({
      actor: { kind: 'user', id: '2', name: 'anna' },
      reason: `approval ${approval.id}, approved by bea (user:3)`,
    });
    expect(trail.map(({ action }) => action)).toContain('approval.request');
    expect(trail.find(({ action }) => action === 'approval.decide')).toMatchObject({
      actor: { kind: 'user', id: '3' },
      after: { state: 'Approved' },
    });
  });

  test('of a lower priority happens at once, and so does the end of a mask', async ({ people: { anna } }) => {
    const alarmId = await raise(anna, { priority: 2 });
    expect((await anna.post(`/alarms/${alarmId}/mask`, { reason: 'work' })).statusCode).toBe(200);
    expect((await anna.post(`/alarms/${alarmId}/unmask`, {})).statusCode).toBe(200);
  });

  test('happens at once where the tenant does not want two people', async ({ people: { chief, anna } }) => {
    await chief.put('/security-settings', { ...settings, twoPersonActions: ['keys'] });
    const alarmId = await raise(anna);
    expect((await anna.post(`/alarms/${alarmId}/mask`, { reason: 'work' })).statusCode).toBe(200);
  });
});

describe('nobody decides', () => {
  test('what they have asked for themselves', async ({ people: { anna }, client }) => {
    const approval = await askForMask(anna, await raise(anna));
    const again = client('engineer', { userId: 2, name: 'anna on her phone' });
    const answer = await decide(again, approval);
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('somebody else has to decide');
  });

  test('with an API key, without the same permission, or for other stations', async ({ people, client }) => {
    const approval = await askForMask(people.anna, await raise(people.anna));
    const key = await decide(client('admin', { keyId: 5 }), approval);
    expect(key.statusCode).toBe(403);
    expect(key.body).toContain('A person has to decide');
    expect((await decide(client('viewer', { userId: 4 }), approval)).statusCode).toBe(404);
    const elsewhere = client('engineer', { userId: 4, stationIds: [77] });
    expect((await decide(elsewhere, approval)).statusCode).toBe(404);
  });

  test('at a shared desk', async ({ people: { anna }, runtime }) => {
    const approval = await askForMask(anna, await raise(anna));
    const desk = { kind: 'person', sessionId: crypto.randomUUID() } as const;
    const principals = new Map<string, Principal>();
    const app = await openApp(runtime, principals);
    const bea = clientsOf(app, principals)('operator', { userId: 3, name: 'bea' });
    for (const [token, principal] of principals) principals.set(token, { ...principal, desk });
    const answer = await decide(bea, approval);
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('shared desk');
    await app.close();
  });

  test('what others withdraw', async ({ people: { anna, bea } }) => {
    const approval = await askForMask(anna, await raise(anna));
    expect((await decide(bea, approval, 'Withdraw')).statusCode).toBe(403);
    expect((await decide(anna, approval, 'Withdraw')).json()).toMatchObject({ state: 'Withdrawn' });
    expect((await decide(bea, approval)).statusCode).toBe(409);
  });

  test('after half an hour', async ({ people: { anna, bea }, clock }) => {
    const alarmId = await raise(anna);
    const approval = await askForMask(anna, alarmId);
    clock.advance(1_800);
    expect((await bea.get(`/approvals/${approval.id}`)).json()).toMatchObject({ state: 'Expired' });
    expect((await decide(bea, approval)).statusCode).toBe(409);
    expect((await askForMask(anna, alarmId)).id).not.toBe(approval.id);
  });
});

test('of two people who decide at once at two servers, one decides', async ({ people, runtime }) => {
  const { anna, bea } = people;
  const principals = new Map<string, Principal>();
  const app = await openApp(runtime, principals);
  const carl = clientsOf(app, principals)('engineer', { userId: 4, name: 'carl' });
  for (let round = 0; round < 5; round += 1) {
    const alarmId = await raise(anna, { path: `boiler/${round}` });
    const approval = await askForMask(anna, alarmId);
    const answers = await Promise.all([decide(bea, approval), decide(carl, approval, 'Refuse')]);
    expect(answers.map(({ statusCode }) => `${statusCode}`).toSorted()).toEqual(['200', '409']);
    const isApproved = answers[0]?.statusCode === 200;
    const { state } = (await bea.get(`/approvals/${approval.id}`)).json<Approval>();
    expect(state).toBe(isApproved ? 'Approved' : 'Refused');
    expect((await maskOf(anna, alarmId)) ?? '').toBe(isApproved ? 'work (approved by bea)' : '');
  }
  await app.close();
});

test('the same key twice: two people who approve at once revoke it once', async ({
  people,
  client,
  runtime,
}) => {
  const { chief } = people;
  const { id } = (await chief.post('/apikeys', { name: 'gateway' })).json<{ id: number }>();
  const approval = (await chief.delete(`/apikeys/${id}`)).json<Approval>();
  await chief.post('/users', { username: 'dora', role: 'admin' });
  await chief.post('/users', { username: 'emil', role: 'admin' });
  const others = [5, 6].map((userId) => client('admin', { userId }));
  const answers = await Promise.all(others.map((other) => decide(other, approval)));
  expect(answers.map(({ statusCode }) => `${statusCode}`).toSorted()).toEqual(['200', '409']);
  expect((await chief.get(`/apikeys/${id}`)).json()).toHaveProperty('revokedAt');
  const revoked = (await trailOf(runtime)).filter(({ action }) => action === 'api-key.revoke');
  expect(revoked).toMatchObject([{ actor: { id: '1' }, reason: expect.stringContaining('approved by') }]);
});

describe('what has changed since', () => {
  test('a requester who lost the right or the account', async ({ people }) => {
    const { chief, anna, bea } = people;
    const [one, other] = [await raise(anna), await raise(anna, { path: 'other' })];
    const [first, second] = [await askForMask(anna, one), await askForMask(anna, other)];
    await chief.put('/users/2', { username: 'anna', role: 'viewer' });
    const lost = await decide(bea, first);
    expect(lost.statusCode).toBe(409);
    expect(lost.body).toContain('anna has lost alarms:mask since');
    await chief.delete('/users/2');
    expect((await decide(bea, second)).body).toContain('anna is disabled or deleted since');
    expect((await bea.get(`/approvals/${first.id}`)).json()).toMatchObject({
      state: 'Refused',
      comment: 'anna has lost alarms:mask since',
    });
    expect((await maskOf(bea, one)) ?? '').toBe('');
  });

  test('a key that somebody else has revoked', async ({ people: { chief }, client }) => {
    await chief.post('/users', { username: 'dora', role: 'admin' });
    const dora = client('admin', { userId: 5 });
    const { id } = (await chief.post('/apikeys', { name: 'gateway' })).json<{ id: number }>();
    const approval = (await chief.delete(`/apikeys/${id}`)).json<Approval>();
    await chief.put('/security-settings', { ...settings, twoPersonActions: [] });
    await dora.delete(`/apikeys/${id}`);
    expect((await decide(dora, approval)).body).toContain(`API key ${id} is revoked or deleted since`);
  });
});

describe('commands', () => {
  const command = (scriptId: number) => ({ alarmActions: [{ type: 'ExecuteCommand', scriptId }] });

  test('of a scenario wait, when they are new or changed', async ({ people: { anna, bea }, runtime }) => {
    const asked = await anna.post('/scenarios', { name: 'fire', ...command(7) });
    expect(asked.statusCode, asked.body).toBe(202);
    expect(asked.json()).toMatchObject({ summary: 'Create scenario (fire), which runs commands 7' });
    expect((await bea.get('/scenarios')).json()).toMatchObject({ items: [] });
    expect((await decide(bea, asked.json<Approval>())).statusCode).toBe(200);
    expect((await bea.get('/scenarios/1')).json()).toMatchObject({ name: 'fire', ...command(7) });
    const renamed = await anna.put('/scenarios/1', { name: 'smoke', ...command(7) });
    expect(renamed.statusCode, 'the same commands').toBe(200);
    const changed = await anna.put('/scenarios/1', { name: 'smoke', ...command(8) });
    expect(changed.statusCode).toBe(202);
    await anna.put('/scenarios/1', { name: 'heat', ...command(7) });
    expect((await decide(bea, changed.json<Approval>())).body).toContain('scenario 1 was changed since');
    const created = (await trailOf(runtime)).find(({ action }) => action === 'scenario.create');
    expect(created).toMatchObject({ actor: { id: '2' }, reason: expect.stringContaining('approved by bea') });
  });

  test('reach a tag group only with two people', async ({ people: { anna, bea } }) => {
    const asked = await anna.post('/scenarios', { name: 'fire', ...command(7) });
    await decide(bea, asked.json<Approval>());
    const group = await anna.post('/taggroups', { name: 'pumps', scenarioId: 1 });
    expect(group.statusCode).toBe(202);
    expect((await decide(bea, group.json<Approval>())).statusCode).toBe(200);
    expect((await bea.get('/taggroups/1')).json()).toMatchObject({ name: 'pumps', scenarioId: 1 });
  });

  test('that an alarm brings along are not granted, and the alarm is raised', async ({ people }) => {
    const { anna } = people;
    const alarmId = await raise(anna, command(7));
    expect(alarmId).toBeGreaterThan(0);
    const runs = (await people.chief.get('/commands/runs')).json<{ items: { grantedBy: string }[] }>();
    expect(runs.items).toMatchObject([{ grantedBy: '' }]);
  });

  test('of an alarm run without anybody, because a machine raised it', async ({ people, client }) => {
    const { chief, anna } = people;
    await chief.put('/security-settings', { ...settings, twoPersonActions: [] });
    await raise(anna, { ...command(7), raised: false });
    await chief.put('/security-settings', settings);
    await raise(client('machine', { keyId: 9 }), { priority: undefined });
    const runs = (await chief.get('/commands/runs')).json<{ items: { grantedBy: string }[] }>();
    expect(runs.items).toMatchObject([{ grantedBy: 'user:2' }]);
  });
});

test('an API key cannot ask, and is told that a person is needed', async ({ people: { chief }, client }) => {
  const { id } = (await chief.post('/apikeys', { name: 'gateway' })).json<{ id: number }>();
  const answer = await client('admin', { keyId: 9 }).delete(`/apikeys/${id}`);
  expect(answer.statusCode).toBe(403);
  expect(answer.body).toContain('a person has to ask for it');
  expect((await chief.get(`/apikeys/${id}`)).json()).not.toHaveProperty('revokedAt');
});

test('people see what they have asked for and what they may decide, and nothing else', async ({
  people,
  client,
}) => {
  const { chief, anna, bea } = people;
  await askForMask(anna, await raise(anna));
  const { id } = (await chief.post('/apikeys', { name: 'gateway' })).json<{ id: number }>();
  await chief.delete(`/apikeys/${id}`);
  const listed = async (viewer: Client) =>
    (await viewer.get('/approvals')).json<{ items: Approval[] }>().items.map(({ action }) => action);
  expect(await listed(chief)).toEqual(['keys', 'masks']);
  expect(await listed(anna)).toEqual(['masks']);
  expect(await listed(bea)).toEqual(['masks']);
  expect(await listed(client('viewer', { userId: 8 }))).toEqual([]);
  expect(await listed(client('operator', { userId: 8, stationIds: [77] }))).toEqual([]);
});
