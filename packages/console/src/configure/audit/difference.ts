export type Difference = { readonly name: string; readonly before: string; readonly after: string };

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : value === undefined || value === null
      ? {}
      : { value };

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The members of an object before and after a change. `lastChange` differs always and says nothing. */
export function differencesOf(before: unknown, after: unknown, hasAll = false): readonly Difference[] {
  const [old, next] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (name) => name !== 'lastChange',
  );
  return names
    .map((name) => ({ name, before: textOf(old[name]), after: textOf(next[name]) }))
    .filter((each) => hasAll || each.before !== each.after);
}
