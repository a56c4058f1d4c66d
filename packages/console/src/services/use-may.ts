import { useMeta } from './queries.ts';

/** The permissions of the user. */
export function useMay(): ReadonlySet<string> {
  return new Set(useMeta()?.user.permissions);
}
