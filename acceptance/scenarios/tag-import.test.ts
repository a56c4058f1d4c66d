import type { TagImportResult } from '@tocsin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  create,
  granted,
  openPlant,
  type Page,
  type Plant,
  problem,
  problemOf,
  read,
} from '../harness/plant.ts';

let plant: Plant;

beforeAll(async () => {
  plant = await openPlant('');
  for (const name of ['Intake', 'Filters', 'High lift']) await create(plant.client, 'taggroups', { name });
});
afterAll(() => plant?.close());

const tagCount = 5_000;
const groups = ['Intake', 'Filters', 'High lift'];

/** A file of a spreadsheet, with a byte order mark, semicolons and quotes. */
function tagFile(message: (number: number) => string): string {
  const lines = Array.from({ length: tagCount }, (_, index) => {
    const cells = [`Area${index % 50}.T${index}.H`, groups[index % 3], (index % 4) + 1, index % 60];
    return `${cells.join(';')};"${message(index)}"`;
  });
  return `\uFEFFpath;tagGroup;priority;delay;message\r\n${lines.join('\r\n')}\r\n`;
}

const importFile = async (csv: string, query = '') =>
  granted<TagImportResult>(await plant.client.post(`/api/v1/tags/import${query}`, { csv }));

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const begin = performance.now();
  const result = await work();
  const seconds = (performance.now() - begin) / 1_000;
  console.info(`${what}: ${seconds.toFixed(1)} s`);
  expect(seconds, `${what}, in seconds`).toBeLessThanOrEqual(10);
  return result;
}

test('5,000 tags are imported in 10 seconds, and a second import changes nothing', async () => {
  const csv = tagFile((number) => `Level ""${number}"" high; act`);
  const dry = await timed('dry run of 5,000 new tags', () => importFile(csv, '?dryRun=true'));
  expect(dry).toMatchObject({ dryRun: true, lines: tagCount, unchanged: 0, wrong: [] });
  expect((await read<Page<object>>(plant.client, 'tags')).paging.total).toBe(0);

  const first = await timed('import of 5,000 new tags', () => importFile(csv));
  expect(first.added).toHaveLength(tagCount);
  expect(first.wrong).toEqual([]);
  const page = await read<Page<object>>(plant.client, 'tags?search=T4711');
  expect(page).toMatchObject({
    items: [
      { path: 'Area11.T4711.H', tagGroup: 'Filters', priority: 4, alarmMessage: 'Level "4711" high; act' },
    ],
    paging: { total: 1 },
  });
  expect((await read<Page<object>>(plant.client, 'alarms')).paging.total, 'alarms that it raised').toBe(0);

  const { seq } = await journalEnd();
  const second = await timed('second import of the same file', () => importFile(csv));
  expect(second).toMatchObject({ added: [], changed: [], unchanged: tagCount, missing: 0, wrong: [] });
  expect((await journalEnd()).seq, 'the journal has not grown').toBe(seq);

  const changed = await timed('import of 5,000 changed tags', () =>
    importFile(tagFile((number) => `L ${number}`)),
  );
  expect(changed.changed).toHaveLength(tagCount);
  const exported = await plant.client.get('/api/v1/tags/export?separator=semicolon');
  const again = await timed('import of an export', () => importFile(exported.text));
  expect(again).toMatchObject({ added: [], changed: [], unchanged: tagCount, wrong: [] });
});

/** The last change of the newest tag. */
async function journalEnd(): Promise<{ seq: number }> {
  const { items } = await read<Page<{ id: number }>>(plant.client, 'tags?limit=1&sort=-id');
  const timeline = await read<Page<{ seq: number }>>(
    plant.client,
    `alarms/${items[0]?.id}/timeline?limit=1&sort=-id`,
  );
  return timeline.items[0] ?? { seq: 0 };
}

test('alarms are accepted quickly while a file is imported', async () => {
  const importing = importFile(tagFile((number) => `Level ${number}, again`));
  const progress = { isDone: false };
  void importing.finally(() => {
    progress.isDone = true;
  });
  const times: number[] = [];
  do {
    const begin = performance.now();
    granted(await plant.client.post('/api/v1/alarms', { path: `Fire.${times.length}`, priority: 1 }));
    times.push(performance.now() - begin);
  } while (!progress.isDone);
  await importing;
  const slowest = Math.max(...times);
  console.info(`slowest of ${times.length} alarms during the import: ${slowest.toFixed(0)} ms`);
  expect(slowest).toBeLessThan(5_000);
});

test('a file that is larger than the server takes is refused whole', async () => {
  const csv = `path,message\nx,${'x'.repeat(1_100_000)}`;
  expect(problemOf(await plant.client.post('/api/v1/tags/import', { csv }))).toEqual(
    problem(413, 'body-too-large'),
  );
});
