import { type Area, type ConsolePriority, consolePriorities } from '@tocsin/contract';
import { type AlarmRow, isWaiting, type RowState } from '../alarms/alarm-row.ts';
import { areaKey, areaOf } from '../alarms/area-of.ts';

type TileCount = { readonly priority: ConsolePriority; readonly count: number; readonly state: RowState };

export type Tile = {
  readonly key: string;
  readonly areaId: number;
  readonly stationId: number;
  readonly name: string;
  /** The highest priority first. Masked alarms are counted only where there are no others. */
  readonly counts: readonly TileCount[];
  /** Whether an alarm of priority 1 waits for somebody. */
  readonly isHot: boolean;
  /** Milliseconds since 1970. */
  readonly quietSince: number | undefined;
};

const urgency: readonly RowState[] = ['new', 'rtn', 'ack', 'mask'];

function countsOf(rows: readonly AlarmRow[]): readonly TileCount[] {
  const current = rows.filter(({ state }) => state !== 'mask' && state !== 'over');
  const counted = current.length > 0 ? current : rows.filter(({ state }) => state === 'mask');
  return consolePriorities.flatMap((priority) => {
    const own = counted.filter((row) => row.priority === priority);
    const state = urgency.find((known) => own.some((row) => row.state === known));
    return state ? [{ priority, count: own.length, state }] : [];
  });
}

type Place = Pick<Tile, 'key' | 'areaId' | 'stationId' | 'name' | 'quietSince'>;

function placesOf(areas: readonly Area[], rows: readonly AlarmRow[]): readonly Place[] {
  const places = new Map<string, Place>();
  for (const { context } of rows) {
    if (!context) continue;
    const { areaId, stationId } = context;
    const { key, name } = areaOf(context);
    places.set(key, { key, name, areaId, stationId, quietSince: undefined });
  }
  for (const { id, stationId, name, quietSince } of areas) {
    const key = areaKey(id, stationId);
    const since = quietSince === undefined ? undefined : Date.parse(quietSince);
    places.set(key, { key, name, areaId: id, stationId, quietSince: since });
  }
  return [...places.values()];
}

/**
 * One tile per area, those without alarms included. They are in the order of their names, so that a tile is always at the
 * same place. Areas of the same name are told apart by their station.
 */
export function tilesOf(
  areas: readonly Area[],
  rows: readonly AlarmRow[],
  stations: ReadonlyMap<number, string>,
): readonly Tile[] {
  const places = placesOf(areas, rows);
  const byArea = Map.groupBy(rows, ({ context }) => (context ? areaOf(context).key : ''));
  const names = Map.groupBy(places, ({ name }) => name);
  const tileOf = (place: Place): Tile => {
    const own = byArea.get(place.key) ?? [];
    const station = stations.get(place.stationId);
    const isShared = (names.get(place.name)?.length ?? 0) > 1 && station !== undefined;
    return {
      ...place,
      name: isShared ? `${place.name}, ${station}` : place.name,
      counts: countsOf(own),
      isHot: own.some((row) => row.priority === 1 && isWaiting(row)),
    };
  };
  return places
    .map(tileOf)
    .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }) || a.areaId - b.areaId);
}

/** The areas that have alarms now, as one text. */
export function presentAreas(rows: readonly AlarmRow[]): string {
  const keys = rows.flatMap(({ state, context }) =>
    context && state !== 'mask' ? [areaOf(context).key] : [],
  );
  return [...new Set(keys)].toSorted().join(' ');
}

export type WallGrid = { readonly columns: number; readonly rows: number };

/** As many tiles as can be read from 6 m; more areas take turns, each always at the same place of its page. */
export function wallGrid(count: number): WallGrid {
  if (count > 12) return { columns: 5, rows: 4 };
  return { columns: 4, rows: Math.max(2, Math.ceil(count / 4)) };
}

export function wallPage<Item>(items: readonly Item[], turn: number): readonly Item[] {
  const { columns, rows } = wallGrid(items.length);
  const size = columns * rows;
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = turn % pages;
  return items.slice(page * size, (page + 1) * size);
}
