import type { AlarmDetail, SitePlan } from '@tocsin/contract';

export type ShownBeacon = {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
};

/** The beacons that an alarm came with and that the plan knows. */
export function shownBeacons(
  location: AlarmDetail['location'],
  positions: SitePlan['positions'],
): readonly ShownBeacon[] {
  const named = new Map((location?.beaconList ?? []).map(({ id = '', name = '' }) => [id, name]));
  return positions.flatMap(({ beaconId, label = '', x, y }) => {
    const name = beaconId === undefined ? undefined : named.get(beaconId);
    if (beaconId === undefined || name === undefined) return [];
    return [{ id: beaconId, name: [label, name, beaconId].find((text) => text !== '') ?? '', x, y }];
  });
}
