import type { AlarmHistory } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HistoryPlant, latestEntry, openHistoryPlant } from '../../harness/history-plant.ts';
import { moveOccurrence } from '../../harness/move-occurrence.ts';
import {
  basePaths,
  between,
  duration,
  jsonTypeOf,
  offsetDateTime,
  type Page,
  raise,
  read,
} from '../../harness/plant.ts';

/** The table of §2.3, in its order. */
const members = [
  ['id', 'integer'],
  ['tagId', 'integer'],
  ['tagName', 'string'],
  ['message', 'string'],
  ['priority', 'integer'],
  ['alarmTime', 'string'],
  ['ackTime', 'string'],
  ['resetTime', 'string'],
  ['alarmDuration', 'string'],
  ['reactionDuration', 'string'],
  ['interventionDuration', 'string'],
  ['comment', 'string'],
] as const;
const always = ['id', 'tagId', 'tagName', 'message', 'priority', 'alarmTime', 'comment'];

describe.each(basePaths)('the histories at "%s"', (basePath) => {
  let plant: HistoryPlant;
  let full: AlarmHistory;
  let open: AlarmHistory;
  let returned: AlarmHistory;
  let acknowledged: AlarmHistory;
  let late: AlarmHistory;

  beforeAll(async () => {
    plant = await openHistoryPlant(basePath);
    full = await latestEntry(plant, plant.alpha.tagId);
    acknowledged = await latestEntry(plant, plant.beta.tagId);
    open = await latestEntry(plant, plant.open);
    returned = await latestEntry(plant, plant.returned);
    late = await latestEntry(plant, plant.late);
  });
  afterAll(() => plant.close());

  test('§4.3 GET /api/v1/alarms/histories answers 200 with JSON', async () => {
    const answer = await plant.client.get('/api/v1/alarms/histories');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
  });

  test('§2.1 paging of histories has offset, limit and total', async () => {
    const { paging } = await read<Page<AlarmHistory>>(plant.client, 'alarms/histories?offset=1&limit=2');
    expect(paging).toEqual({ offset: 1, limit: 2, total: 5 });
  });

  test('§2.3 an entry that was acknowledged and reset has exactly the 12 members', () => {
    expect(Object.keys(full).toSorted()).toEqual(members.map(([name]) => name).toSorted());
  });

  test.each(members)('§2.3 AlarmHistory.%s has the JSON type %s', (name, type) => {
    expect(jsonTypeOf(full[name])).toBe(type);
  });

  test('§2.3 AlarmHistory.id is its own number, dense from 1', async () => {
    const { items } = await read<Page<AlarmHistory>>(plant.client, 'alarms/histories?sort=%2Bid');
    expect(items.map(({ id }) => id)).toEqual(items.map((_, index) => index + 1));
  });

  test('§2.3 AlarmHistory.tagId is the id of the alarm', () => {
    expect(full.tagId).toBe(plant.alpha.tagId);
  });

  test('§2.3 AlarmHistory.tagName is the name of the tag', () => {
    expect(full.tagName).toBe('Tag alpha');
  });

  test('§2.3 AlarmHistory.message is the message', () => {
    expect(full.message).toBe('Flood in hall alpha');
  });

  test('§2.3 AlarmHistory.priority is the priority', () => {
    expect(full.priority).toBe(2);
  });

  test.each(['alarmTime', 'ackTime', 'resetTime'] as const)(
    '§2.3 AlarmHistory.%s is in whole seconds with the offset of the station',
    (name) => {
      expect(full[name]).toMatch(offsetDateTime);
      expect(full[name]?.slice(19)).toBe('+05:30');
    },
  );

  test('§2.3 raised, acknowledged and reset come in the order in which they happened', () => {
    const times = [full.alarmTime, full.ackTime, full.resetTime].map((time) => Date.parse(time ?? ''));
    expect(times[1]).toBeGreaterThan(times[0] ?? Number.NaN);
    expect(times[2]).toBeGreaterThan(times[1] ?? Number.NaN);
  });

  test('§2.3 AlarmHistory.alarmDuration is reset − raise as they are shown', () => {
    expect(full.alarmDuration).toMatch(duration);
    expect(full.alarmDuration).toBe(between(full.alarmTime, full.resetTime));
  });

  test('§2.3 AlarmHistory.reactionDuration is acknowledgment − raise', () => {
    expect(full.reactionDuration).toBe(between(full.alarmTime, full.ackTime));
  });

  test('§2.3 AlarmHistory.interventionDuration is reset − acknowledgment', () => {
    expect(full.interventionDuration).toBe(between(full.ackTime, full.resetTime));
  });

  test('§2.3 AlarmHistory.comment is the comment of the occurrence', () => {
    expect(full.comment).toBe('Mopped up');
  });

  test('§2.3 AlarmHistory.comment is the empty string when there is none', () => {
    expect(open.comment).toBe('');
  });

  test('§2.3 an entry neither acknowledged nor reset has just the members that are always there', () => {
    expect(Object.keys(open).toSorted()).toEqual(always.toSorted());
  });

  test('§2.3 ackTime is left out, not null, when the alarm was not acknowledged', () => {
    expect(open).not.toHaveProperty('ackTime');
    expect(returned).not.toHaveProperty('ackTime');
  });

  test('§2.3 resetTime is left out, not null, when the alarm was not reset', () => {
    expect(open).not.toHaveProperty('resetTime');
    expect(acknowledged).not.toHaveProperty('resetTime');
  });

  test('§2.3 alarmDuration is left out when the alarm was not reset', () => {
    expect(acknowledged).not.toHaveProperty('alarmDuration');
  });

  test('§2.3 reactionDuration is left out when the alarm was not acknowledged', () => {
    expect(returned).not.toHaveProperty('reactionDuration');
    expect(returned).toHaveProperty('alarmDuration', between(returned.alarmTime, returned.resetTime));
  });

  test('§2.3 interventionDuration is left out when one of its ends is missing', () => {
    expect(returned).not.toHaveProperty('interventionDuration');
    expect(acknowledged).not.toHaveProperty('interventionDuration');
    expect(acknowledged).toHaveProperty('reactionDuration');
  });

  test('§2.3 interventionDuration is left out when the alarm was acknowledged after its reset', () => {
    expect(late).toHaveProperty('ackTime');
    expect(late).toHaveProperty('resetTime');
    expect(late).not.toHaveProperty('interventionDuration');
  });

  test('§2.3 no member of any entry is null', async () => {
    const { text } = await plant.client.get('/api/v1/alarms/histories?limit=1000');
    expect(text).not.toContain('null');
  });

  test('§2.3 a new occurrence of a tag is a new entry, and the old one stays as it was', async () => {
    const before = await latestEntry(plant, plant.alpha.tagId);
    const { stationId, dataServerId } = plant.alpha;
    await raise(plant.client, { stationId, dataServerId, path: 'Tag alpha', alarmMessage: 'Flood again' });
    const after = await latestEntry(plant, plant.alpha.tagId);
    expect(after.id).toBeGreaterThan(before.id);
    expect(after.message).toBe('Flood again');
    const { items } = await read<Page<AlarmHistory>>(plant.client, 'alarms/histories?limit=1000');
    expect(items.find(({ id }) => id === before.id)).toEqual(before);
  });

  test('§2.3 a repeat is no new entry', async () => {
    const { items } = await read<Page<AlarmHistory>>(plant.client, 'alarms/histories?limit=1000');
    await raise(plant.client, { path: 'Open' });
    const { paging } = await read<Page<AlarmHistory>>(plant.client, 'alarms/histories');
    expect(paging.total).toBe(items.length);
  });

  test('§2.3 times across a change of the clocks have each their own offset, and a duration of real time', async () => {
    const stationId = await parisStation();
    const tagId = await raise(plant.client, { stationId, path: 'Through the night' });
    const { id } = await latestEntry(plant, tagId);
    await moveOccurrence(plant.databaseUrl, id, {
      raised: '2026-03-29T00:30:00Z',
      acknowledged: '2026-03-29T00:59:59Z',
      reset: '2026-03-29T01:30:00Z',
    });
    expect(await latestEntry(plant, tagId)).toMatchObject({
      alarmTime: '2026-03-29T01:30:00+01:00',
      ackTime: '2026-03-29T01:59:59+01:00',
      resetTime: '2026-03-29T03:30:00+02:00',
      alarmDuration: '01:00:00',
      reactionDuration: '00:29:59',
      interventionDuration: '00:30:01',
    });
  });

  test('§2.3 the hour that clocks show twice has two offsets', async () => {
    const tagId = await raise(plant.client, { stationId: await parisStation(), path: 'Twice' });
    const { id } = await latestEntry(plant, tagId);
    await moveOccurrence(plant.databaseUrl, id, {
      raised: '2025-10-26T00:30:00Z',
      reset: '2025-10-26T01:30:00Z',
    });
    expect(await latestEntry(plant, tagId)).toMatchObject({
      alarmTime: '2025-10-26T02:30:00+02:00',
      resetTime: '2025-10-26T02:30:00+01:00',
      alarmDuration: '01:00:00',
    });
  });

  test('§2.3 a duration of days goes on counting hours', async () => {
    const tagId = await raise(plant.client, { path: 'Long' });
    const { id } = await latestEntry(plant, tagId);
    await moveOccurrence(plant.databaseUrl, id, {
      raised: '2026-01-01T00:00:00Z',
      acknowledged: '2026-01-02T00:00:00Z',
      reset: '2026-01-06T17:05:09Z',
    });
    expect(await latestEntry(plant, tagId)).toMatchObject({
      alarmDuration: '137:05:09',
      reactionDuration: '24:00:00',
      interventionDuration: '113:05:09',
    });
  });

  test('§2.3 what is shown is cut to whole seconds, and durations agree with it', async () => {
    const tagId = await raise(plant.client, { path: 'Fractions' });
    const { id } = await latestEntry(plant, tagId);
    await moveOccurrence(plant.databaseUrl, id, {
      raised: '2026-01-01T00:00:00.9Z',
      acknowledged: '2026-01-01T00:00:01.1Z',
      reset: '2026-01-01T00:00:03.0Z',
    });
    expect(await latestEntry(plant, tagId)).toMatchObject({
      alarmTime: '2026-01-01T00:00:00+00:00',
      ackTime: '2026-01-01T00:00:01+00:00',
      alarmDuration: '00:00:03',
      reactionDuration: '00:00:01',
      interventionDuration: '00:00:02',
    });
  });

  let paris: number | undefined;
  async function parisStation(): Promise<number> {
    const body = { name: 'Paris', timeZone: 'Europe/Paris' };
    paris ??= (await plant.client.post('/api/v1/stations', body)).json<number>();
    return paris;
  }
});
