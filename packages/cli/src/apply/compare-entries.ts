import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '../plant/kind.ts';

/** A member that differs. Members of a nested object have names such as `settings.host`. */
export type Change = { readonly field: string; readonly before: unknown; readonly after: unknown };

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of `wanted` that differ from `present`. Members that `wanted` does not have are left as they are. */
export function compareEntries(present: Entry, wanted: Entry): Change[] {
  return Object.entries(wanted).flatMap(([field, after]) => {
    const before = present[field];
    if (isObject(before) && isObject(after))
      return compareEntries(before, after).map((change) => ({
        field: `${field}.${change.field}`,
        before: change.before,
        after: change.after,
      }));
    return isDeepStrictEqual(before, after) ? [] : [{ field, before, after }];
  });
}

/** The entry with all members: those of `wanted`, else those of `present`. */
export function mergeEntries(present: Entry, wanted: Entry): Entry {
  const nested = Object.entries(wanted).flatMap(([field, after]) => {
    const before = present[field];
    return isObject(before) && isObject(after) ? [[field, { ...before, ...after }] as const] : [];
  });
  return { ...present, ...wanted, ...Object.fromEntries(nested) };
}
