import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandHelp, handedOverHelp } from './command/help.ts';
import { exitCodeMeanings } from './common/exit-codes.ts';
import { readPlantFile } from './plant/plant-file.ts';
import { clientCommands, serverCommands } from './run-command-line.ts';

const path = fileURLToPath(new URL('../../../docs/command-line.md', import.meta.url));
const page = readFileSync(path, 'utf8');

const begin = '<!-- begin of the reference, written by `npm test -- command-line-page -u` -->';
const end = '<!-- end of the reference -->';

async function reference(): Promise<string> {
  const own = clientCommands.map((command) => [command.name, commandHelp(command)] as const);
  const others = (await serverCommands()).map((command) => [command.name, handedOverHelp(command)] as const);
  return [...own, ...others].map(([name, help]) => `### ${name}\n\n\`\`\`text\n${help}\`\`\`\n`).join('\n');
}

test('docs/command-line.md has the help of every command', async () => {
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  expect(start).toBeGreaterThan(0);
  expect(stop).toBeGreaterThan(start);
  const expected = `${page.slice(0, start)}${begin}\n\n${await reference()}\n${page.slice(stop)}`;
  await expect(expected).toMatchFileSnapshot(path);
});

test('docs/command-line.md has every exit code', () => {
  const rows = [...page.matchAll(/^\| (\d) \| (.*) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(Object.entries(exitCodeMeanings)));
});

test('the plant file of docs/command-line.md is a plant file', () => {
  const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  expect(readPlantFile('example', example)).toMatchObject({ entries: { tags: [{ path: 'North.P1.H' }] } });
});

test('every command has a purpose, a usage and two examples of itself', async () => {
  for (const { name, purpose, examples, options } of clientCommands) {
    expect(purpose).not.toBe('');
    expect(examples.length, name).toBeGreaterThanOrEqual(2);
    expect(
      examples.every(({ command }) => command.includes(name)),
      name,
    ).toBe(true);
    expect(new Set(options.map((option) => option.name)).size, name).toBe(options.length);
  }
  for (const { name, forms } of await serverCommands()) {
    expect(forms.length, name).toBeGreaterThan(0);
    for (const { usage, purpose } of forms) {
      expect(usage.split(' ')[0]).toBe(name);
      expect(purpose).not.toBe('');
    }
  }
});
