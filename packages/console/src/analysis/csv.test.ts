import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('messages with commas, quotes and lines stay one cell', () => {
  expect(toCsv([['Pump "P1", dry', 7, undefined], ['two\nlines']])).toBe(
    '"Pump ""P1"", dry",7,\r\n"two\nlines"\r\n',
  );
});

test('a message that looks like a formula is kept as text', () => {
  expect(toCsv([['=1+1', '-5 bar', -5]])).toBe("'=1+1,'-5 bar,-5\r\n");
});
