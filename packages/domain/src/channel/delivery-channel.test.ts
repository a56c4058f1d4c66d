import { expect, test } from 'vitest';
import { chooseChannel } from './delivery-channel.ts';

const trunk = { id: 1, healthy: true };
const cloud = { id: 2, healthy: true };
const down = { id: 3, healthy: false };

test.each([
  ['the first channel is chosen', [trunk, cloud], [], trunk],
  ['a channel that has just failed is skipped', [trunk, cloud], [1], cloud],
  ['a channel that is down is skipped', [down, trunk], [], trunk],
  ['a healthy channel is chosen again if it is the only one', [trunk, down], [1], trunk],
  ['a channel that is down is better than none', [down], [], down],
  [
    'of channels that are down, one that has not just failed is chosen',
    [down, { ...cloud, healthy: false }],
    [3],
    { ...cloud, healthy: false },
  ],
  ['without channels none is chosen', [], [], undefined],
])('%s', (_, channels, avoid, chosen) => {
  expect(chooseChannel(channels, avoid)).toEqual(chosen);
});
