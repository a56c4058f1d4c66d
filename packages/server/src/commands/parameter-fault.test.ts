import { expect, test } from 'vitest';
import { parameterFault } from './parameter-fault.ts';

const pump = { name: 'pump', pattern: '[a-z]+[0-9]{1,3}', max: 12 };
const anything = { name: 'text', pattern: '.*', max: 20 };

test.for(['pump1', 'p123', 'boiler12'])('%s is given to the program', (parameter) => {
  expect(parameterFault(pump, parameter)).toBeUndefined();
});

test.for([
  ['more than the pattern has', 'pump1; reboot'],
  ['a match at the beginning only', 'pump1x'],
  ['a match at the end only', 'xx pump1'],
  ['a line that matches, and another', 'pump1\nreboot'],
  ['a line end after it', 'pump1\n'],
  ['a carriage return after it', 'pump1\r'],
  ['nothing', ''],
  ['another case', 'PUMP1'],
  ['digits of another script', 'pump\u0661'],
  ['a letter that looks the same', 'рump1'],
  ['too much', 'pumppumppump1'],
])('a parameter that is %s is refused', ([, parameter]) => {
  expect(parameterFault(pump, parameter ?? '')).toMatch(/^pump /);
});

test.for([
  ['an option', '-rf'],
  ['a long option', '--config=/etc/passwd'],
  ['a dash', '-'],
  ['a NUL', 'a\u0000b'],
  ['a newline', 'a\nb'],
  ['an escape of terminals', '\u001b[2J'],
  ['a C1 control', 'a\u009bb'],
  ['a line separator', 'a\u2028b'],
  ['half a character', 'a\ud800'],
])('even a pattern that matches anything refuses %s', ([, parameter]) => {
  expect(parameterFault(anything, parameter ?? '')).toMatch(/^text /);
});

test('alternatives of a pattern must match the whole parameter', () => {
  const rule = { name: 'word', pattern: 'on|off', max: 10 };
  expect(parameterFault(rule, 'off')).toBeUndefined();
  expect(parameterFault(rule, 'on; x')).toBe('word does not match its pattern');
  expect(parameterFault(rule, 'xoff')).toBe('word does not match its pattern');
});

test('characters are counted as code points', () => {
  expect(parameterFault(anything, '\u{1F6A8}'.repeat(20))).toBeUndefined();
  expect(parameterFault(anything, '\u{1F6A8}'.repeat(21))).toBe('text is longer than 20 characters');
});

test('a command without a parameter accepts none', () => {
  expect(parameterFault(undefined, '')).toBeUndefined();
  expect(parameterFault(undefined, 'x')).toBe('the command takes no parameter');
});
