import type { Area } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { type AlarmRow, toRow } from '../alarms/alarm-row.ts';
import { presentAreas, tilesOf, wallGrid, wallPage } from './tiles.ts';

const area = (id: number, name: string, more: Partial<Area> = {}): Area => ({
  id,
  name,
  stationId: 1,
  counts: [],
  ...more,
});

/** State 3 is new, 1 acknowledged, 2 returned. */
function row(id: number, areaId: number, priority: number, state: number | 'masked' = 3): AlarmRow {
  const alarmTime = '2026-11-17T03:00:00Z';
  const masked = state === 'masked';
  const alarm = { id, priority, state: masked ? 3 : state, masked, alarmTime, lastChange: alarmTime };
  const context = {
    id,
    areaId,
    area: areaId === 0 ? '' : `Area ${areaId}`,
    stationId: 1,
    station: 'Valmont works',
  };
  return toRow(alarm as AlarmRow['alarm'], context as AlarmRow['context']);
}
const stations = new Map([
  [1, 'Valmont works'],
  [2, 'Hauterive'],
]);
const first = (areas: Area[], rows: AlarmRow[]) => tilesOf(areas, rows, stations)[0];

test('tiles are in the order of their names, whatever happens in them', () => {
  const areas = [area(3, 'Power'), area(1, 'Filter 10'), area(2, 'Filter 9')];
  const calm = tilesOf(areas, [], stations).map(({ name }) => name);
  const busy = tilesOf(areas, [row(1, 3, 1)], stations).map(({ name }) => name);
  expect(calm).toEqual(['Filter 9', 'Filter 10', 'Power']);
  expect(busy).toEqual(calm);
});

test('a tile counts by priority and shows the most urgent state of each', () => {
  const tile = first([area(1, 'Intake')], [row(1, 1, 3, 1), row(2, 1, 3), row(3, 1, 1, 1), row(4, 1, 4, 2)]);
  expect(tile?.counts).toEqual([
    { priority: 1, count: 1, state: 'ack' },
    { priority: 3, count: 2, state: 'new' },
    { priority: 4, count: 1, state: 'rtn' },
  ]);
});

test('a tile stands out only while an alarm of priority 1 waits for somebody', () => {
  expect(first([area(1, 'Intake')], [row(1, 1, 1)])?.isHot).toBe(true);
  expect(first([area(1, 'Intake')], [row(1, 1, 1, 1), row(2, 1, 2)])?.isHot).toBe(false);
});

test('masked alarms are counted only where there are no others', () => {
  const masked = row(1, 1, 2, 'masked');
  expect(first([area(1, 'Lab')], [masked])?.counts).toEqual([{ priority: 2, count: 1, state: 'mask' }]);
  expect(first([area(1, 'Lab')], [masked, row(2, 1, 4)])?.counts).toEqual([
    { priority: 4, count: 1, state: 'new' },
  ]);
});

test('a quiet area says since when', () => {
  const tile = first([area(1, 'Lab', { quietSince: '2026-11-17T01:00:00+01:00' })], []);
  expect(tile).toMatchObject({ counts: [], quietSince: Date.parse('2026-11-17T00:00:00Z') });
});

test('alarms in no tag group are in the tile of their station', () => {
  const tiles = tilesOf([area(0, 'Valmont works')], [row(1, 0, 2)], stations);
  expect(tiles.map(({ name, counts }) => [name, counts.length])).toEqual([['Valmont works', 1]]);
});

test('an area that the server has not told yet has a tile as soon as it has an alarm', () => {
  expect(first([], [row(1, 7, 2)])?.name).toBe('Area 7');
});

test('areas of the same name are told apart by their station', () => {
  const tiles = tilesOf(
    [area(1, 'Pumps'), area(2, 'Pumps', { stationId: 2 }), area(3, 'Power')],
    [],
    stations,
  );
  expect(tiles.map(({ name }) => name)).toEqual(['Power', 'Pumps, Hauterive', 'Pumps, Valmont works']);
});

test('areas are read again when another one becomes quiet, not when a mask begins elsewhere', () => {
  expect(presentAreas([row(1, 2, 1), row(2, 1, 1), row(3, 2, 4)])).toBe('1 2');
  expect(presentAreas([row(1, 2, 1), row(2, 1, 1, 'masked')])).toBe('2');
});

test('more areas than fit take turns, each at its own place', () => {
  const all = Array.from({ length: 23 }, (_, index) => index);
  expect(wallGrid(12)).toEqual({ columns: 4, rows: 3 });
  expect(wallPage(all, 0)).toEqual(all.slice(0, 20));
  expect(wallPage(all, 1)).toEqual([20, 21, 22]);
  expect(wallPage(all, 2)).toEqual(wallPage(all, 0));
  expect(wallPage([], 5)).toEqual([]);
});
