import { readFileSync } from 'node:fs';
import { operatorHelp } from '@tocsin/server';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('SECURITY.md states times for reports, fixes and components', () => {
  const text = read('SECURITY.md');
  for (const word of [
    'within 3 working days',
    '7 days',
    '30 days',
    '90 days',
    '24 hours',
    '72 hours',
    '12 months',
  ])
    expect(text).toContain(word);
  expect(text).toMatch(/The same times count .* vulnerability of a package/);
});

test('every setting in hardening.md and key-compromise.md exists', () => {
  const settings = new Set(
    [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name),
  );
  const pages = ['docs/hardening.md', 'docs/key-compromise.md'];
  const named = pages.flatMap((page) =>
    read(page)
      .matchAll(/`([A-Z]+_[A-Z_]+|HOST|PORT|ROLES|CONSOLE)\b/g)
      .toArray(),
  );
  const names = named.map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(30);
  const isKnown = (name: string) => settings.has(name) || settings.has(name.replace(/_FILE$/, ''));
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
});

test('every command in key-compromise.md exists', () => {
  const help = operatorHelp();
  const commands = [...read('docs/key-compromise.md').matchAll(/^npm start -- (\S+)(.*)$/gm)];
  expect(commands.length).toBeGreaterThan(4);
  for (const [, name = '', rest = ''] of commands) {
    expect(help).toContain(`  ${name} `);
    for (const option of rest.split(' ').filter((word) => word.startsWith('--')))
      expect(help).toContain(`[${option}]`);
  }
});
