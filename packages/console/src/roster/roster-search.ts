/** What the address of the page chooses. */
export type RosterSearch = {
  readonly group?: number | undefined;
  /** A day of the week or month that is shown, `2026-11-16`. */
  readonly day?: string | undefined;
  readonly view?: 'month' | undefined;
};

/** Reads the choice of an address; whatever is not understood chooses nothing. */
export function readRosterSearch(search: Record<string, unknown>): RosterSearch {
  const group = Number(search['group']);
  const day = search['day'];
  const isDay = typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
  return {
    group: Number.isInteger(group) && group > 0 ? group : undefined,
    day: isDay ? day : undefined,
    view: search['view'] === 'month' ? 'month' : undefined,
  };
}
