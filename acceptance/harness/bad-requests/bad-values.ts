import fc from 'fast-check';

/** The keywords of JSON Schema that the contract uses. */
export type Schema = {
  '~kind'?: string;
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[] | undefined;
  items?: Schema;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
};

/** Marks JSON in a body that `JSON.stringify` cannot write, such as `1e400`. */
const rawMark = '@raw@';
const raw = (text: string) => `${rawMark}${text}${rawMark}`;

/** The smallest value that is valid for the schema. */
export function goodValue(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return goodValue(schema.anyOf[0] ?? {});
  const { type = 'string', minimum = 0 } = schema;
  switch (type) {
    case 'integer':
    case 'number':
      return minimum;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return goodObject(schema);
    default:
      return goodText(schema);
  }
}

function goodObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, goodValue(properties[name] ?? {})]));
}

function goodText({ pattern, minLength = 1 }: Schema): string {
  return pattern?.includes(':') === true ? '08:00' : 'x'.repeat(minLength);
}

/** Values of every JSON type except the named one, and except null, which some members allow. */
const others: Record<string, readonly unknown[]> = {
  integer: ['seven', '7', '', '\u0000', '\ud800', true, [], {}, [7], 1.5, -0.5],
  number: ['1', 'NaN', '', true, [], {}, [1]],
  string: [7, -1, 1e300, true, false, [], {}, ['x'], { toString: 'x' }],
  boolean: ['true', 'false', '', 0, 1, [], {}],
  array: ['x', '', 7, true, {}, { length: 1 }, { 0: 1 }],
  object: ['x', '', 7, true, [], [{}]],
};
const hugeNumbers = [raw('1e400'), raw('-1e400'), raw('9'.repeat(400)), raw('1E+999'), 2 ** 53, -(2 ** 31)];
const badWords = [
  'Nobody',
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  '\ud800',
  'x'.repeat(5_000),
];
const badClocks = ['25:00', '8:00', '08:60', '08:00:00', 'noon', '', '24:01', '-1:00', '\u0660\u0668:00'];

/** A value that is invalid in exactly one place. */
function badValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return badChoice(schema.enum);
  if (schema.anyOf) return fc.constantFrom(7, true, [], {});
  const { type = 'string' } = schema;
  const wrongType = fc.constantFrom(...(others[type] ?? []));
  switch (type) {
    case 'integer':
      return fc.oneof(wrongType, badInteger(schema));
    case 'number':
      return wrongType;
    case 'array':
      return fc.oneof({ weight: 1, arbitrary: wrongType }, { weight: 3, arbitrary: badArray(schema) });
    case 'object':
      return fc.oneof({ weight: 1, arbitrary: wrongType }, { weight: 9, arbitrary: badObject(schema) });
    case 'string':
      return fc.oneof(wrongType, ...badStrings(schema));
    default:
      return wrongType;
  }
}

function badChoice(choices: readonly unknown[]): fc.Arbitrary<unknown> {
  const pool = [...badWords, 7, 1.5, true, [], {}, ...choices.map((choice) => [choice])];
  return fc
    .oneof(fc.constantFrom<unknown>(...pool), fc.string({ unit: 'binary', maxLength: 20 }))
    .filter((value) => !choices.includes(value));
}

function badInteger({ minimum = 0, maximum = 4_294_967_295 }: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom<unknown>(...hugeNumbers),
    fc.integer({ min: -(2 ** 31), max: minimum - 1 }),
    fc.integer({ min: maximum + 1, max: Number.MAX_SAFE_INTEGER }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
  );
}

function badStrings({ minLength = 0, maxLength, pattern }: Schema): fc.Arbitrary<unknown>[] {
  const short = minLength > 0 ? [fc.string({ maxLength: minLength - 1 })] : [];
  const long =
    maxLength === undefined
      ? []
      : [fc.integer({ min: 1, max: 2_000 }).map((more) => 'x'.repeat(maxLength + more))];
  const odd = pattern === undefined ? [] : [fc.constantFrom(...badClocks)];
  return [...short, ...long, ...odd];
}

function badArray({ items = {}, maxItems = 0 }: Schema): fc.Arbitrary<unknown> {
  const good = goodValue(items);
  const oneBad = fc
    .tuple(badValue(items), fc.nat(3), fc.nat(3))
    .map(([bad, before, after]) =>
      Array.from({ length: before + 1 + after }, (_, index) => (index === before ? bad : good)),
    );
  const tooMany = fc.nat(5).map((more) => Array.from({ length: maxItems + 1 + more }, () => good));
  return fc.oneof({ weight: 4, arbitrary: oneBad }, { weight: 1, arbitrary: tooMany });
}

function takesAnything(schema: Schema = {}): boolean {
  return schema.type === undefined && schema.enum === undefined && schema.anyOf === undefined;
}

export function badObject(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const good = goodObject(schema);
  const oneBad = fc
    .constantFrom(...Object.keys(properties).filter((name) => !takesAnything(properties[name])))
    .chain((name) => badValue(properties[name] ?? {}).map((bad) => Object.assign({}, good, { [name]: bad })));
  if (required.length === 0) return oneBad;
  const oneMissing = fc
    .constantFrom(...required)
    .map((missing) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== missing)));
  return fc.oneof({ weight: 9, arbitrary: oneBad }, { weight: 1, arbitrary: oneMissing });
}

/** The JSON text of a value, with the raw parts in it as they are. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(new RegExp(`"${rawMark}([^"]*?)${rawMark}"`, 'g'), '$1');
}
