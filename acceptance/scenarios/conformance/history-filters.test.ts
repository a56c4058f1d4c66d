import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HistoryPlant, latestEntry, openHistoryPlant, type Side } from '../../harness/history-plant.ts';
import { moveOccurrence } from '../../harness/move-occurrence.ts';
import { basePaths, create, type Page, raise, read } from '../../harness/plant.ts';

type Row = { id: number; tagId?: number };

/** The three lists with one set of parameters, and the identifier by which a side is known in each. */
const lists = [
  { section: '§4.3', path: 'alarms/histories', known: ({ tagId }: Side) => tagId, rows: 5 },
  { section: '§4.4', path: 'alarms/statistics', known: ({ tagId }: Side) => tagId, rows: 5 },
  { section: '§4.5', path: 'alarms/interventions', known: ({ userId }: Side) => userId, rows: 3 },
];

const filters: [name: string, value: (side: Side) => string | number][] = [
  ['stationId', ({ stationId }) => stationId],
  ['dataServerId', ({ dataServerId }) => dataServerId],
  ['tagGroupId', ({ tagGroupId }) => tagGroupId],
  ['callGroupId', ({ callGroupId }) => callGroupId],
  ['userId', ({ userId }) => userId],
  ['search', ({ word }) => word],
];

const uints = ['stationId', 'dataServerId', 'tagGroupId', 'callGroupId', 'userId', 'offset', 'limit'];
const notUints = ['-1', '1.5', 'abc', '0x10', '%201', '4294967296', ''];
const notDates = [
  'yesterday',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:30:00Z',
  '1767225600',
  '',
];

const encode = encodeURIComponent;
const plusSeconds = (time: string, seconds: number) =>
  new Date(Date.parse(time) + seconds * 1_000).toISOString().slice(0, 19);

describe.each(basePaths)('the filters of the past at "%s"', (basePath) => {
  let plant: HistoryPlant;

  beforeAll(async () => {
    plant = await openHistoryPlant(basePath);
  });
  afterAll(() => plant.close());

  const rows = (path: string, query: string) => read<Page<Row>>(plant.client, `${path}?limit=1000&${query}`);

  describe.each(lists)('of $path', ({ section, path, known, rows: all }) => {
    const found = async (query: string) =>
      (await rows(path, query)).items.map(({ id, tagId }) => tagId ?? id);

    test(`${section} without a filter every row is there`, async () => {
      expect(await found('')).toHaveLength(all);
    });

    test.each(filters)(`${section} %s keeps the rows it names and drops the others`, async (name, value) => {
      const { alpha, beta } = plant;
      expect(await found(`${name}=${value(alpha)}`)).toEqual([known(alpha)]);
      expect(await found(`${name}=${value(beta)}`)).toEqual([known(beta)]);
    });

    test.each(filters)(`${section} %s counts what it keeps in paging.total`, async (name, value) => {
      expect((await rows(path, `${name}=${value(plant.alpha)}`)).paging.total).toBe(1);
    });

    test.each(filters.filter(([name]) => name !== 'search'))(
      `${section} %s of something that does not exist keeps nothing`,
      async (name) => {
        expect(await found(`${name}=4294967295`)).toEqual([]);
      },
    );

    test(`${section} search finds the comment of an occurrence`, async () => {
      expect(await found('search=mopped')).toEqual([known(plant.alpha)]);
    });

    test(`${section} search of what nobody wrote, quotes and all, keeps nothing`, async () => {
      expect(await found(`search=${encode(`"'%_\\ zeppelin`)}`)).toEqual([]);
    });

    test(`${section} from keeps what was raised at that second and later`, async () => {
      const { alpha, beta } = plant;
      const kept = await found(`from=${encode(beta.alarmTime)}`);
      expect(kept).toContain(known(beta));
      expect(kept).not.toContain(known(alpha));
      expect(kept).toHaveLength(all - 1);
    });

    test(`${section} to drops what was raised at that second and later`, async () => {
      expect(await found(`to=${encode(plant.beta.alarmTime)}`)).toEqual([known(plant.alpha)]);
    });

    test(`${section} from and to bound a period`, async () => {
      const { alpha, beta } = plant;
      const from = encode(alpha.alarmTime);
      expect(await found(`from=${from}&to=${encode(beta.alarmTime)}`)).toEqual([known(alpha)]);
      expect(await found(`from=${from}&to=${from}`)).toEqual([]);
    });

    test(`${section} a plus that was typed into the address is still the plus of the offset`, async () => {
      expect(plant.alpha.alarmTime).toContain('+05:30');
      expect(await found(`from=${plant.alpha.alarmTime}`)).toHaveLength(all);
    });

    test(`${section} offset passes over rows`, async () => {
      const everything = await found('sort=%2Bid');
      expect(await found('sort=%2Bid&offset=1')).toEqual(everything.slice(1));
    });

    test(`${section} limit cuts the page and not the total`, async () => {
      const { items, paging } = await read<Page<Row>>(plant.client, `${path}?limit=1`);
      expect([items.length, paging.limit, paging.total]).toEqual([1, 1, all]);
    });

    test(`${section} sort +id ascends and -id descends`, async () => {
      const { items: up } = await rows(path, 'sort=+id');
      const { items: down } = await rows(path, 'sort=-id');
      const ids = up.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
      expect(down.map(({ id }) => id)).toEqual(ids.toReversed());
    });

    test.each(uints)(`${section} %s takes decimal digits only`, async (name) => {
      for (const text of notUints) {
        const answer = await plant.client.get(`/api/v1/${path}?${name}=${text}`);
        expect(answer.status, `${name}=${text}`).toBe(400);
        expect(answer.json(), `${name}=${text}`).toMatchObject({ errors: [{ pointer: name }] });
      }
    });

    test.each(['from', 'to'])(`${section} %s takes an ISO 8601 date-time and nothing else`, async (name) => {
      for (const text of notDates) {
        const answer = await plant.client.get(`/api/v1/${path}?${name}=${encode(text)}`);
        expect(answer.status, `${name}=${text}`).toBe(400);
        expect(answer.json(), `${name}=${text}`).toMatchObject({ errors: [{ pointer: name }] });
      }
    });

    test(`${section} an unknown query name is ignored`, async () => {
      expect(await found('scenarioId=77&alarmState=9&colour=red')).toHaveLength(all);
    });
  });

  test('§4.3 from and to without offset are in the time zone of the station', async () => {
    const { alpha } = plant;
    const station = `stationId=${alpha.stationId}`;
    const local = alpha.alarmTime.slice(0, 19);
    const next = plusSeconds(`${local}Z`, 1);
    expect((await rows('alarms/histories', `${station}&from=${local}`)).paging.total).toBe(1);
    expect((await rows('alarms/histories', `${station}&from=${next}`)).paging.total).toBe(0);
    expect((await rows('alarms/histories', `${station}&to=${local}`)).paging.total).toBe(0);
    expect((await rows('alarms/histories', `${station}&to=${next}`)).paging.total).toBe(1);
  });

  test('§4.3 from without offset and station is in the time zone of the first station', async () => {
    const utc = plusSeconds(plant.alpha.alarmTime, 0);
    const next = plusSeconds(plant.alpha.alarmTime, 1);
    expect((await rows('alarms/histories', `from=${utc}`)).paging.total).toBe(5);
    expect((await rows('alarms/histories', `to=${next}`)).paging.total).toBe(1);
  });

  test.each(lists)('$section from is inclusive and to exclusive, to the second', async ({ path }) => {
    const tagId = await raise(plant.client, { path: `Bounds ${path}` });
    await plant.client.post(`/api/v1/alarms/${tagId}/acknowledge`);
    const { id } = await latestEntry(plant, tagId);
    const raised = '2026-01-10T10:00:00Z';
    const times = { raised, acknowledged: '2026-01-10T10:05:00Z' };
    const moved = await moveOccurrence(plant.databaseUrl, id, times);
    const total = async (query: string) => (await rows(path, query)).paging.total;
    expect(await total(`from=${raised}&to=2026-01-10T10:00:01Z`)).toBe(1);
    expect(await total(`from=2026-01-10T09:00:00Z&to=${raised}`)).toBe(0);
    expect(await total('from=2026-01-10T10:00:01Z&to=2026-01-10T11:00:00Z')).toBe(0);
    expect(await total('from=2026-01-10&to=2026-01-11')).toBe(1);
    await moveOccurrence(plant.databaseUrl, moved, { raised: '2020-01-01T00:00:00Z' });
  });

  test.each(lists.slice(0, 2))(
    '$section callGroupId keeps what named the call group through a scenario',
    async ({ path }) => {
      const callGroupId = await create(plant.client, 'callgroups', { name: `Through ${path}` });
      const alarmActions = [{ type: 'CallGroup', id: callGroupId }];
      const id = await create(plant.client, 'scenarios', { name: `Through ${path}`, alarmActions });
      const tagId = await raise(plant.client, {
        path: `Through ${path}`,
        alarmActions: [{ type: 'Scenario', id }],
      });
      const { items } = await rows(path, `callGroupId=${callGroupId}`);
      expect(items.map((row) => row.tagId ?? row.id)).toEqual([tagId]);
    },
  );

  test('§4.3 what happened stays where it happened when the tag moves to another station', async () => {
    const { alpha, beta } = plant;
    const { dataServerId, stationId } = beta;
    await raise(plant.client, { dataServerId, path: 'Tag beta', stationId: alpha.stationId, raised: false });
    const { items } = await rows('alarms/histories', `stationId=${stationId}`);
    expect(items.map(({ tagId }) => tagId)).toEqual([beta.tagId]);
  });
});
