import { expect, test } from 'vitest';
import { castText, terminalLines } from './terminal-lines.ts';
import { terminalPicture } from './terminal-picture.ts';

const outputs = [
  { seconds: 0, text: '\r\nTocsin <demo>\r\n' },
  { seconds: 0.1, text: '  … Server' },
  { seconds: 2.5, text: '\r\u001B[2K  ✔ Server on \u001B[1mhttp://a\u001B[22m\r\n' },
];

test('a step that was running is shown as it ended, at the time it ended', () => {
  expect(terminalLines(outputs)).toEqual([
    { seconds: 0, text: '' },
    { seconds: 0, text: 'Tocsin <demo>' },
    { seconds: 2.5, text: '  ✔ Server on \u001B[1mhttp://a\u001B[22m' },
  ]);
});

test('the picture has each line with its time, and no code of a terminal', () => {
  const picture = terminalPicture(terminalLines(outputs), 80);
  expect(picture).toContain(
    'animation-delay:2.50s">  ✔ Server on <tspan font-weight="700">http://a</tspan></text>',
  );
  expect(picture).toContain('Tocsin &lt;demo&gt;');
  expect(picture).not.toContain('\u001B');
});

test('the recording has a head and one line for each output', () => {
  const [head, first] = castText(outputs, { columns: 80, rows: 24 }).split('\n');
  expect(JSON.parse(head ?? '')).toMatchObject({ version: 2, width: 80, height: 24 });
  expect(JSON.parse(first ?? '')).toEqual([0, 'o', '\r\nTocsin <demo>\r\n']);
});
