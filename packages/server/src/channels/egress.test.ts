import { expect, test } from 'vitest';
import { createEgress } from './egress.ts';

const nothingOwn = createEgress([]);

test.for([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:10.0.0.1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:0:1::1',
  '2001:db8::1',
  'not an address',
  '',
])('no message goes to %s, which is not a public address', (address) => {
  expect(nothingOwn.refusal(address)).toContain('not a public address');
});

test.for([
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.169.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
])('a message may go to %s, which is public', (address) => {
  expect(nothingOwn.refusal(address)).toBeUndefined();
  expect(nothingOwn.isOwn(address)).toBe(false);
});

test('an address of the plant is reached when the installation names its range, however it is written', () => {
  const plant = createEgress(['10.20.0.0/16', '192.168.7.9', 'fd12:3456::/32']);
  for (const address of ['10.20.1.1', '::ffff:10.20.1.1', '192.168.7.9', 'fd12:3456::25']) {
    expect(plant.refusal(address)).toBeUndefined();
    expect(plant.isOwn(address)).toBe(true);
  }
  for (const address of ['10.21.0.1', '192.168.7.8', 'fd12:3457::25', '127.0.0.1', '169.254.169.254']) {
    expect(plant.refusal(address)).toBeDefined();
  }
});

test('a range that is none stops the server instead of allowing something', () => {
  expect(() => createEgress(['plant.example'])).toThrow('plant.example is not an address range');
});
