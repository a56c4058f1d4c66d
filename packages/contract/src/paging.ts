import { type Static, type TSchema, Type } from 'typebox';
import { Uint } from './primitives.ts';

export const defaultLimit = 10;
/** A larger limit is reduced to this, as `paging.limit` shows. */
export const largestLimit = 1_000;

/** In a URL a raw `+` decodes to a space, so `sort=+id` arrives as ` id`. */
export const Sort = Type.Enum(['+id', '-id', ' id', 'id'], {
  description: '`+id` sorts ascending on id, `-id` descending.',
});

export const PagingQuery = {
  offset: Type.Optional(Type.Integer({ ...Uint, default: 0, description: 'Number of items to skip.' })),
  limit: Type.Optional(
    Type.Integer({
      ...Uint,
      default: defaultLimit,
      description: `Page size; at most ${largestLimit}.`,
    }),
  ),
  sort: Type.Optional(Sort),
  search: Type.Optional(
    Type.String({
      description: 'Words that must all occur; "a phrase" in quotes; case and accents are ignored.',
    }),
  ),
};

const PagingWithOffset = Type.Object({ offset: Uint, limit: Uint, total: Uint }, { title: 'Paging' });
const PagingWithoutOffset = Type.Object({ limit: Uint, total: Uint }, { title: 'PagingWithoutOffset' });

/** PagingCollection<T> as alarms, histories and all other lists answer it. */
export function pageOf<Item extends TSchema>(item: Item, title: string) {
  return Type.Object({ items: Type.Array(item), paging: PagingWithOffset }, { title });
}

/** PagingCollection<T> of statistics and interventions, whose paging has no `offset`. */
export function pageWithoutOffsetOf<Item extends TSchema>(item: Item, title: string) {
  return Type.Object({ items: Type.Array(item), paging: PagingWithoutOffset }, { title });
}

export type Paging = Static<typeof PagingWithOffset>;
