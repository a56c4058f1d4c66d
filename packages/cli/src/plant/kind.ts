import type { TSchema } from 'typebox';

/** The sections of a plant file, in the order in which they are written: each names only objects of itself and of earlier ones. */
export const sections = [
  'stations',
  'dataServers',
  'channels',
  'people',
  'groupings',
  'callGroups',
  'scenarios',
  'tagGroups',
  'tags',
] as const;
export type Section = (typeof sections)[number];

/** The nouns of the sections, for messages. */
export const nouns: Readonly<Record<Section, string>> = {
  stations: 'station',
  dataServers: 'data server',
  channels: 'channel',
  people: 'person',
  groupings: 'grouping',
  callGroups: 'call group',
  scenarios: 'scenario',
  tagGroups: 'tag group',
  tags: 'tag',
};

/** An object as the plant file has it: with names instead of numbers. */
export type Entry = Readonly<Record<string, unknown>>;
/** An object as the server answers it. */
export type Stored = { readonly id: number };
/** A place below an entry, such as `['media', 0, 'kind']`. */
export type Place = readonly (string | number)[];

/** A name in an entry that must exist. */
export type Reference = { readonly section: Section; readonly name: string; readonly place: Place };
export type Fault = { readonly place: Place; readonly message: string };

/** Translates between names and numbers. Both throw if there is none. */
export type Names = {
  nameOf(section: Section, id: number): string;
  idOf(section: Section, name: string): number;
};

export type BodyContext<Item> = {
  readonly names: Names;
  /** The present object; undefined for a new one. */
  readonly item: Item | undefined;
  /** The content of a file that `secretFiles` has named. */
  secret(file: string): string;
};

export type SecretFile = { readonly file: string; readonly place: Place };

/** How the objects of a section are read from the server, compared and written. */
export type Kind<Item extends Stored = Stored, Shape extends object = Entry> = {
  readonly section: Section;
  /** Below `/api/v1`. */
  readonly path: string;
  /** Sections whose objects it names. */
  readonly uses: readonly Section[];
  /** Of one entry. */
  readonly schema: TSchema;
  /** The name that entries and objects are matched by. */
  keyOf(entry: Shape): string;
  references(entry: Shape): Reference[];
  /** Contradictions inside an entry. */
  faults?(entry: Shape): Fault[];
  toEntry(item: Item, names: Names): Shape;
  /** The form in which entries are compared: spellings of the same value are made equal, and secrets are left out. */
  normalize(entry: Shape): Entry;
  /** The body of a request, from an entry with all members. */
  toBody(entry: Shape, context: BodyContext<Item>): object;
  /** The files with secrets that a body needs. `item` is undefined for a new object. */
  secretFiles?(entry: Shape, item: Item | undefined): SecretFile[];
  /** Names of secrets that the file has and the server lacks; they cannot be compared. */
  missingSecrets?(entry: Shape, item: Item): string[];
};

/** The kind without its types, so that kinds fit into one list. Entries are checked with its schema before they are used. */
export function defineKind<Item extends Stored, Shape extends object>(kind: Kind<Item, Shape>): Kind {
  return kind as unknown as Kind;
}

/** The number of a named object: 0 for an empty name, undefined for an absent one. */
export function idFor(names: Names, section: Section, name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  return name === '' ? 0 : names.idOf(section, name);
}

/** The name of a numbered object; empty for 0. */
export function nameFor(names: Names, section: Section, id: number): string {
  return id === 0 ? '' : names.nameOf(section, id);
}

/** The reference of a member that may be empty or absent. */
export function referenceTo(section: Section, name: string | undefined, ...place: Place): Reference[] {
  return name === undefined || name === '' ? [] : [{ section, name, place }];
}

/** The form in which user names are compared. */
export const personKey = (username: string) => username.toLowerCase();

/** An object without the members that are undefined. */
export function present(entry: object): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
