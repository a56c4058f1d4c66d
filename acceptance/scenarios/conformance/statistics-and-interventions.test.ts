import type { AlarmIntervention, AlarmStatistic } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latestEntry } from '../../harness/history-plant.ts';
import type { HttpClient } from '../../harness/http/http-client.ts';
import { moveOccurrence } from '../../harness/move-occurrence.ts';
import {
  basePaths,
  create,
  duration,
  jsonTypeOf,
  logInAs,
  openPlant,
  type Page,
  type Plant,
  raise,
  read,
} from '../../harness/plant.ts';

const statisticMembers = [
  ['id', 'integer'],
  ['tagName', 'string'],
  ['message', 'string'],
  ['priority', 'integer'],
  ['code', 'integer'],
  ['failureNumber', 'integer'],
  ['failureTotalTime', 'string'],
  ['failureMeanTime', 'string'],
] as const;

const interventionMembers = [
  ['id', 'integer'],
  ['user', 'string'],
  ['interventionNumber', 'integer'],
  ['reactionMeanTime', 'string'],
  ['interventionMeanTime', 'string'],
] as const;

const pump = { path: 'Pump', alarmMessage: 'Dry run', priority: 4, alarmShortMessage: '4711' };

describe.each(basePaths)('statistics and interventions at "%s"', (basePath) => {
  let plant: Plant;
  let ada: { id: number; client: HttpClient };
  let ben: { id: number; client: HttpClient };
  let pumpId: number;

  type Times = { raised: string; acknowledged?: string; reset?: string };
  /** One occurrence of a tag at the times given, acknowledged by the given user. */
  const happened = async (tag: object, times: Times, by: HttpClient = plant.client) => {
    const id = await raise(plant.client, tag);
    if (times.acknowledged !== undefined) await by.post(`/api/v1/alarms/${id}/acknowledge`);
    if (times.reset !== undefined) await plant.client.post(`/api/v1/alarms/${id}/reset`);
    await moveOccurrence(plant.databaseUrl, (await latestEntry(plant, id)).id, times);
    return id;
  };
  const statistics = async (query = '') =>
    (await read<Page<AlarmStatistic>>(plant.client, `alarms/statistics?limit=1000${query}`)).items;
  const statistic = async (id: number, query = '') => (await statistics(query)).find((row) => row.id === id);
  const interventions = async (query = '') =>
    (await read<Page<AlarmIntervention>>(plant.client, `alarms/interventions?limit=1000${query}`)).items;
  const intervention = async (id: number, query = '') =>
    (await interventions(query)).find((row) => row.id === id);

  beforeAll(async () => {
    plant = await openPlant(basePath);
    ada = await logInAs(plant, { username: 'ada', name: 'Ada Byron', role: 'operator' });
    ben = await logInAs(plant, { username: 'ben', name: 'Ben Oum', role: 'operator' });
    pumpId = await happened(
      pump,
      { raised: '2026-01-01T00:00:00Z', acknowledged: '2026-01-01T00:01:00Z', reset: '2026-01-01T00:10:00Z' },
      ada.client,
    );
    await happened(
      pump,
      {
        raised: '2026-01-01T02:00:00.6Z',
        acknowledged: '2026-01-01T02:00:20.4Z',
        reset: '2026-01-01T02:00:30.4Z',
      },
      ada.client,
    );
    await happened(
      { path: 'Fan' },
      { raised: '2026-01-02T00:00:00Z', acknowledged: '2026-01-02T00:02:00Z' },
      ben.client,
    );
  });
  afterAll(() => plant.close());

  test.each(['statistics', 'interventions'])(
    '§4.4 GET /api/v1/alarms/%s answers 200 with JSON',
    async (list) => {
      const answer = await plant.client.get(`/api/v1/alarms/${list}`);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    },
  );

  test.each(['statistics', 'interventions'])(
    '§2.1 paging.offset is absent from %s, although the parameter works',
    async (list) => {
      const page = await read<Page<{ id: number }>>(plant.client, `alarms/${list}?offset=1&limit=1`);
      expect(page.paging).toEqual({ limit: 1, total: 2 });
      const { items } = await read<Page<{ id: number }>>(plant.client, `alarms/${list}`);
      // Not all of them: how long an alarm has been active goes on between the two.
      expect(page.items.map(({ id }) => id)).toEqual(items.slice(1, 2).map(({ id }) => id));
    },
  );

  test('§2.4 a statistic has exactly the 8 members', async () => {
    const row = (await statistic(pumpId)) ?? {};
    expect(Object.keys(row).toSorted()).toEqual(statisticMembers.map(([name]) => name).toSorted());
  });

  test.each(statisticMembers)('§2.4 AlarmStatistic.%s has the JSON type %s', async (name, type) => {
    expect(jsonTypeOf((await statistic(pumpId))?.[name])).toBe(type);
  });

  test('§2.4 there is one row per tag that failed, and its id is that of the tag', async () => {
    const ids = (await statistics('&to=2026-01-03')).map(({ id }) => id);
    expect(ids).toEqual([pumpId, pumpId + 1]);
  });

  test('§2.4 AlarmStatistic.tagName is the name of the tag', async () => {
    expect((await statistic(pumpId))?.tagName).toBe('Pump');
  });

  test('§2.4 AlarmStatistic.message is the message of the tag', async () => {
    expect((await statistic(pumpId))?.message).toBe('Dry run');
  });

  test('§2.4 AlarmStatistic.priority is the priority of the tag', async () => {
    expect((await statistic(pumpId))?.priority).toBe(4);
  });

  test.each([
    ['4711', 4_711],
    ['007', 7],
    ['4294967295', 4_294_967_295],
    ['4294967296', 0],
    ['P7', 0],
    ['-5', 0],
    ['1.5', 0],
    ['', 0],
  ])('§2.4 AlarmStatistic.code of the short message "%s" is %i', async (alarmShortMessage, code) => {
    const id = await raise(plant.client, { path: `Code ${alarmShortMessage}`, alarmShortMessage });
    expect((await statistic(id))?.code).toBe(code);
  });

  test('§2.4 AlarmStatistic.failureNumber counts the occurrences', async () => {
    expect((await statistic(pumpId))?.failureNumber).toBe(2);
  });

  test('§2.4 AlarmStatistic.failureNumber does not count repeats', async () => {
    const id = await raise(plant.client, { path: 'Chatter' });
    await raise(plant.client, { path: 'Chatter' });
    expect((await statistic(id))?.failureNumber).toBe(1);
  });

  test('§2.4 AlarmStatistic.failureTotalTime adds up the durations that histories show', async () => {
    expect((await statistic(pumpId))?.failureTotalTime).toBe('00:10:30');
  });

  test('§2.4 AlarmStatistic.failureMeanTime is the total by the number', async () => {
    expect((await statistic(pumpId))?.failureMeanTime).toBe('00:05:15');
  });

  test('§2.4 only occurrences of the period count', async () => {
    expect(await statistic(pumpId, '&from=2026-01-01T01:00:00Z&to=2026-01-02')).toMatchObject({
      failureNumber: 1,
      failureTotalTime: '00:00:30',
      failureMeanTime: '00:00:30',
    });
  });

  test('§2.4 an occurrence still active counts up to the end of the period', async () => {
    expect(await statistic(pumpId + 1, '&to=2026-01-02T01:00:00Z')).toMatchObject({
      failureNumber: 1,
      failureTotalTime: '01:00:00',
    });
  });

  test.each(['', '&to=2999-01-01'])(
    '§2.4 an occurrence still active counts up to now when the period ends later (%j)',
    async (query) => {
      const { failureTotalTime = '' } = (await statistic(pumpId + 1, query)) ?? {};
      expect(failureTotalTime).toMatch(duration);
      const hours = (Date.now() - Date.parse('2026-01-02T00:00:00Z')) / 3_600_000;
      expect(Math.abs(Number(failureTotalTime.split(':')[0]) - hours)).toBeLessThan(1.1);
    },
  );

  test('§2.4 a tag without an occurrence has no row', async () => {
    const id = await raise(plant.client, { path: 'Never failed', raised: false });
    expect(await statistic(id)).toBeUndefined();
  });

  test('§2.4 a tag that is gone keeps its row', async () => {
    const id = await raise(plant.client, { alarmMessage: 'SOS' });
    await plant.client.post(`/api/v1/alarms/${id}/acknowledge`);
    await plant.client.post(`/api/v1/alarms/${id}/reset`);
    expect(await statistic(id)).toMatchObject({ tagName: `api/${id}`, message: 'SOS', failureNumber: 1 });
  });

  test('§2.5 an intervention has exactly the 5 members', async () => {
    const row = (await intervention(ada.id)) ?? {};
    expect(Object.keys(row).toSorted()).toEqual(interventionMembers.map(([name]) => name).toSorted());
  });

  test.each(interventionMembers)('§2.5 AlarmIntervention.%s has the JSON type %s', async (name, type) => {
    expect(jsonTypeOf((await intervention(ada.id))?.[name])).toBe(type);
  });

  test('§2.5 AlarmIntervention.id is the id of the user, one row each', async () => {
    const ids = (await interventions('&to=2026-01-03')).map(({ id }) => id);
    expect(ids).toEqual([ada.id, ben.id]);
  });

  test('§2.5 AlarmIntervention.user is the display name', async () => {
    expect((await intervention(ada.id))?.user).toBe('Ada Byron');
  });

  test('§2.5 AlarmIntervention.interventionNumber counts what the user acknowledged', async () => {
    expect((await intervention(ada.id))?.interventionNumber).toBe(2);
    expect((await intervention(ben.id))?.interventionNumber).toBe(1);
  });

  test('§2.5 AlarmIntervention.reactionMeanTime is the mean of acknowledgment − raise', async () => {
    // 60 s and 20 s.
    expect((await intervention(ada.id))?.reactionMeanTime).toBe('00:00:40');
    expect((await intervention(ben.id))?.reactionMeanTime).toBe('00:02:00');
  });

  test('§2.5 AlarmIntervention.interventionMeanTime is the mean of reset − acknowledgment', async () => {
    // 540 s and 10 s.
    expect((await intervention(ada.id))?.interventionMeanTime).toBe('00:04:35');
  });

  test('§2.5 a mean over nothing is 00:00:00', async () => {
    expect((await intervention(ben.id))?.interventionMeanTime).toBe('00:00:00');
  });

  test('§2.5 a mean leaves out the occurrences without both ends', async () => {
    const carl = await logInAs(plant, { username: 'carl', role: 'operator' });
    const both = {
      raised: '2026-02-01T00:00:00Z',
      acknowledged: '2026-02-01T00:00:10Z',
      reset: '2026-02-01T00:01:10Z',
    };
    await happened({ path: 'Carl 1' }, both, carl.client);
    await happened(
      { path: 'Carl 2' },
      { raised: '2026-02-01T00:00:00Z', acknowledged: '2026-02-01T00:00:30Z' },
      carl.client,
    );
    expect(await intervention(carl.id)).toMatchObject({
      interventionNumber: 2,
      reactionMeanTime: '00:00:20',
      interventionMeanTime: '00:01:00',
    });
  });

  test('§2.5 who acknowledged outside the period has no row', async () => {
    expect(await intervention(ben.id, '&to=2026-01-02')).toBeUndefined();
  });

  test('§2.5 an acknowledgment by the server itself is nobody’s intervention', async () => {
    const before = await interventions();
    const tagGroupId = await create(plant.client, 'taggroups', { name: 'Quiet', autoAcknowledge: true });
    await raise(plant.client, { path: 'By itself', tagGroupId });
    await raise(plant.client, { path: 'By itself', raised: false });
    expect(await interventions()).toEqual(before);
  });
});
