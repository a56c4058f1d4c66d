import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv, withFormula, writeCsv } from './csv.ts';

const cellsOf = (text: string) => readCsv(text)?.map(({ cells }) => cells);

test('a file of a German spreadsheet is read like one of an English spreadsheet', () => {
  expect(cellsOf('\uFEFFpath;message\r\npump;"Druck; zu hoch"\r\n')).toEqual([
    ['path', 'message'],
    ['pump', 'Druck; zu hoch'],
  ]);
  expect(cellsOf('path,message\npump,"Pressure, too high"')).toEqual([
    ['path', 'message'],
    ['pump', 'Pressure, too high'],
  ]);
});

test('quotes, line breaks in cells, empty cells and empty lines are understood', () => {
  const text = 'path,message,delay\r\n"a ""b""","two\r\nlines",\r\n\r\nc,,5\r\n,,\r\nlast,x,1';
  expect(readCsv(text)).toEqual([
    { line: 1, cells: ['path', 'message', 'delay'] },
    { line: 2, cells: ['a "b"', 'two\r\nlines', ''] },
    { line: 5, cells: ['c', '', '5'] },
    { line: 7, cells: ['last', 'x', '1'] },
  ]);
});

test.for(['path\n"open', 'path,message\n"a"b,c', 'path\n"a" b'])('a broken quote is reported: %j', (text) => {
  expect(readCsv(text)).toBeUndefined();
});

test('a spreadsheet does not run a message as a formula, and the import reads it as it was', () => {
  for (const message of ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', "'=1", "''@", '\t=1']) {
    const [, row] = cellsOf(writeCsv([['message'], [message]], ',')) ?? [];
    expect(row?.[0]).toBe(`'${message}`);
    expect(withFormula(row?.[0] ?? '')).toBe(message);
  }
  expect(withFormula("'quoted'")).toBe("'quoted'");
});

test('what is written is read again, whatever the cells hold', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', ';', '\n', '\r', "'", '=', '-', 'é') });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { minLength: 1 }),
      fc.constantFrom(',', ';'),
      (rows, separator) => {
        const header = ['path', 'message'];
        const read = cellsOf(writeCsv([header, ...rows], separator))?.map((cells) => cells.map(withFormula));
        expect(read).toEqual([header, ...rows.filter((row) => row.some((text) => text !== ''))]);
      },
    ),
  );
});
