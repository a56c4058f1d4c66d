import { expect, test } from 'vitest';
import { faultReasons } from './connection-fault.ts';
import { createEgress } from './egress.ts';

const nothingOwn = createEgress([])(1);

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
  expect(nothingOwn.refusal(address, 443)).toBe(faultReasons.notAllowed);
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
  expect(nothingOwn.refusal(address, 443)).toBeUndefined();
  expect(nothingOwn.isListed(address, 443)).toBe(false);
});

test('an address of the plant is reached when the operator names its range, however it is written', () => {
  const plant = createEgress(['10.20.0.0/16', '192.168.7.9', 'fd12:3456::/32'])(1);
  for (const address of ['10.20.1.1', '::ffff:10.20.1.1', '192.168.7.9', 'fd12:3456::25']) {
    expect(plant.refusal(address, 25)).toBeUndefined();
    expect(plant.isListed(address, 25)).toBe(true);
  }
  for (const address of ['10.21.0.1', '192.168.7.8', 'fd12:3457::25', '127.0.0.1', '169.254.169.254']) {
    expect(plant.refusal(address, 25)).toBeDefined();
  }
});

/** Ports of mail, web, and what an intruder would look for. */
const ports = [22, 25, 80, 443, 465, 587, 2525, 5432, 8080];

test.for([
  { rule: '10.20.0.0/16', open: [25, 80, 443, 465, 587] },
  { rule: '10.20.0.0/16:2525', open: [2525] },
  { rule: '10.20.0.0/16:25,587', open: [25, 587] },
  { rule: '10.20.0.0/16:*', open: ports },
])('$rule opens the ports $open, and no other', ({ rule, open }) => {
  const plant = createEgress(rule.split(','))(1);
  expect(ports.filter((port) => plant.isListed('10.20.1.1', port))).toEqual(open);
  expect(ports.filter((port) => plant.refusal('10.20.1.1', port) === undefined)).toEqual(open);
});

test('ports of an IPv6 range follow brackets', () => {
  const plant = createEgress(['[fd12:3456::/32]:25', '587', '[fd77::9]:*'])(1);
  expect(ports.filter((port) => plant.isListed('fd12:3456::1', port))).toEqual([25, 587]);
  expect(ports.filter((port) => plant.isListed('fd77::9', port))).toEqual(ports);
});

test('what the operator allows to one tenant is closed to the others', () => {
  const egressOf = createEgress(['2=10.1.0.0/16:25', '587', '3=[fd12::/32]:25', '10.9.9.9:25']);
  const reached = (tenantId: number) =>
    [
      ['10.1.2.3', 25],
      ['10.1.2.3', 587],
      ['fd12::1', 25],
      ['10.9.9.9', 25],
    ].filter(([address, port]) => egressOf(tenantId).refusal(String(address), Number(port)) === undefined);
  expect(reached(1)).toEqual([['10.9.9.9', 25]]);
  expect(reached(2)).toEqual([
    ['10.1.2.3', 25],
    ['10.1.2.3', 587],
    ['10.9.9.9', 25],
  ]);
  expect(reached(3)).toEqual([
    ['fd12::1', 25],
    ['10.9.9.9', 25],
  ]);
});

test('an invalid range stops the server instead of allowing something', () => {
  expect(() => createEgress(['plant.example'])).toThrow('plant.example');
});
