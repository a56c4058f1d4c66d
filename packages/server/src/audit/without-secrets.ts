import type { TSchema } from 'typebox';

type Described = {
  writeOnly?: boolean;
  properties?: Record<string, TSchema>;
  items?: TSchema;
};

/** Keeps the members that the schema describes and does not mark as `writeOnly`, at every depth. */
export function withoutSecrets(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as Described;
  if (Array.isArray(value)) return items ? value.map((item) => withoutSecrets(items, item)) : value;
  if (typeof value !== 'object' || value === null || !properties) return value;
  const members = value as Record<string, unknown>;
  const shown = Object.entries(properties).filter(
    ([name, member]) => Object.hasOwn(members, name) && (member as Described).writeOnly !== true,
  );
  return Object.fromEntries(shown.map(([name, member]) => [name, withoutSecrets(member, members[name])]));
}

/** The names of the secrets that a body sets: the trail shows that a password was changed, not the password. */
export function givenSecrets(schema: TSchema, body: unknown): string[] {
  const { properties = {} } = schema as Described;
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(properties).flatMap(([name, member]) =>
    (member as Described).writeOnly === true && Object.hasOwn(body, name) ? [name] : [],
  );
}
