import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type PlantFile, readPlantFile } from '../../plant/plant-file.ts';
import { guidance } from './guidance.ts';
import { withPhones } from './people.ts';
import { plantEntries } from './plant-entries.ts';
import { areas, tags } from './tags.ts';

const plant = plantEntries('http://127.0.0.1:4100');

test('the plant of the demo is a plant file without a fault', () => {
  const file = readPlantFile('plant.yaml', stringify(plant)) as PlantFile;
  expect(file).toHaveProperty('entries');
  expect(file.entries.tags?.length).toBe(tags.length);
});

test('every signal has a path of its own, and urgent ones call somebody', () => {
  expect(new Set(tags.map(({ path }) => path)).size).toBe(tags.length);
  expect(tags.length).toBeGreaterThan(150);
  expect(tags.filter(({ priority, scenario }) => priority <= 2 !== (scenario !== undefined))).toEqual([]);
});

test('everybody whom a call group names has a telephone, and everybody with one is in a call group', () => {
  const called = plant.callGroups.flatMap(({ people = [], teams = [] }) => [
    ...people,
    ...teams.flatMap((team) => team.people),
  ]);
  const names = withPhones.map(({ username }) => username);
  expect(new Set(called)).toEqual(new Set(names));
});

test('the roster has no gap', () => {
  const roster = plant.callGroups.find((group) => group.roster !== undefined)?.roster;
  const hours = roster?.slots.reduce(
    (sum, { start, end }) => sum + Number.parseInt(end, 10) - Number.parseInt(start, 10),
    0,
  );
  expect(hours).toBe(7 * 24);
});

test('guidance belongs to areas that exist', () => {
  expect(Object.keys(guidance).filter((area) => !areas.includes(area))).toEqual([]);
});
