import { expect, test } from 'vitest';
import { column, counted, plainText } from './terminal-text.ts';

test('a message of a machine cannot clear the screen, move the cursor or begin a line', () => {
  expect(plainText('Pump\u001B[2J stopped\nOK\u202E')).toBe('Pump\uFFFD[2J stopped OK\uFFFD');
});

test('a column has its width, whatever the text', () => {
  expect(column('North', 8)).toBe('North   ');
  expect(column('Waterworks North', 8)).toBe('Waterwo…');
  expect(column('Pümpe', 6)).toBe('Pümpe ');
});

test('numbers are read easily', () => {
  expect(counted(1, 'tag')).toBe('1 tag');
  expect(counted(2_000, 'tag')).toBe('2,000 tags');
});
