import type { Entry } from 'ldapts';
import { isBinary } from './directory-filter.ts';

/** The attributes that are read of an entry. */
export type EntryAttributes = {
  readonly idAttribute: string;
  readonly nameAttribute: string;
  readonly groupAttribute: string;
};

/** A person in the directory. */
export type DirectoryEntry = {
  readonly dn: string;
  /** It never changes, unlike the name. */
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly enabled: boolean;
};

/** Active Directory marks disabled accounts with this bit of this attribute. */
const accountControl = 'userAccountControl';
const disabledBit = 2;

export function attributesOf({ idAttribute, nameAttribute, groupAttribute }: EntryAttributes): string[] {
  return [idAttribute, nameAttribute, groupAttribute, accountControl];
}

/** Undefined without an identifier: nobody could be linked to the entry. */
export function entryOf(entry: Entry, attributes: EntryAttributes): DirectoryEntry | undefined {
  const { idAttribute, nameAttribute, groupAttribute } = attributes;
  const [id = ''] = valuesOf(entry, idAttribute).map((value) => textOf(value, isBinary(idAttribute)));
  if (id === '') return undefined;
  const [name = ''] = valuesOf(entry, nameAttribute).map((value) => textOf(value, false));
  const [control = '0'] = valuesOf(entry, accountControl).map((value) => textOf(value, false));
  const groups = valuesOf(entry, groupAttribute).map((value) => textOf(value, false));
  return { dn: entry.dn, id, name, groups, enabled: (Number(control) & disabledBit) === 0 };
}

/** Names of attributes have no case. */
function valuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  const wanted = attribute.toLowerCase();
  const found = Object.entries(entry).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? [];
  return [found].flat();
}

function textOf(value: string | Buffer, isHexadecimal: boolean): string {
  if (typeof value === 'string') return isHexadecimal ? Buffer.from(value).toString('hex') : value;
  return value.toString(isHexadecimal ? 'hex' : 'utf8');
}
