import { useMemo } from 'react';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { useAreas, useStations } from '../services/queries.ts';
import { presentAreas, type Tile, tilesOf } from './tiles.ts';

export function useTiles(): readonly Tile[] {
  const { rows } = useAlarms();
  const stations = useStations();
  const areas = useAreas(useMemo(() => presentAreas(rows), [rows]));
  return useMemo(
    () => tilesOf(areas, rows, new Map(stations.map(({ id, name }) => [id, name]))),
    [areas, rows, stations],
  );
}
