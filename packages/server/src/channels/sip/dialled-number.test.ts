import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialledUri, dialledUser } from './dialled-number.ts';

const trunk = { host: 'pbx.plant.example', port: 5_060 };

test.for([
  ['+33 (0)1 23-45', '+3301 2345'.replace(' ', '')],
  ['0123456789', '0123456789'],
  ['*21#', '*21%23'],
  ['control-room', 'control-room'],
  ['ext.100', 'ext.100'],
] as const)('%s is dialled', ([address, user]) => {
  expect(dialledUri(address, trunk)).toBe(`sip:${user}@pbx.plant.example`);
});

test('the port of the trunk is dialled unless it is the usual one', () => {
  expect(dialledUri('100', { ...trunk, port: 5_080 })).toBe('sip:100@pbx.plant.example:5080');
});

test.for([
  '',
  '+',
  'sip:100@evil.example',
  '100@evil.example',
  '100;transport=tcp',
  '100>;auth_pass=x',
  '100\nhangup',
  '100\r\n',
  '100?Subject=x',
  '100%0a',
  '100 \u0000',
  '１００',
  '100,200',
])('%j never reaches the dial command', (address) => {
  expect(dialledUri(address, trunk)).toBeUndefined();
});

test('no address adds a host, a parameter or a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (address) => {
      const user = dialledUser(address);
      expect(user === undefined || /^[A-Za-z0-9+*._%-]+$/.test(user)).toBe(true);
    }),
  );
});
