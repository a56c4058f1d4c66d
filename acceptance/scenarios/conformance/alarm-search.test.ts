import type { Alarm } from '@tocsin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basePaths, openPlant, type Page, type Plant, raise, read } from '../../harness/plant.ts';

const tags = {
  pump: { path: 'Hall/Pump-7', alarmMessage: 'Pressure too high at the inlet' },
  boiler: { path: 'Hall/Boiler', alarmMessage: 'Température trop élevée' },
  quote: { path: 'Door', alarmMessage: `Operator said "open the valve" it's urgent` },
  percent: { path: 'Tank 1', alarmMessage: 'Level at 100% of capacity' },
  underscore: { path: 'tag_with_underscore', alarmMessage: 'x' },
  noUnderscore: { path: 'tagXwithYunderscore', alarmMessage: 'x' },
  backslash: { path: 'C:\\plc\\alarm', alarmMessage: 'x' },
  fire: { path: 'Fire', alarmMessage: 'Smoke 🔥 in the hall' },
  street: { path: 'Straße', alarmMessage: 'Œuvre Łódź' },
  cyrillic: { path: 'Цех 4', alarmMessage: 'ПОЖАР' },
};

describe.each(basePaths)('the search in current alarms at "%s"', (basePath) => {
  let plant: Plant;
  const names = new Map<number, string>();

  /** Names of the alarms found; the search is sent percent-encoded. */
  const found = (search: string) => foundRaw(encodeURIComponent(search));
  const foundRaw = async (search: string) => {
    const { items, paging } = await read<Page<Alarm>>(plant.client, `alarms?limit=1000&search=${search}`);
    expect(paging.total).toBe(items.length);
    return items.map(({ id }) => names.get(id));
  };

  beforeAll(async () => {
    plant = await openPlant(basePath);
    for (const [name, body] of Object.entries(tags)) names.set(await raise(plant.client, body), name);
    const [pumpId] = names.keys();
    await plant.client.post(`/api/v1/alarms/${pumpId}/comment`, { comment: 'Gasket replaced by Ömer' });
  });
  afterAll(() => plant.close());

  test.each([
    ['a word of the path', 'boiler', ['boiler']],
    ['a word of the message', 'inlet', ['pump']],
    ['a word of the comment', 'gasket', ['pump']],
    ['a word nowhere', 'zeppelin', []],
    ['any case', 'PRESSURE', ['pump']],
    ['any case of another script', 'пожар', ['cyrillic']],
    ['accents left out', 'temperature elevee', ['boiler']],
    ['accents added', 'prèssure', ['pump']],
    ['an accent in the comment', 'omer', ['pump']],
    ['the beginning of a word', 'pres', ['pump']],
    ['the middle of a word', 'essure', []],
    ['two words in different fields', 'pump gasket', ['pump']],
    ['two words, one of them elsewhere', 'pump boiler', []],
    ['words in another order', 'high pressure', ['pump']],
    ['a word of many alarms', 'hall', ['pump', 'boiler', 'fire']],
    ['a phrase', '"too high"', ['pump']],
    ['a phrase in another order', '"high too"', []],
    ['a phrase and a word', '"too high" gasket', ['pump']],
    ['a quotation mark that is never closed', '"too high', ['pump']],
    ['a phrase of the text in quotes', '"open the valve"', ['quote']],
    ['an apostrophe', "it's", ['quote']],
    ['a percent sign, which is no wildcard', '%', ['percent']],
    ['a percent sign after a number', '100%', ['percent']],
    ['an underscore, which is no wildcard', 'tag_with', ['underscore']],
    ['a backslash', '\\', ['backslash']],
    ['a path with backslashes', 'C:\\plc\\alarm', ['backslash']],
    ['an emoji', '🔥', ['fire']],
    ['sharp s as two', 'strasse', ['street']],
    ['letters that are two', 'oeuvre', ['street']],
    ['a letter with a stroke', 'lodz', ['street']],
    ['a number', '7', ['pump']],
  ])('§4.1 search finds %s', async (_what, search, expected) => {
    expect(await found(search)).toEqual(expected);
  });

  test.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['empty quotes', '""'],
  ])('§4.1 search of %s keeps every alarm', async (_what, search) => {
    expect(await found(search)).toHaveLength(names.size);
  });

  test.each([
    "'",
    "''; drop table alarms; --",
    '"',
    '"""',
    '\\',
    '\\\\',
    '&',
    '|',
    '!',
    '!(',
    ':*',
    'a & !b | (c',
    '<->',
    '*',
    '?',
    '(',
    '[',
    '{}',
    '.*',
    '^$',
    '\u0000',
    '\uFFFF',
    '--',
    '/*',
    '$1',
    '${x}',
    '%00',
    '\n\t',
    'and or not',
    'a:b:c',
  ])('§4.1 search of %j is never an error', async (search) => {
    const answer = await plant.client.get(`/api/v1/alarms?search=${encodeURIComponent(search)}`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toHaveProperty('paging.total');
  });

  test('§4.1 the plant is still there after what looks like SQL', async () => {
    await found("'; delete from alarms; --");
    expect(await found('')).toHaveLength(names.size);
  });

  test('§4.1 a plus between words is a space, as forms send it', async () => {
    expect(await foundRaw('pump+gasket')).toEqual(['pump']);
  });

  test.each(['%', '%zz', '%E0%A4%A'])(
    '§4.1 search=%s, badly encoded, is no error of the server',
    async (raw) => {
      expect((await plant.client.get(`/api/v1/alarms?search=${raw}`)).status).toBeLessThan(500);
    },
  );

  test('§4.1 a search of 10 kB of words is answered', async () => {
    const words = Array.from({ length: 1_280 }, (_, index) => `w${String(index).padStart(6, '0')}`).join('+');
    expect(words.length).toBeGreaterThan(10_000);
    expect(await foundRaw(words)).toEqual([]);
  });

  test('§4.1 a search of one word of 10 kB is answered', async () => {
    expect(await found('x'.repeat(10_240))).toEqual([]);
  });

  test('§4.1 a search of 10 kB of emoji is answered', async () => {
    expect(await found('🔥'.repeat(2_560))).toEqual([]);
  });

  test('§4.1 a search goes together with other filters', async () => {
    const { items } = await read<Page<Alarm>>(plant.client, 'alarms?search=hall&alarmState=1');
    expect(items).toEqual([]);
  });
});
