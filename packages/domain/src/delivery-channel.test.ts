import { expect, test } from 'vitest';
import { chooseChannel } from './delivery-channel.ts';

const trunk = { id: 1, healthy: true };
const cloud = { id: 2, healthy: true };
const broken = { id: 3, healthy: false };

test.each([
  ['the first way out is taken', [trunk, cloud], [], trunk],
  ['one that has just failed is passed over', [trunk, cloud], [1], cloud],
  ['one that is broken is passed over', [broken, trunk], [], trunk],
  ['one that works is taken again when it is the only one', [trunk, broken], [1], trunk],
  ['a broken one is better than none', [broken], [], broken],
  [
    'of broken ones that is taken which has not just failed',
    [broken, { ...cloud, healthy: false }],
    [3],
    { ...cloud, healthy: false },
  ],
  ['without any there is none', [], [], undefined],
])('%s', (_, inOrder, avoid, chosen) => {
  expect(chooseChannel(inOrder, avoid)).toEqual(chosen);
});
