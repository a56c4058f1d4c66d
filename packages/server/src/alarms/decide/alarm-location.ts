import type { Location } from '@tocsin/contract';

type Beacon = NonNullable<Location['beaconList']>[number];

const beaconTypes = ['Undefined', 'Nfc'];

/** The location as it is stored: only the members of the contract, and beacons of an unknown type as `Undefined`. */
export function storedLocation(location: Location): Location {
  const { latitude, longitude, horizontalAccuracy, altitude, verticalAccuracy, date, beaconList, zone } =
    location;
  return withoutUndefined<Location>({
    latitude,
    longitude,
    horizontalAccuracy,
    altitude,
    verticalAccuracy,
    date,
    beaconList: beaconList?.map(storedBeacon),
    zone,
  });
}

function storedBeacon({ id, name, type = 'Undefined', accuracy, date }: Beacon): Beacon {
  return withoutUndefined<Beacon>({
    id,
    name,
    type: beaconTypes.includes(type) ? type : 'Undefined',
    accuracy,
    date,
  });
}

/** Takes each member by name, so that a member that is added to the contract cannot be forgotten. */
function withoutUndefined<Members extends object>(
  members: {
    [Name in keyof Members]-?: Members[Name] | undefined;
  },
): Members {
  const present: Partial<Members> = {};
  for (const name in members) {
    if (members[name] !== undefined) present[name] = members[name];
  }
  return present as Members;
}
