import { expect, test } from 'vitest';
import type { Exported } from '../../apply/export-plant.ts';
import { plantEntries } from '../waterworks/plant-entries.ts';
import { realPlant } from './real-plant.ts';

const demo = plantEntries('http://127.0.0.1:4100') as Exported;
const visitor = { username: 'demo', name: 'Visitor' };
const real = realPlant({ ...demo, people: [...(demo.people ?? []), visitor] }, 'demo');

test('the telephones, the visitor and the passwords of the demo stay behind', () => {
  expect(real.channels).toBeUndefined();
  expect(JSON.stringify(real)).not.toMatch(/passwordFile|"demo"|127\.0\.0\.1/);
  expect(real.people?.length).toBe(demo.people?.length);
});

test('people get three minutes to answer, not twenty seconds', () => {
  for (const group of real.callGroups ?? [])
    expect(group).toMatchObject({ ackTimeout: 180, attempts: 2, cycles: 2 });
});

test('stations, tags and their order of calling are those of the demo', () => {
  expect(real.tags).toEqual(demo.tags);
  expect(real.scenarios).toEqual(demo.scenarios);
});
