/** The part of a JSON schema that says which names there are. */
type NamedSchema = {
  properties?: Record<string, NamedSchema>;
  items?: NamedSchema;
  anyOf?: NamedSchema[];
};

type Named = Record<string, unknown>;

/** Gives a value whose members have the names of the schema; the value itself when they had them already. */
export type Rename = (value: unknown) => unknown;

/**
 * How the members of a value get the names of the schema: clients of the old server write them in any case. An exact
 * name wins over others, and of several others the last. Undefined where the schema names nothing. Names of a map,
 * which are values, are left alone.
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

  // Nearly all clients write the names as they are: they pay for a look-up of each, and for nothing else.
  const isFine = (value: Named): boolean => {
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
    if (isFine(value)) return value;
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
