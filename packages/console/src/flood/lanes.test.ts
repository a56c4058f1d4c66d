import { expect, test } from 'vitest';
import {
  columns,
  type FloodEvent,
  fittingWidth,
  lanesOf,
  peakPerMinute,
  perColumn,
  windowStart,
} from './lanes.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 10, 17, 12);

function event(id: number, seconds: number, area: string, priority: 1 | 2 | 3 | 4 = 2): FloodEvent {
  return {
    id,
    at: noon + seconds * 1_000,
    priority,
    state: 'ack',
    message: '',
    area: { key: area, name: area },
  };
}

test('areas are in the order in which the alarms reached them', () => {
  const events = [
    event(3, 70, 'Filters'),
    event(1, 4, 'Power'),
    event(2, 6, 'High lift'),
    event(4, 90, 'Power'),
  ];
  const lanes = lanesOf(events, noon, minute);
  expect(lanes.map(({ name, total }) => [name, total])).toEqual([
    ['Power', 2],
    ['High lift', 1],
    ['Filters', 1],
  ]);
  expect(lanes[0]?.first).toBe(noon + 4_000);
});

test('a cell has the alarms of its column in order of arrival, also those of the same second', () => {
  const [lane] = lanesOf(
    [event(9, 5, 'Power'), event(2, 5, 'Power', 1), event(1, 50, 'Power')],
    noon,
    minute,
  );
  expect(lane?.cells).toHaveLength(columns);
  expect(lane?.cells[0]?.map(({ id }) => id)).toEqual([2, 9, 1]);
  expect(lane?.counts.map(({ count }) => count)).toEqual([1, 2, 0, 0]);
});

test('alarms outside the columns count in the total of the area only', () => {
  const events = [event(1, -600, 'Power'), event(2, 30, 'Power')];
  const [lane] = lanesOf(events, noon, minute);
  expect(lane?.total).toBe(2);
  expect(lane?.cells.flat()).toHaveLength(1);
  expect(perColumn(events, noon, minute)).toEqual([1, ...Array.from({ length: columns - 1 }, () => 0)]);
});

test('the columns are as narrow as the flood allows', () => {
  expect(fittingWidth(noon, noon + minute)).toBe(10_000);
  expect(fittingWidth(noon, noon + 3 * minute)).toBe(minute);
  expect(fittingWidth(noon, noon + 40 * minute)).toBe(5 * minute);
  expect(fittingWidth(noon, noon + 400 * minute)).toBe(5 * minute);
});

test('the last column is now if the beginning is in view', () => {
  const now = noon + 12.5 * minute;
  expect(windowStart(noon, now, minute)).toBe(noon - minute);
});

test('columns that are too narrow show the beginning, and the widest ones the present', () => {
  const now = noon + 400 * minute;
  expect(windowStart(noon, now, 10_000)).toBe(noon - 10_000);
  expect(windowStart(noon, now, 300_000)).toBe(noon + (400 - 13 * 5) * minute);
});

test('the peak is the most alarms in one minute', () => {
  expect(peakPerMinute([event(1, 1, 'a'), event(2, 59, 'b'), event(3, 61, 'a')])).toBe(2);
  expect(peakPerMinute([])).toBe(0);
});
