import type { Alarm, AlarmContext } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { createRowKeeper } from './keep-rows.ts';

const raised = '2026-11-17T03:12:08Z';
const alarm = (id: number, priority: number, state = 3) =>
  ({ id, priority, state, masked: false, alarmTime: raised, lastChange: raised }) as Alarm;
const context = (id: number) => ({ id, area: 'Filters' }) as AlarmContext;
const mapOf = <Item extends { readonly id: number }>(...items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

test('an alarm that has not changed keeps its row while others change', () => {
  const keep = createRowKeeper();
  const [pump, valve] = [alarm(1, 2), alarm(2, 2)];
  const before = keep(mapOf(pump, valve), new Map());
  const after = keep(mapOf(pump, alarm(2, 2, 1)), new Map());
  expect(after.byId.get(1)).toBe(before.byId.get(1));
  expect(after.byId.get(2)).not.toBe(before.byId.get(2));
  expect(after.byId.get(2)?.state).toBe('ack');
});

test('an alarm whose area becomes known gets a new row', () => {
  const keep = createRowKeeper();
  const pump = alarm(1, 2);
  keep(mapOf(pump), new Map());
  expect(keep(mapOf(pump), mapOf(context(1))).rows[0]?.context?.area).toBe('Filters');
});

test('alarms that are over leave, new ones come, and all are in the order of the list', () => {
  const keep = createRowKeeper();
  keep(mapOf(alarm(1, 3), alarm(2, 2)), new Map());
  const { rows, byId } = keep(mapOf(alarm(1, 3), alarm(3, 1), alarm(4, 3)), new Map());
  expect(rows.map(({ alarm: { id } }) => id)).toEqual([3, 4, 1]);
  expect(byId.size).toBe(3);
});
