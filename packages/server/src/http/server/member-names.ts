/** The part of a JSON schema that names members. */
type NamedSchema = {
  properties?: Record<string, NamedSchema>;
  items?: NamedSchema;
  anyOf?: NamedSchema[];
};

type Named = Record<string, unknown>;

/** Returns a value whose members have the names of the schema; the same value if they have them already. */
export type Rename = (value: unknown) => unknown;

/**
 * Maps the names of members to those of the schema, because clients of the old server write them in any case. An exact
 * name wins over others, and the last of several others. Undefined if the schema names no members. The keys of a map are
 * values, and stay as they are.
 */
export function renameFor(schema: NamedSchema): Rename | undefined {
  if (schema.properties) return renameMembers(schema.properties);
  if (schema.items) return renameItems(schema.items);
  for (const choice of schema.anyOf ?? []) {
    const rename = renameFor(choice);
    if (rename) return rename;
  }
  return undefined;
}

function renameItems(items: NamedSchema): Rename | undefined {
  const rename = renameFor(items);
  if (!rename) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const renamed = value.map(rename);
    return renamed.some((item, index) => item !== value[index]) ? renamed : value;
  };
}

function renameMembers(properties: Record<string, NamedSchema>): Rename {
  const below = new Map(Object.entries(properties).map(([name, schema]) => [name, renameFor(schema)]));
  const exactNames = new Map([...below.keys()].map((name) => [name.toLowerCase(), name]));

  // Nearly all clients write exact names: for them this costs one look-up per member.
  const hasExactNames = (value: Named): boolean => {
    for (const name in value) {
      const rename = below.get(name);
      if (
        rename ? rename(value[name]) !== value[name] : !below.has(name) && exactNames.has(name.toLowerCase())
      )
        return false;
    }
    return true;
  };

  return (given) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
    const value = given as Named;
    if (hasExactNames(value)) return value;
    const renamed: Named = {};
    for (const [name, member] of Object.entries(value)) {
      const exact = below.has(name) ? name : (exactNames.get(name.toLowerCase()) ?? name);
      if (exact !== name && Object.hasOwn(value, exact)) continue;
      const rename = below.get(exact);
      renamed[exact] = rename ? rename(member) : member;
    }
    return renamed;
  };
}
