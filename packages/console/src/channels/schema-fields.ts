import type { ChannelKind } from '@tocsin/contract';

/** A setting of a channel, as its kind describes it. */
export type Field = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'text' | 'long' | 'secret' | 'number' | 'boolean' | 'choice' | 'list';
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** What applies if the field is left empty. */
  readonly byDefault: string;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
};

type Schema = {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly writeOnly?: boolean;
};

/** A text with more characters is written in several lines, such as a certificate. */
const longerThan = 2_000;

function typeOf({ type, enum: choices, writeOnly, maxLength = 0 }: Schema): Field['type'] {
  if (writeOnly === true) return 'secret';
  if (choices) return 'choice';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return 'list';
  return maxLength > longerThan ? 'long' : 'text';
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The fields of a form for the kind: a setting that the server adds appears without a change of the console. */
export function fieldsOf({ settings }: Pick<ChannelKind, 'settings'>): readonly Field[] {
  const { properties = {}, required = [] } = settings as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    title: schema.title ?? name,
    description: schema.description ?? '',
    type: typeOf(schema),
    isRequired: required.includes(name),
    choices: schema.enum ?? schema.items?.enum ?? [],
    byDefault: textOf(schema.default),
    minimum: schema.minimum,
    maximum: schema.maximum,
  }));
}

/** What the fields hold while somebody types, by their names. */
export type Values = Readonly<Record<string, string>>;

/** The values of a channel; secrets are never known. */
export function valuesOf(fields: readonly Field[], settings: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(fields.map(({ name }) => [name, textOf(settings[name])]));
}

/** The settings to send. An empty field is left out: then its default applies, and a secret stays as it is. */
export function settingsOf(fields: readonly Field[], values: Values): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const value = (values[name] ?? '').trim();
    if (value !== '') given[name] = settingOf(type, value);
  }
  return given;
}

function settingOf(type: Field['type'], value: string): unknown {
  if (type === 'number') return Number(value);
  if (type === 'boolean') return value === 'true';
  return type === 'list' ? value.split(/[\s,]+/) : value;
}

/** The settings as they may be shown: secrets are dots. */
export function shownSettings(
  fields: readonly Field[],
  settings: Record<string, unknown>,
): Record<string, unknown> {
  const secret = new Set(fields.filter(({ type }) => type === 'secret').map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, secret.has(name) ? '…' : value]),
  );
}
