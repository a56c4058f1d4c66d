import type { TagImportResult } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { importRows, wrongFile } from './import-rows.ts';

const result: TagImportResult = {
  dryRun: true,
  lines: 4,
  added: [
    {
      line: 2,
      path: 'N1',
      values: [
        { column: 'priority', value: '2' },
        { column: 'tagGroup', value: 'Pumps' },
      ],
    },
  ],
  changed: [
    {
      line: 3,
      id: 7,
      path: 'P1',
      changes: [
        { column: 'priority', before: '2', after: '1' },
        { column: 'delay', before: '30', after: '0' },
      ],
    },
  ],
  unchanged: 1,
  missing: 0,
  wrong: [
    { line: 5, path: '=x', code: 'unknown-name', column: 'scenario', value: 'Genset', reason: 'no "Genset"' },
  ],
};

test('errors come first, then each changed field, then new tags', () => {
  expect(importRows(result).map(({ kind, path, line }) => [kind, path, line])).toEqual([
    ['wrong', '=x', 5],
    ['changed', 'P1', 3],
    ['changed', 'P1', 3],
    ['added', 'N1', 2],
  ]);
  expect(importRows(result).at(-1)).toMatchObject({ values: '2, Pumps' });
});

test('the file of errors is quoted, and no spreadsheet runs it', () => {
  expect(wrongFile(result.wrong)).toBe('\uFEFFline,path,reason\r\n5,"\'=x","no ""Genset"""\r\n');
});
