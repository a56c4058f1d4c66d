import { expect, test } from 'vitest';
import { type AlarmRow, compareRows, toRow } from '../alarm-row.ts';
import { emptyList, nextStillList } from './still-list.ts';

/** State 3 is new, 1 acknowledged, 2 returned. */
function row(id: number, priority: number, state = 3): AlarmRow {
  const alarmTime = new Date(1_700_000_000_000 + id * 1_000).toISOString();
  const alarm = { id, priority, state, masked: false, alarmTime, lastChange: alarmTime };
  return toRow(alarm as AlarmRow['alarm'], undefined);
}
const sorted = (...rows: AlarmRow[]) => rows.toSorted(compareRows);
const ids = (rows: readonly AlarmRow[]) => rows.map(({ alarm }) => alarm.id);

test('while nobody reads, the most urgent and newest alarms are on top', () => {
  const list = nextStillList(emptyList, sorted(row(1, 3), row(2, 1), row(3, 3), row(4, 3, 1)), false);
  expect(ids(list.shown)).toEqual([2, 3, 1, 4]);
  expect(list.held).toEqual([]);
});

test('while somebody reads, a new alarm waits and no row moves', () => {
  const before = nextStillList(emptyList, sorted(row(1, 3), row(2, 2)), false);
  const list = nextStillList(before, sorted(row(1, 3), row(2, 2), row(9, 1)), true);
  expect(ids(list.shown)).toEqual([2, 1]);
  expect(ids(list.held)).toEqual([9]);
});

test('a row that is read changes in place', () => {
  const before = nextStillList(emptyList, sorted(row(1, 2), row(2, 2)), false);
  const list = nextStillList(before, sorted(row(1, 2), row(2, 2, 1)), true);
  expect(ids(list.shown)).toEqual([2, 1]);
  expect(list.shown[0]?.state).toBe('ack');
});

test('an alarm that is over keeps its place until nobody reads', () => {
  const before = nextStillList(emptyList, sorted(row(1, 2), row(2, 2), row(3, 2)), false);
  const list = nextStillList(before, sorted(row(1, 2), row(3, 2)), true);
  expect(list.shown.map(({ alarm, state }) => [alarm.id, state])).toEqual([
    [3, 'new'],
    [2, 'over'],
    [1, 'new'],
  ]);
  expect(ids(nextStillList(list, sorted(row(1, 2), row(3, 2)), false).shown)).toEqual([3, 1]);
});

test('an alarm that is masked while somebody reads keeps its place and says so', () => {
  const before = nextStillList(emptyList, sorted(row(1, 2), row(2, 2)), false);
  const masked = toRow({ ...row(2, 2).alarm, masked: true }, undefined);
  const list = nextStillList(before, sorted(row(1, 2)), true, new Map([[2, masked]]));
  expect(list.shown.map(({ alarm, state }) => [alarm.id, state])).toEqual([
    [2, 'mask'],
    [1, 'new'],
  ]);
});

test('the first alarms of an empty list are shown at once', () => {
  expect(ids(nextStillList(emptyList, sorted(row(1, 2)), true).shown)).toEqual([1]);
});
