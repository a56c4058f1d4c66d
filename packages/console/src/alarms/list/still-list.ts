import type { AlarmRow } from '../alarm-row.ts';

export type StillList = {
  /** The rows in the order in which they are shown. */
  readonly shown: readonly AlarmRow[];
  /** New alarms that wait until nobody reads. */
  readonly held: readonly AlarmRow[];
};

export const emptyList: StillList = { shown: [], held: [] };

/**
 * While somebody reads, no row moves: rows change in place, an alarm that is over or that the filter hides now stays where
 * it was, and new ones wait. Otherwise the rows are as sorted.
 */
export function nextStillList(
  before: StillList,
  sorted: readonly AlarmRow[],
  isReading: boolean,
  current: ReadonlyMap<number, AlarmRow> = new Map(),
): StillList {
  if (!isReading || before.shown.length === 0) return { shown: sorted, held: [] };
  const byId = new Map(sorted.map((row) => [row.alarm.id, row]));
  const shown = before.shown.map((row): AlarmRow => {
    const now = byId.get(row.alarm.id);
    byId.delete(row.alarm.id);
    return now ?? current.get(row.alarm.id) ?? (row.state === 'over' ? row : { ...row, state: 'over' });
  });
  return { shown, held: [...byId.values()] };
}
