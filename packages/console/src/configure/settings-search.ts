/** What the address of a settings page says: the open object, the search, and the filters of the audit trail. */
export type SettingsSearch = {
  readonly id?: number | 'new';
  readonly q?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly object?: string;
  readonly hours?: number;
};

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const positive = (value: unknown) => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  const id = raw['id'] === 'new' ? ('new' as const) : positive(raw['id']);
  const texts = (['q', 'actor', 'action', 'object'] as const).flatMap((name) => {
    const text = textOf(raw[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  const hours = positive(raw['hours']);
  return {
    ...(id !== undefined && { id }),
    ...Object.fromEntries(texts),
    ...(hours !== undefined && { hours }),
  };
}
