import type { Alarm, AlarmDetail } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveOccurrence } from '../../harness/move-occurrence.ts';
import {
  bareDateTime,
  basePaths,
  create,
  jsonTypeOf,
  logInAs,
  offsetDateTime,
  openPlant,
  type Page,
  type Plant,
  raise,
  read,
} from '../../harness/plant.ts';

/** The table of §2.2, in its order. */
const members = [
  ['id', 'integer'],
  ['dataServerId', 'integer'],
  ['path', 'string'],
  ['fullPath', 'string'],
  ['name', 'string'],
  ['localizedName', 'string'],
  ['value', 'string'],
  ['message', 'string'],
  ['resetMessage', 'string'],
  ['ackMessage', 'string'],
  ['priority', 'integer'],
  ['state', 'integer'],
  ['masked', 'boolean'],
  ['alarmTime', 'string'],
  ['lastChange', 'string'],
  ['ackUser', 'string'],
  ['attachedFile', 'string'],
  ['resetAttachedFile', 'string'],
  ['ackAttachedFile', 'string'],
  ['comment', 'string'],
] as const;
const names = members.map(([name]) => name).toSorted();

const pump = {
  path: 'Line 1/Pump 7',
  value: '87.5',
  alarmMessage: 'Pressure too high',
  resetMessage: 'Pressure is normal',
  ackMessage: 'Somebody is on the way',
  priority: 3,
  alarmAttachedFile: 'pump.pdf',
  resetAttachedFile: 'reset.pdf',
  ackAttachedFile: 'ack.pdf',
};

const offsetNow = (timeZone: string) => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '');
};

describe.each(basePaths)('the members of an alarm at "%s"', (basePath) => {
  let plant: Plant;
  let dataServerId: number;
  let kolkata: number;
  let startedAt: number;
  /** An alarm with every member set, acknowledged and commented. */
  let full: Alarm;
  /** An alarm with no member set. */
  let bare: Alarm;

  const alarm = async (id: number) => {
    const { items } = await read<Page<Alarm>>(plant.client, 'alarms?limit=1000');
    const found = items.find((item) => item.id === id);
    if (!found) throw new Error(`alarm ${id} is not listed`);
    return found;
  };
  const alarmIn = async (timeZone: string) => {
    const stationId = await create(plant.client, 'stations', { name: `At ${timeZone}`, timeZone });
    return alarm(await raise(plant.client, { stationId, path: `Clock ${timeZone}` }));
  };

  beforeAll(async () => {
    plant = await openPlant(basePath);
    const { client } = plant;
    startedAt = Date.now();
    kolkata = await create(client, 'stations', { name: 'Kolkata', timeZone: 'Asia/Kolkata' });
    dataServerId = await create(client, 'dataservers', { name: 'Boiler house', stationId: kolkata });
    const fullId = await raise(client, { ...pump, stationId: kolkata, dataServerId });
    const bareId = await raise(client, {});
    const petra = await logInAs(plant, { username: 'petra', name: 'Petra Vogel', role: 'operator' });
    await petra.client.post(`/api/v1/alarms/${fullId}/acknowledge`, { comment: 'On my way' });
    full = await alarm(fullId);
    bare = await alarm(bareId);
  });
  afterAll(() => plant.close());

  test('§4.1 GET /api/v1/alarms answers 200 with JSON', async () => {
    const answer = await plant.client.get('/api/v1/alarms');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
  });

  test('§2.1 a PagingCollection has the members items and paging and no other', async () => {
    expect(Object.keys(await read<object>(plant.client, 'alarms')).toSorted()).toEqual(['items', 'paging']);
  });

  test('§2.1 items is an array of alarms', async () => {
    const { items } = await read<Page<Alarm>>(plant.client, 'alarms?limit=2');
    expect(items.map(({ id }) => id)).toEqual([full.id, bare.id]);
  });

  test('§2.1 paging is an object with offset, limit and total and no other', async () => {
    const { paging } = await read<Page<Alarm>>(plant.client, 'alarms');
    expect(Object.keys(paging).toSorted()).toEqual(['limit', 'offset', 'total']);
  });

  test('§2.1 paging.offset is present for alarms, as the number that was asked for', async () => {
    expect((await read<Page<Alarm>>(plant.client, 'alarms?offset=1')).paging.offset).toBe(1);
    expect((await read<Page<Alarm>>(plant.client, 'alarms')).paging.offset).toBe(0);
  });

  test('§2.1 paging.limit is the page size that applied', async () => {
    expect((await read<Page<Alarm>>(plant.client, 'alarms?limit=7')).paging.limit).toBe(7);
  });

  test('§2.1 paging.total counts all alarms that match, not those of the page', async () => {
    const { items, paging } = await read<Page<Alarm>>(plant.client, 'alarms?limit=1&search=pump');
    expect([items.length, paging.total]).toEqual([1, 1]);
    expect((await read<Page<Alarm>>(plant.client, 'alarms?limit=1')).paging.total).toBeGreaterThan(1);
  });

  test('§2.2 an alarm with every member set has exactly the 20 members', () => {
    expect(Object.keys(full).toSorted()).toEqual(names);
  });

  test('§2.2 an alarm with no member set has exactly the same 20 members', () => {
    expect(Object.keys(bare).toSorted()).toEqual(names);
  });

  test('§2.2 no member is ever null', () => {
    expect(Object.values(full)).not.toContain(null);
    expect(Object.values(bare)).not.toContain(null);
  });

  test.each(members)('§2.2 Alarm.%s has the JSON type %s', (name, type) => {
    expect(jsonTypeOf(full[name])).toBe(type);
    expect(jsonTypeOf(bare[name])).toBe(type);
  });

  test('§2.2 Alarm.id is what the creation answered', async () => {
    const id = await raise(plant.client, { path: 'Line 1/Identity' });
    expect((await alarm(id)).id).toBe(id);
  });

  test('§2.2 Alarm.dataServerId is that of the data server', () => {
    expect(full.dataServerId).toBe(dataServerId);
  });

  test('§2.2 Alarm.path is the tag path', () => {
    expect(full.path).toBe('Line 1/Pump 7');
  });

  test('§2.2 Alarm.fullPath is the name of the data server, one backslash and the path', () => {
    expect(full.fullPath).toBe('Boiler house\\Line 1/Pump 7');
    expect(full.fullPath.split('\\')).toHaveLength(2);
  });

  test('§2.2 Alarm.fullPath has exactly one backslash on the wire too, escaped once', async () => {
    const { text } = await plant.client.get('/api/v1/alarms?search=pump');
    expect(text).toContain('"fullPath":"Boiler house\\\\Line 1/Pump 7"');
  });

  test('§2.2 Alarm.name is the path by default', () => {
    expect(full.name).toBe('Line 1/Pump 7');
  });

  test('§2.2 Alarm.localizedName is the name by default', () => {
    expect(full.localizedName).toBe('Line 1/Pump 7');
  });

  test('§2.2 Alarm.value is the value as a string, as it was sent', () => {
    expect(full.value).toBe('87.5');
  });

  test('§2.2 Alarm.message is the alarm message', () => {
    expect(full.message).toBe('Pressure too high');
  });

  test('§2.2 Alarm.resetMessage is the message on reset', () => {
    expect(full.resetMessage).toBe('Pressure is normal');
  });

  test('§2.2 Alarm.ackMessage is the message on acknowledgment', () => {
    expect(full.ackMessage).toBe('Somebody is on the way');
  });

  test('§2.2 Alarm.priority is the priority', () => {
    expect(full.priority).toBe(3);
  });

  test('§2.2 Alarm.state is 3 when raised and 1 once acknowledged', () => {
    expect([bare.state, full.state]).toEqual([3, 1]);
  });

  test('§2.2 Alarm.masked is false, and true once somebody masked it', async () => {
    const id = await raise(plant.client, { path: 'Line 1/Masked' });
    expect((await alarm(id)).masked).toBe(false);
    await plant.client.post(`/api/v1/alarms/${id}/mask`, { reason: 'under repair' });
    expect((await alarm(id)).masked).toBe(true);
  });

  test('§2.2 Alarm.alarmTime is an ISO date-time in whole seconds with the offset of the station', () => {
    expect(full.alarmTime).toMatch(offsetDateTime);
    expect(full.alarmTime.slice(19)).toBe('+05:30');
  });

  test('§2.2 Alarm.alarmTime is the time the alarm was raised', () => {
    expect(Date.parse(full.alarmTime)).toBeGreaterThanOrEqual(startedAt - 1_000);
    expect(Date.parse(full.alarmTime)).toBeLessThanOrEqual(Date.now());
  });

  test('§2.2 Alarm.alarmTime at a station in UTC ends in +00:00 and never in Z', () => {
    expect(bare.alarmTime).toMatch(offsetDateTime);
    expect(bare.alarmTime.slice(19)).toBe('+00:00');
  });

  test.each(['America/St_Johns', 'Europe/Paris', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
    '§2.2 Alarm.alarmTime at a station in %s has the offset of that zone today',
    async (timeZone) => {
      const { alarmTime } = await alarmIn(timeZone);
      expect(alarmTime).toMatch(offsetDateTime);
      expect(alarmTime.slice(19)).toBe(offsetNow(timeZone));
      expect(Math.abs(Date.parse(alarmTime) - Date.now())).toBeLessThan(30_000);
    },
  );

  test.each([
    ['before clocks go forward', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
    ['after clocks went forward', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['before clocks go back', '2025-10-26T00:59:59Z', '2025-10-26T02:59:59+02:00'],
    ['after clocks went back', '2025-10-26T01:00:00Z', '2025-10-26T02:00:00+01:00'],
  ])('§2.2 Alarm.alarmTime of the second %s has the offset of that second', async (_when, raised, shown) => {
    const { id } = await alarmIn('Europe/Paris');
    const { occurrenceId } = await read<AlarmDetail>(plant.client, `alarms/${id}`);
    await moveOccurrence(plant.databaseUrl, occurrenceId, { raised });
    expect((await alarm(id)).alarmTime).toBe(shown);
  });

  test('§2.2 Alarm.lastChange is an ISO date-time without offset', () => {
    expect(full.lastChange).toMatch(bareDateTime);
    expect(bare.lastChange).toMatch(bareDateTime);
  });

  test('§2.2 Alarm.lastChange is in UTC whatever the zone of the station', () => {
    const changedAt = Date.parse(`${full.lastChange}Z`);
    expect(changedAt).toBeGreaterThanOrEqual(startedAt - 1_000);
    expect(changedAt).toBeLessThanOrEqual(Date.now());
  });

  test('§2.2 Alarm.lastChange moves on with a change, and alarmTime stays', async () => {
    const id = await raise(plant.client, { path: 'Line 1/Moves on' });
    const before = await alarm(id);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await plant.client.post(`/api/v1/alarms/${id}/acknowledge`);
    const after = await alarm(id);
    expect(Date.parse(after.lastChange)).toBeGreaterThan(Date.parse(before.lastChange));
    expect(after.alarmTime).toBe(before.alarmTime);
  });

  test('§2.2 Alarm.ackUser is the display name of the user who acknowledged', () => {
    expect(full.ackUser).toBe('Petra Vogel');
  });

  test('§2.2 Alarm.comment is the latest comment', () => {
    expect(full.comment).toBe('On my way');
  });

  test('§2.2 Alarm.attachedFile, resetAttachedFile and ackAttachedFile are the files that were named', () => {
    expect([full.attachedFile, full.resetAttachedFile, full.ackAttachedFile]).toEqual([
      'pump.pdf',
      'reset.pdf',
      'ack.pdf',
    ]);
  });

  test.each(['ackUser', 'attachedFile', 'resetAttachedFile', 'ackAttachedFile', 'comment'] as const)(
    '§2.2 Alarm.%s is the empty string when there is none',
    (name) => {
      expect(bare[name]).toBe('');
    },
  );

  test.each(['value', 'message', 'resetMessage', 'ackMessage'] as const)(
    '§2.2 Alarm.%s is the empty string when nothing was said',
    (name) => {
      expect(bare[name]).toBe('');
    },
  );

  test('§2.2 texts of every script are returned unchanged', async () => {
    const alarmMessage = 'Größe „zu hoch“ – 温度 ≥ 90 °C \\ "\' <b>\n\tпожар 🔥';
    const id = await raise(plant.client, { path: 'Línea/1 🔥', alarmMessage });
    expect(await alarm(id)).toMatchObject({ message: alarmMessage, path: 'Línea/1 🔥' });
  });

  test('§3 GET /api/v1/alarms/{id} shows the same 20 members as the list', async () => {
    const detail = await read<AlarmDetail>(plant.client, `alarms/${full.id}`);
    expect(detail).toMatchObject(full);
  });
});
