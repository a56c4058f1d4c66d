/** Collections of configured objects, by their path in the interface. */
export type CollectionPath =
  | 'stations'
  | 'dataservers'
  | 'taggroups'
  | 'scenarios'
  | 'users'
  | 'callgroups'
  | 'callgroupgroupings'
  | 'apikeys'
  | 'issuers';

/** What an empty reference stands for. */
export type NoneWord = 'allStations' | 'none' | 'top' | 'nobody' | 'choose' | 'allServers';

/** How a member of a body is shown and changed. */
export type Field = FieldOfKind & {
  /** Where the words of the field are found, if its name has another meaning elsewhere. */
  readonly label?: string;
};

type FieldOfKind =
  | {
      readonly kind: 'text';
      readonly isRequired?: true;
      readonly maxLength?: number;
      /** Not sent if it is empty. */
      readonly isOptional?: true;
      /** Several lines. */
      readonly isLong?: true;
    }
  | { readonly kind: 'secret'; readonly minLength: number }
  | { readonly kind: 'zone' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'toggle'; readonly initial: boolean }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly initial: string }
  /** Any of a few. */
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  /** Groups of an outside system, and their roles. */
  | { readonly kind: 'groupRoles' }
  | { readonly kind: 'reference'; readonly of: CollectionPath; readonly none: NoneWord }
  | {
      readonly kind: 'references';
      readonly of: CollectionPath;
      readonly none: NoneWord;
      readonly isOrdered?: true;
      /** What is sent for an empty list; by default an empty list. */
      readonly sentIfEmpty?: readonly number[];
    }
  | { readonly kind: 'media' }
  | { readonly kind: 'identities' }
  /** Texts, one per line. */
  | { readonly kind: 'lines' }
  | { readonly kind: 'moment' }
  | { readonly kind: 'actions' }
  /** Changed on another page, and sent back as it was read. */
  | { readonly kind: 'kept' };

export type FieldKind = Field['kind'];
export type Values = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, Field>>;

/** A field for each member of a body: the compiler reports a member that has none. */
export type FieldsOf<Body> = { readonly [Name in keyof Required<Body>]: Field };

const listKinds: readonly FieldKind[] = [
  'references',
  'media',
  'identities',
  'actions',
  'lines',
  'choices',
  'groupRoles',
];

/** The value of a field before somebody has entered anything. */
function initialValue(field: Field): unknown {
  if (field.kind === 'toggle' || field.kind === 'choice') return field.initial;
  if (field.kind === 'reference') return 0;
  if (listKinds.includes(field.kind)) return [];
  return field.kind === 'number' || field.kind === 'kept' ? undefined : '';
}

/** What somebody is editing: a value for each field, from an object as it was read or for a new one. */
export function toDraft(fields: Fields, item: Values = {}): Values {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, item[name] ?? initialValue(field)]),
  );
}

const leftOutKinds: readonly FieldKind[] = ['secret', 'zone', 'moment'];

/** Whether a value says nothing, so that the server decides. */
const isLeftOut = (field: Field, value: unknown) =>
  value === undefined ||
  (value === '' && (leftOutKinds.includes(field.kind) || (field.kind === 'text' && field.isOptional)));

function sentValue(field: Field, value: unknown): unknown {
  if (field.kind === 'references' && field.sentIfEmpty && (value as readonly number[]).length === 0)
    return field.sentIfEmpty;
  if (field.kind === 'media')
    return (value as readonly { kind: string; address: string; enabled?: boolean }[]).map(
      ({ kind, address, enabled = true }) => ({ kind, address: address.trim(), enabled }),
    );
  if (field.kind === 'lines')
    return (value as readonly string[]).map((line) => line.trim()).filter((line) => line !== '');
  return typeof value === 'string' && field.kind !== 'secret' ? value.trim() : value;
}

/** The body of a request. A displayed name that is empty is left out: it is the name then. */
export function toBody(fields: Fields, draft: Values): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = draft[name];
      if (isLeftOut(field, value) || (name === 'localizedName' && value === '')) return [];
      return [[name, sentValue(field, value)]];
    }),
  );
}

const textOf = (value: unknown) => JSON.stringify(value ?? null);

/** The names of the fields in which two drafts differ. */
export const differentFields = (fields: Fields, one: Values, other: Values): readonly string[] =>
  Object.keys(fields).filter((name) => textOf(one[name]) !== textOf(other[name]));

/** Their draft with what I have changed: what only one of the two has changed is kept. */
export function mergeDrafts(
  fields: Fields,
  base: Values,
  { mine, theirs }: Record<'mine' | 'theirs', Values>,
) {
  const changed = differentFields(fields, base, mine);
  return { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) };
}

const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === '';

/** Required fields that are empty. */
export const missingFields = (fields: Fields, draft: Values): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'text' && field.isRequired && isBlank(draft[name]) ? [name] : [],
  );

/** An element of a list moved up or down by one place; the first and the last stay. */
export function moved<Element>(list: readonly Element[], index: number, by: -1 | 1): readonly Element[] {
  const [one, other] = [list[index], list[index + by]];
  return one === undefined || other === undefined ? list : list.with(index, other).with(index + by, one);
}
