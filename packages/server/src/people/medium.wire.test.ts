import type { Medium } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { keptMedia } from './medium.wire.ts';

const kept = (kind: Medium['kind'], address: string) => keptMedia([{ kind, address }])[0]?.address;

test.for<[Medium['kind'], string, string]>([
  ['Voice', '+33 (0)1 23-45.67/89', '+330123456789'],
  ['Sms', '06 12 34 56 78', '0612345678'],
  ['Pager', '112', '112'],
  ['Email', 'Anna.Ek@plant.example', 'Anna.Ek@plant.example'],
  ['Email', 'ünïcode@straße.example', 'ünïcode@straße.example'],
  ['Webhook', 'https://hooks.example/a?b=c', 'https://hooks.example/a?b=c'],
  ['Webhook', 'http://10.0.0.7:8080/alarm', 'http://10.0.0.7:8080/alarm'],
  ['Push', 'any token: at all', 'any token: at all'],
])('%s %s is stored as %s', ([kind, sent, expected]) => {
  expect(kept(kind, sent)).toBe(expected);
});

test.for<[Medium['kind'], string]>([
  ['Voice', 'anna'],
  ['Voice', '33+123456'],
  ['Voice', '+'],
  ['Sms', '------'],
  ['Sms', '12'],
  ['Sms', '123456\r\n789'],
  ['Pager', '1'.repeat(33)],
  ['Email', 'anna'],
  ['Email', '@plant.example'],
  ['Email', 'anna@'],
  ['Email', 'anna ek@plant.example'],
  ['Email', 'anna@plant.example\r\nBcc: all@plant.example'],
  ['Email', 'anna@plant.example\u0000'],
  ['Webhook', 'ftp://hooks.example'],
  ['Webhook', 'file:///etc/passwd'],
  ['Webhook', 'hooks.example'],
  ['Webhook', 'https://hooks.example/\na'],
])('%s %j is not a valid address', ([kind, address]) => {
  expect(() => kept(kind, address)).toThrow('/media/0/address must be');
});

test('the fault names the place in the list', () => {
  const media: Medium[] = [
    { kind: 'Push', address: 'x', enabled: false },
    { kind: 'Sms', address: 'x' },
  ];
  expect(() => keptMedia(media)).toThrow('/media/1/address');
  expect(keptMedia(media.slice(0, 1))).toEqual([{ kind: 'Push', address: 'x', enabled: false }]);
});
