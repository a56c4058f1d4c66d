import { expect, test } from 'vitest';
import type { AlarmRow } from '../alarms/alarm-row.ts';
import { relatedRows } from './related.ts';

const now = Date.parse('2026-11-15T03:16:24Z');
const row = (id: number, minutesAgo: number, areaId = 2, stationId = 1): AlarmRow =>
  ({ alarm: { id }, raisedAt: now - minutesAgo * 60_000, context: { areaId, stationId } }) as AlarmRow;

test('related are alarms of the same area of the last half hour, the newest first, without the alarm itself', () => {
  const self = row(1, 4);
  const rows = [self, row(2, 18), row(3, 3), row(4, 31), row(5, 3, 9), row(6, 3, 2, 8)];
  expect(relatedRows(rows, self, now).map(({ alarm }) => alarm.id)).toEqual([3, 2]);
});
