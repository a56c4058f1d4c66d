import { readFileSync } from 'node:fs';
import { settingDescriptions } from '@tocsin/server/testing';
import { expect, test } from 'vitest';
import { replaceSettings, tables } from './configuration-page.ts';

const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');

test('docs/configuration.md has every setting of the server as it is', () => {
  expect(replaceSettings(page)).toBe(page);
  for (const { variables } of settingDescriptions())
    for (const variable of variables) expect(page).toContain(`\`${variable}\``);
});

test('a setting that is in no group is reported by name', () => {
  const added = { ...settingDescriptions()[0], setting: 'sirenCount' } as ReturnType<
    typeof settingDescriptions
  >[number];
  expect(() => tables([...settingDescriptions(), added])).toThrow(/^sirenCount: add it to a group/);
});

test('a setting that was removed is reported by name', () => {
  expect(() => tables(settingDescriptions().slice(1))).toThrow(/^databaseUrl: not a setting/);
});
