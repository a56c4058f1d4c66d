import type { AlarmContext } from '@tocsin/contract';

/** Area 0 is one per station: the alarms of the station that are in no tag group. */
export const areaKey = (areaId: number, stationId: number): string =>
  areaId > 0 ? String(areaId) : `0:${stationId}`;

export type AreaName = { readonly key: string; readonly name: string };

export function areaOf({ areaId, stationId, area, station }: AlarmContext): AreaName {
  return { key: areaKey(areaId, stationId), name: area === '' ? station : area };
}
