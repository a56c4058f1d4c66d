import { createHash } from 'node:crypto';
import type { CallGroup, CallPreview, CreatedCalendar, Duties } from '@tocsin/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadEvent, readCalendar } from '../harness/calendar/read-calendar.ts';
import { buildRoster, lea, type RosterPlant, shifts, vera } from '../harness/console/roster-plant.ts';
import type { HttpClient } from '../harness/http/http-client.ts';
import { create, granted, openPlant, type Page, type Plant, read } from '../harness/plant.ts';

let plant: Plant;
let works: RosterPlant;
let own: HttpClient;

const dayMs = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
/** A time of the next days, at 06:00 UTC. */
const soon = (days: number) => Math.floor(Date.now() / dayMs) * dayMs + days * dayMs + 6 * 3_600_000;

beforeAll(async () => {
  plant = await openPlant('');
  works = await buildRoster(plant);
  own = plant.someone();
  granted(await own.logIn(lea.username, lea.password));
  const group = await read<CallGroup>(plant.client, `callgroups/${works.groupId}`);
  const { id: _id, lastChange: _change, ...body } = group;
  const overrides = [
    { teamId: 1, from: iso(soon(3)), to: iso(soon(3.5)), reason: 'training; room 2, hall\\B\nask Zoë' },
    { userId: works.userIds[6], replacesUserId: works.userIds[0], from: iso(soon(5)), to: iso(soon(9)) },
  ];
  const holidays = [{ date: iso(soon(12)).slice(0, 10), name: 'Plant day' }];
  const roster = { slotMinutes: 60, slots: shifts, overrides, holidays };
  granted(
    await plant.client.send('PUT', `/api/v1/callgroups/${works.groupId}`, { body: { ...body, roster } }),
  );
  await create(plant.client, 'leaves', { userId: works.userIds[7], from: iso(soon(20)), to: iso(soon(27)) });
});
afterAll(() => plant?.close());

const subscribe = async (client: HttpClient, callGroupId = 0) =>
  granted<CreatedCalendar>(await client.post('/api/v1/calendars', { callGroupId }));
const load = (path: string) => fetch(`${plant.baseUrl}${path}`);
const eventsOf = async (path: string): Promise<ReadEvent[]> => readCalendar(await (await load(path)).text());

/** Instants in each part of the year, before, at and after each change of the clocks and of the events. */
function instantsOf(events: readonly ReadEvent[]): number[] {
  const changes = events.filter(({ from, to }) => {
    const offset = (ms: number) =>
      new Date(ms)
        .toLocaleString('en', { timeZone: 'Europe/Paris', timeZoneName: 'shortOffset' })
        .split(' ')
        .at(-1);
    return offset(from - dayMs) !== offset(to + dayMs);
  });
  const sampled = events.filter((_, index) => index % 97 === 5);
  return [...changes, ...sampled].flatMap(({ from, to }) => [from, from + 1_000, to - 1_000, to]);
}

test('the calendar of a group has the people whom the preview calls, over a year with both clock changes', async () => {
  const { path } = await subscribe(own, works.groupId);
  const events = await eventsOf(path);
  expect(events.length).toBeGreaterThan(366 * 3);
  const first = Math.min(...events.map(({ from }) => from));
  const last = Math.max(...events.map(({ to }) => to));
  expect(last - first).toBeGreaterThan(365 * dayMs);
  const asked = instantsOf(events).filter((ms) => first <= ms && ms < last);
  expect(asked.length).toBeGreaterThan(60);
  for (const at of asked) {
    const body = { callGroupId: works.groupId, at: iso(at), seconds: 1 };
    const preview = granted<CallPreview>(await plant.client.post('/api/v1/call/preview', body));
    const called = preview.calls.filter(({ role }) => role === 'first').map(({ user }) => user);
    const shown = events.find(({ from, to }) => from <= at && at < to);
    expect([iso(at), called[0]]).toEqual([iso(at), shown?.summary.split(', ')[0]]);
  }
}, 120_000);

test('events and gaps of the calendar are the duties of the interface, each with an identifier of its own', async () => {
  const { path } = await subscribe(own, works.groupId);
  const events = await eventsOf(path);
  const [from, to] = [soon(0), soon(300)];
  const { duties } = await read<Duties>(
    plant.client,
    `callgroups/${works.groupId}/duties?from=${iso(from)}&to=${iso(to)}`,
  );
  const within = events.filter((event) => event.from > from && event.to < to);
  const expected = duties
    .slice(1, -1)
    .filter(({ people }) => people.length > 0)
    .map((duty) => [
      Date.parse(duty.from),
      Date.parse(duty.to),
      duty.people.map(({ user }) => user).join(', '),
    ]);
  expect(within.map((event) => [event.from, event.to, event.summary])).toEqual(expected);
  expect(duties.some(({ why }) => why === 'nobody')).toBe(true);
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
  const again = await eventsOf(path);
  expect(again.map(({ uid }) => uid)).toEqual(events.map(({ uid }) => uid));
});

test('the calendar of a person has their duties, with those they took over', async () => {
  const { path } = await subscribe(own);
  const events = await eventsOf(path);
  const hours = ({ from, to }: ReadEvent) => (to - from) / 3_600_000;
  const between = (from: number, to: number) => events.filter((event) => from <= event.from && event.to < to);
  // Team C has the afternoons; for Anna, Lea has the nights as well, and keeps the duty from one to the other.
  expect(between(soon(5.5), soon(8)).map(hours)).toEqual([16, 16]);
  expect(new Set(between(soon(40), soon(60)).map(hours))).toEqual(new Set([8]));
  expect(events.every(({ summary }) => summary === 'On duty: Process on-call')).toBe(true);
});

test('lines are folded and ended as RFC 5545 wants it, and special characters arrive', async () => {
  const name =
    'Pumps; valves, "north"\\south – Équipe de nuit très longue, avec beaucoup de caractères accentués';
  const id = await create(plant.client, 'callgroups', {
    name,
    teams: [{ id: 1, name: 'A', userIds: works.userIds.slice(0, 4) }],
    roster: { slotMinutes: 60, slots: [{ teamId: 1, day: 1, start: '08:00', end: '16:00' }] },
  });
  const { path } = await subscribe(own, id);
  const answer = await load(path);
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(answer.headers.get('cache-control')).toContain('no-store');
  const text = await answer.text();
  const lines = text.split('\r\n');
  expect(lines.at(-1)).toBe('');
  expect(lines.filter((line) => Buffer.byteLength(line) > 75 || line.includes('\n'))).toEqual([]);
  expect((await readCalendar(text))[0]?.description).toBe(name);
});

test('the secret opens one calendar, only its hash is kept, and it can be revoked', async () => {
  const { id, path } = await subscribe(own, works.groupId);
  const token = path.split('token=')[1] ?? '';
  const secret = token.split('_').slice(3).join('_');
  const database = new pg.Client({ connectionString: plant.databaseUrl });
  await database.connect();
  const { rows } = await database.query('select secret_hash from calendar_feeds where id = $1', [id]);
  await database.end();
  expect(rows[0].secret_hash).toEqual(createHash('sha256').update(secret).digest());

  const elsewhere = `/api/v1/users/${works.userIds[6]}/calendar.ics?token=${token}`;
  const refused = [
    elsewhere,
    path.replace(/.$/, 'x'),
    path.split('?')[0] ?? '',
    path.replace('tcc_1_', 'tcc_2_'),
  ];
  for (const wrong of refused) expect((await load(wrong)).status).toBe(404);
  const otherwise = await fetch(`${plant.baseUrl}/api/v1/callgroups`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(otherwise.status).toBe(401);

  const listed = await read<Page<{ id: number; lastUsedAt?: string }>>(own, 'calendars');
  expect(JSON.stringify(listed)).not.toContain(secret);
  expect((await load(path)).status).toBe(200);
  expect((await own.send('DELETE', `/api/v1/calendars/${id}`)).status).toBe(204);
  expect((await load(path)).status).toBe(404);
  const { items } = await read<Page<{ action: string }>>(plant.client, 'audit?action=calendar');
  expect(items.map(({ action }) => action)).toContain('calendar.revoke');
  expect(JSON.stringify(items)).not.toContain(secret);
});

test('a calendar ends with the account of its owner, and nobody revokes that of another', async () => {
  const client = plant.someone();
  granted(await client.logIn(vera.username, vera.password));
  const { id, path } = await subscribe(client, works.groupId);
  expect((await own.send('DELETE', `/api/v1/calendars/${id}`)).status).toBe(404);
  expect((await load(path)).status).toBe(200);
  const users = await read<Page<{ id: number; username: string }>>(plant.client, 'users?limit=1000');
  const user = users.items.find(({ username }) => username === vera.username);
  const body = { ...user, enabled: false };
  granted(await plant.client.send('PUT', `/api/v1/users/${user?.id}`, { body }));
  expect((await load(path)).status).toBe(404);
});
