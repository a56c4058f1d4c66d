import type { AlarmRow } from '../alarms/alarm-row.ts';

const recentMs = 30 * 60_000;

/** Other alarms of the same area that were raised in the last half hour, the newest first. */
export function relatedRows(
  rows: readonly AlarmRow[],
  { alarm, context }: AlarmRow,
  now: number,
): readonly AlarmRow[] {
  if (!context) return [];
  return rows
    .filter(
      (row) =>
        row.alarm.id !== alarm.id &&
        row.context?.stationId === context.stationId &&
        row.context.areaId === context.areaId &&
        now - row.raisedAt <= recentMs,
    )
    .toSorted((a, b) => b.raisedAt - a.raisedAt || b.alarm.id - a.alarm.id);
}
