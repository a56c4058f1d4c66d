import type { GroupRole, Scenario, UserIdentity, UserMedium } from '@tocsin/contract';
import { useWords, type Words } from '../../words/use-words.ts';
import type { Collection } from './collection.ts';
import type { CollectionPath, Field, FieldKind } from './fields.ts';
import { useNames } from './item-queries.ts';

type Names = (path: CollectionPath, id: number) => string;
type Context = { readonly words: Words; readonly names: Names };
type FieldOf<Kind extends FieldKind> = Extract<Field, { kind: Kind }>;
type Teller<Kind extends FieldKind> = (value: unknown, context: Context, field: FieldOf<Kind>) => string;
type Action = Scenario['alarmActions'][number];

/** The label of a choice; one that the console does not know is shown as it is. */
export const choiceName = (words: Words, value: string): string =>
  (words.configureChoices as Record<string, string>)[value] ??
  (words.securityChoices as Record<string, string>)[value] ??
  value;

/** What stands before the colon: the rest explains the choice in the form. */
export const shortChoice = (words: Words, value: string): string =>
  choiceName(words, value).split(':')[0]?.trim() ?? '';

/** A value as a text. Objects are shown as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const plain = (value: unknown, { words }: Context) => textOf(value) || words.configure.empty;
const lines = (all: readonly string[], { words }: Context) =>
  all.length === 0 ? words.configure.empty : all.join('\n');

function tellAction({ type, id = 0, parameter = '' }: Action, { words, names }: Context): string {
  const paths: Partial<Record<Action['type'], CollectionPath>> = {
    CallGroup: 'callgroups',
    CallUser: 'users',
  };
  const path = paths[type];
  return [choiceName(words, type), path ? names(path, id) : '', parameter]
    .filter((part) => part !== '')
    .join(' ');
}

/** How a value of each kind is told in words. */
const tellers: { readonly [Kind in FieldKind]: Teller<Kind> } = {
  text: plain,
  zone: plain,
  number: plain,
  moment: plain,
  kept: plain,
  secret: (value, context) => (textOf(value) === '' ? context.words.configure.empty : '••••••••'),
  toggle: (value, { words }) => (value === true ? words.configure.yes : words.configure.no),
  choice: (value, { words }) => shortChoice(words, textOf(value)),
  choices: (value, { words }) =>
    ((value ?? []) as readonly string[]).map((each) => shortChoice(words, each)).join(', ') ||
    words.configure.nones.none,
  groupRoles: (value, context) =>
    lines(
      ((value ?? []) as readonly GroupRole[]).map(
        ({ group, role }) => `${group}: ${shortChoice(context.words, role)}`,
      ),
      context,
    ),
  reference: (value, { words, names }, field) =>
    typeof value === 'number' && value > 0 ? names(field.of, value) : words.configure.nones[field.none],
  references: (value, { words, names }, field) => {
    const ids = (value ?? []) as readonly number[];
    return ids.length === 0
      ? words.configure.nones[field.none]
      : ids.map((id) => names(field.of, id)).join(', ');
  },
  lines: (value, context) => lines(value as readonly string[], context),
  media: (value, context) =>
    lines(
      (value as readonly UserMedium[]).map(
        ({ kind, address }) => `${choiceName(context.words, kind)} ${address}`,
      ),
      context,
    ),
  identities: (value, context) =>
    lines(
      (value as readonly UserIdentity[]).map(({ issuer, subject }) => `${issuer} ${subject}`),
      context,
    ),
  actions: (value, context) =>
    lines(
      (value as readonly Action[]).map((action) => tellAction(action, context)),
      context,
    ),
};

/** The collections that the fields of another one name. */
function namedBy({ fields }: Collection): ReadonlySet<CollectionPath> {
  const all = Object.values(fields).flatMap((field): CollectionPath[] => {
    if (field.kind === 'reference' || field.kind === 'references') return [field.of];
    return field.kind === 'actions' ? ['callgroups', 'users'] : [];
  });
  return new Set(all);
}

export type Tell = (name: string, value: unknown) => string;

/** Tells the values of a collection in words, with the names of what they refer to. */
export function useTell(collection: Collection): Tell {
  const words = useWords();
  const needed = namedBy(collection);
  const byPath: Record<CollectionPath, ReadonlyMap<number, string>> = {
    stations: useNames('stations', needed.has('stations')),
    dataservers: useNames('dataservers', needed.has('dataservers')),
    taggroups: useNames('taggroups', needed.has('taggroups')),
    scenarios: useNames('scenarios', needed.has('scenarios')),
    users: useNames('users', needed.has('users')),
    callgroups: useNames('callgroups', needed.has('callgroups')),
    callgroupgroupings: useNames('callgroupgroupings', needed.has('callgroupgroupings')),
    apikeys: useNames('apikeys', needed.has('apikeys')),
    issuers: useNames('issuers', needed.has('issuers')),
  };
  const names: Names = (path, id) => byPath[path].get(id) ?? words.configure.unknown(String(id));
  return (name, value) => {
    const field = collection.fields[name];
    if (!field) return '';
    const teller = tellers[field.kind] as Teller<FieldKind>;
    return teller(value, { words, names }, field);
  };
}
