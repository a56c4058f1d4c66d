import { expect, test } from 'vitest';
import { anchorOf, readInline, readMarkdown } from './markdown.ts';

test('headings, paragraphs, lists, code and tables are told apart', () => {
  const source = [
    '# Title',
    '',
    'First line',
    'goes on.',
    '- one',
    '  of two lines',
    '- two',
    '',
    '1. first',
    '',
    '```sh',
    '# no heading',
    '```',
    '| A | B |',
    '| --- | --- |',
    '| `a|b` | c |',
  ].join('\n');
  expect(readMarkdown(source)).toEqual([
    { kind: 'heading', level: 1, text: 'Title', id: 'title' },
    { kind: 'paragraph', text: 'First line goes on.' },
    { kind: 'list', isOrdered: false, items: ['one of two lines', 'two'] },
    { kind: 'list', isOrdered: true, items: ['first'] },
    { kind: 'code', text: '# no heading' },
    { kind: 'table', head: ['A', 'B'], rows: [['`a|b`', 'c']] },
  ]);
});

test('a document that ends inside code ends', () => {
  expect(readMarkdown('```\ncode')).toEqual([{ kind: 'code', text: 'code' }]);
});

test('code, bold texts and links are pieces of a line', () => {
  expect(readInline('Run `npm`, **never** [see](a.md#b).')).toEqual([
    { kind: 'text', text: 'Run ' },
    { kind: 'code', text: 'npm' },
    { kind: 'text', text: ', ' },
    { kind: 'bold', text: 'never' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'see', to: 'a.md#b' },
    { kind: 'text', text: '.' },
  ]);
});

test('the anchor of a heading is the one that links name', () => {
  expect(anchorOf('Roles and permissions')).toBe('roles-and-permissions');
  expect(anchorOf('What a `200` means?')).toBe('what-a-200-means');
});
