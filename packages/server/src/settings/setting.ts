import { readFileSync } from 'node:fs';
import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';

/**
 * The rules in the schema of a setting. `mustBe` is the message for a refused value. `file`: the value may `also`, or can
 * `only`, be given in a file, which the variable `<NAME>_FILE` names.
 */
type SettingRules = {
  type?: string;
  default?: unknown;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  mustBe?: string;
  file?: 'also' | 'only';
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings have faults. Each line of the message names a variable and the expected value. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** `databaseUrl` → `DATABASE_URL`. */
export function variableOf(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The value of a setting, its default, or undefined if it is optional. An empty variable counts as absent. */
export function readSetting(environment: Environment, setting: string, schema: TSchema): unknown {
  const variable = variableOf(setting);
  const rules = schema as SettingRules;
  const given = findText(environment, variable, rules.file);
  if (given === undefined) {
    if (rules.default !== undefined || Type.IsOptional(schema)) return rules.default;
    throw new ConfigError([`${variable} is not set: it must be ${expectation(rules)}`]);
  }
  const value = parse(given.text, rules);
  if (Check(schema, value)) return value;
  // A value that may hold a password is never repeated.
  const shown = rules.file === undefined ? ` is ${JSON.stringify(given.text)}: it` : '';
  throw new ConfigError([`${given.source}${shown} must be ${expectation(rules)}`]);
}

/** The value of a setting that is absent; undefined if it has no default. */
export function defaultOf(schema: TSchema): unknown {
  return (schema as SettingRules).default;
}

function findText(
  environment: Environment,
  variable: string,
  file: SettingRules['file'],
): { source: string; text: string } | undefined {
  const fileVariable = `${variable}_FILE`;
  const text = file === 'only' ? '' : (environment[variable] ?? '');
  const path = file === undefined ? '' : (environment[fileVariable] ?? '');
  if (text !== '' && path !== '') {
    throw new ConfigError([`${variable} and ${fileVariable} are both set: unset one of them`]);
  }
  if (path !== '') return { source: `${fileVariable} (${path})`, text: readSecret(fileVariable, path) };
  return text === '' ? undefined : { source: variable, text };
}

function readSecret(fileVariable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`${fileVariable} names a file that cannot be read: ${reason}`]);
  }
}

function parse(text: string, { type, file }: SettingRules): unknown {
  if (type === 'integer') return /^[0-9]{1,9}$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  if (type !== 'array') return text;
  return file === 'only' ? parseJson(text) : parseList(text, file);
}

/** Comma-separated; in a file also one item per line, with comments after `#`. */
function parseList(text: string, file: SettingRules['file']): string[] {
  if (file === undefined) return text.split(',').map((item) => item.trim());
  const items = text.replace(/#.*/g, '').split(/[,\n]/);
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the value of a setting must be; empty if every text is accepted. */
export function expectedValue(schema: TSchema): string {
  const rules = schema as SettingRules;
  const hasRule = rules.mustBe !== undefined || rules.enum !== undefined;
  return hasRule || rules.type === 'boolean' || rules.type === 'integer' ? expectation(rules) : '';
}

function expectation({ mustBe, type, enum: choices, minimum, maximum }: SettingRules): string {
  if (mustBe !== undefined) return mustBe;
  if (choices !== undefined) return `one of ${choices.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  return `a whole number from ${minimum} to ${maximum}`;
}
