import { type ConsolePriority, consolePriorities } from '@tocsin/contract';
import type { AreaName } from '../alarms/area-of.ts';
import type { SymbolState } from '../symbols/alarm-symbol.tsx';

/** One raise of an alarm, current or over. */
export type FloodEvent = {
  /** The alarm; it may have been raised several times. */
  readonly id: number;
  readonly at: number;
  readonly priority: ConsolePriority;
  readonly state: SymbolState;
  readonly message: string;
  readonly area: AreaName;
};

export type Lane = AreaName & {
  readonly first: number;
  readonly total: number;
  readonly counts: readonly { readonly priority: ConsolePriority; readonly count: number }[];
  /** The events of each column, in order of arrival. */
  readonly cells: readonly (readonly FloodEvent[])[];
};

export const columnWidths = [10_000, 60_000, 300_000] as const;
export type ColumnWidth = (typeof columnWidths)[number];
export const columns = 14;

/** The narrowest columns that show all from the first alarm until now. */
export function fittingWidth(first: number, now: number): ColumnWidth {
  return columnWidths.find((width) => presentStart(now, width) <= first) ?? 300_000;
}

/** The begin of the first column if the last one is now. */
function presentStart(now: number, width: number): number {
  return (Math.floor(now / width) - columns + 1) * width;
}

/**
 * The begin of the first column. Columns that are too narrow to reach from the first alarm until now show the beginning,
 * where the cause is; the widest ones always show the present.
 */
export function windowStart(first: number, now: number, width: ColumnWidth): number {
  const present = presentStart(now, width);
  if (present <= first || width === columnWidths.at(-1)) return present;
  return (Math.floor(first / width) - 1) * width;
}

export const inOrder = (events: readonly FloodEvent[]): readonly FloodEvent[] =>
  events.toSorted((a, b) => a.at - b.at || a.id - b.id);

const columnOf = (at: number, start: number, width: number) => Math.floor((at - start) / width);

function laneOf(events: readonly FloodEvent[], start: number, width: number): Lane | undefined {
  const [first] = events;
  if (!first) return undefined;
  const byColumn = Map.groupBy(events, ({ at }) => columnOf(at, start, width));
  return {
    ...first.area,
    first: first.at,
    total: events.length,
    counts: consolePriorities.map((priority) => ({
      priority,
      count: events.filter((event) => event.priority === priority).length,
    })),
    cells: Array.from({ length: columns }, (_, column) => byColumn.get(column) ?? []),
  };
}

/** One lane per area, in the order in which the alarms reached them: a lane never moves while the flood lasts. */
export function lanesOf(events: readonly FloodEvent[], start: number, width: number): readonly Lane[] {
  return [...Map.groupBy(inOrder(events), ({ area }) => area.key).values()].flatMap(
    (own) => laneOf(own, start, width) ?? [],
  );
}

export function perColumn(events: readonly FloodEvent[], start: number, width: number): readonly number[] {
  const byColumn = Map.groupBy(events, ({ at }) => columnOf(at, start, width));
  return Array.from({ length: columns }, (_, column) => byColumn.get(column)?.length ?? 0);
}

const minute = 60_000;

/** The most alarms in one minute of the clock. */
export function peakPerMinute(events: readonly FloodEvent[]): number {
  const byMinute = Map.groupBy(events, ({ at }) => Math.floor(at / minute));
  return Math.max(0, ...[...byMinute.values()].map(({ length }) => length));
}
