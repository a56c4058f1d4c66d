import type { ReactNode } from 'react';
import type { IconName } from '../../symbols/icon-names.ts';
import type { CollectionPath, Fields, FieldsOf, Values } from './fields.ts';

/** A configured object as it is read. */
export type Item = Values & { readonly id: number; readonly name: string };

/** A kind of configured objects: how they are listed, shown and changed. */
export type Collection = {
  readonly path: CollectionPath;
  /** The page of the settings that shows it. */
  readonly page: string;
  readonly icon: IconName;
  /** The permissions to read and to change it. */
  readonly read: string;
  readonly write: string;
  readonly fields: Fields;
  /** The fields that the list shows, besides the name. */
  readonly columns: readonly string[];
  /** A document that explains it, as the help shows it. */
  readonly help: string;
  /** Further columns of the list. */
  readonly moreColumns?: readonly MoreColumn[];
  /** Whether an open object takes the whole page instead of a panel beside the list. */
  readonly isWide?: true;
  /** Whether nothing can refer to an object, so that nobody has to be asked before it is deleted. */
  readonly isUnused?: true;
  /** Whether the list shows the initials of names, as it does for people. */
  readonly hasInitials?: true;
  /** What the head of the list says besides its explanation. */
  readonly summary?: () => ReactNode;
  /** What is shown of an object before its fields. */
  readonly first?: (item: Item) => ReactNode;
  /** What is shown of an object besides its fields. */
  readonly more?: (item: Item, changes: ItemChanges) => ReactNode;
};

type MoreColumn = { readonly label: 'reached' | 'keyState'; readonly cell: (item: Item) => ReactNode };

export type ItemChanges = {
  /** Whether something was entered and not saved. */
  readonly isChanged: boolean;
  readonly mayWrite: boolean;
  /** What is shown in the form, saved or not. */
  readonly draft: Values;
  /** Reads the object again after a change by another request. */
  readAgain(): Promise<void>;
};

/** Describes a collection. A member of the body without a field is reported by the compiler. */
export const defineCollection = <Body extends object>(
  collection: Omit<Collection, 'fields'> & { readonly fields: FieldsOf<Body> },
): Collection => collection;
