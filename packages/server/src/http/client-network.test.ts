import { expect, test } from 'vitest';
import { clientNetwork } from './client-network.ts';

test.for([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
] as const)('%s comes from %s', ([address, network]) => {
  expect(clientNetwork(address)).toBe(network);
});
