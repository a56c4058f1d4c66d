import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { Settings } from './settings/config.ts';
import { variableOf } from './settings/setting.ts';

type Described = {
  default?: string | number | boolean | [];
  description: string;
  file?: 'also' | 'only';
};

function row([setting, schema]: [string, Type.TSchema]): string {
  const { default: preset, description, file } = schema as Described;
  const variable = variableOf(setting);
  const names = { also: `\`${variable}\` or \`${variable}_FILE\``, only: `\`${variable}_FILE\`` };
  const shown = preset === undefined || String(preset) === '' ? 'none' : `\`${String(preset)}\``;
  const isRequired = preset === undefined && !Type.IsOptional(schema);
  return `| ${file ? names[file] : `\`${variable}\``} | ${isRequired ? 'required' : shown} | ${description} |`;
}

test('the table of settings in docs/operations.md matches the server', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, after = ''] = page.split('| Variable | Default | Meaning |\n| --- | --- | --- |\n');
  const [table = ''] = after.split('\n\n');
  expect(table.split('\n')).toEqual(Object.entries(Settings.properties).map(row));
});
