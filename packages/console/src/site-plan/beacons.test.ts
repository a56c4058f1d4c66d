import { expect, test } from 'vitest';
import { shownBeacons } from './beacons.ts';

const positions = [
  { x: 0.1, y: 0.2, beaconId: 'b7', label: 'Fridge room' },
  { x: 0.3, y: 0.4, beaconId: 'b8' },
  { x: 0.5, y: 0.6, tagId: 3, label: 'Pump' },
];

test('only the beacons that the alarm came with are on the plan', () => {
  const location = { beaconList: [{ id: 'b7', name: 'B7' }, { id: 'b9' }] };
  expect(shownBeacons(location, positions)).toEqual([{ id: 'b7', name: 'Fridge room', x: 0.1, y: 0.2 }]);
});

test('a beacon without a label has the name that the device gave it, else its identifier', () => {
  expect(shownBeacons({ beaconList: [{ id: 'b8', name: 'Gate' }] }, positions)[0]?.name).toBe('Gate');
  expect(shownBeacons({ beaconList: [{ id: 'b8' }] }, positions)[0]?.name).toBe('b8');
});

test('an alarm without a location has no beacons', () => {
  expect(shownBeacons(undefined, positions)).toEqual([]);
});
