import { expect, test } from 'vitest';
import { fillFormat, maxMessageLength } from './message-format.ts';

const values = {
  name: 'Boiler',
  path: 'Hall 7/Boiler',
  message: 'Pressure {priority} high',
  shortMessage: '17',
  priority: '2',
  value: '12 bar',
  dataServer: 'PLC 1',
  station: 'North',
  time: '2026-03-01 07:00:00',
};

test.for([
  ['{name}: {message}', 'Boiler: Pressure {priority} high'],
  [
    '{time} {station} {dataServer} {path} P{priority} {value} {shortMessage}',
    '2026-03-01 07:00:00 North PLC 1 Hall 7/Boiler P2 12 bar 17',
  ],
  ['no placeholder', 'no placeholder'],
  ['{colour} {Name} {{name}} {} {', '{colour} {Name} {Boiler} {} {'],
  ['{constructor} {__proto__} {toString}', '{constructor} {__proto__} {toString}'],
])('the format %j gives %j', ([format = '', text]) => {
  expect(fillFormat(format, values)).toBe(text);
});

test('a formatted message is cut to the maximum length', () => {
  const long = { ...values, message: 'x'.repeat(maxMessageLength) };
  expect(fillFormat('{message}'.repeat(400), long)).toHaveLength(maxMessageLength);
});
