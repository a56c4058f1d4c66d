import type { Alarm, AlarmContext } from '@tocsin/contract';
import { type AlarmRow, compareRows, toRow } from './alarm-row.ts';

export type Rows = {
  /** In the order of the list. */
  readonly rows: readonly AlarmRow[];
  readonly byId: ReadonlyMap<number, AlarmRow>;
};

export const noRows: Rows = { rows: [], byId: new Map() };

/**
 * The rows of the present alarms. An alarm that has not changed keeps its row, so that only rows that have changed are drawn
 * again. The rows of before come first, because sorting is fast for what is nearly in order.
 */
function nextRows(
  before: Rows,
  alarms: ReadonlyMap<number, Alarm>,
  contexts: ReadonlyMap<number, AlarmContext>,
): Rows {
  const rowOf = (alarm: Alarm): AlarmRow => {
    const kept = before.byId.get(alarm.id);
    const context = contexts.get(alarm.id);
    return kept?.alarm === alarm && kept.context === context ? kept : toRow(alarm, context);
  };
  const byId = new Map<number, AlarmRow>();
  for (const { alarm } of before.rows) {
    const present = alarms.get(alarm.id);
    if (present) byId.set(present.id, rowOf(present));
  }
  for (const alarm of alarms.values()) if (!byId.has(alarm.id)) byId.set(alarm.id, rowOf(alarm));
  return { rows: [...byId.values()].toSorted(compareRows), byId };
}

type KeepRows = (alarms: ReadonlyMap<number, Alarm>, contexts: ReadonlyMap<number, AlarmContext>) => Rows;

/** Remembers the rows from one call to the next. */
export function createRowKeeper(): KeepRows {
  let kept = noRows;
  return (alarms, contexts) => {
    kept = nextRows(kept, alarms, contexts);
    return kept;
  };
}
