import { matchesSearch, searchTerms, searchText } from '@tocsin/domain';
import { type AlarmRow, isWaiting } from '../alarm-row.ts';

/** The filter of the list. It lives in the address, so that it can be shared and saved. */
export type AlarmFilter = {
  readonly search?: string | undefined;
  readonly stationId?: number | undefined;
  readonly areaId?: number | undefined;
  readonly state?: 'new' | 'ack' | 'rtn' | 'waiting' | undefined;
  /** Whether masked alarms are shown: not by default, together with the others, or alone. */
  readonly masked?: 'shown' | 'only' | undefined;
};

const positive = (value: unknown): number | undefined => {
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 && value !== '' && value !== undefined ? number : undefined;
};
const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((known) => known === value);

/** Reads the filter of an address; whatever is not understood filters nothing. */
export function readFilter(search: Record<string, unknown>): AlarmFilter {
  const text =
    typeof search['search'] === 'string' || typeof search['search'] === 'number'
      ? String(search['search'])
      : '';
  return {
    search: text.trim() === '' ? undefined : text,
    stationId: positive(search['stationId']),
    areaId: positive(search['areaId']),
    state: oneOf(['new', 'ack', 'rtn', 'waiting'] as const, search['state']),
    masked: oneOf(['shown', 'only'] as const, search['masked']),
  };
}

/** The filter as the query of an address, always in the same order. */
export function writeFilter({ search, stationId, areaId, state, masked }: AlarmFilter): string {
  const members = Object.entries({ search, stationId, areaId, state, masked });
  const query = new URLSearchParams(
    members.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return query.size === 0 ? '' : `?${query}`;
}

/** The filter of a saved view. */
export const parseFilter = (query: string): AlarmFilter =>
  readFilter(Object.fromEntries(new URLSearchParams(query)));

/** Whether two filters show the same. */
export const isSameFilter = (a: AlarmFilter, b: AlarmFilter): boolean => writeFilter(a) === writeFilter(b);

function matchesState(row: AlarmRow, { state, masked }: AlarmFilter): boolean {
  if (masked === 'only') return row.state === 'mask';
  if (row.state === 'mask' && masked !== 'shown') return false;
  if (state === undefined) return true;
  return state === 'waiting' ? isWaiting(row) : row.state === state;
}

/** Message, tag, station and comment: the texts that the interface searches, and those that stand beside them in the row. */
function textOf({ alarm, context }: AlarmRow): string {
  const { message, name, localizedName, fullPath, comment } = alarm;
  return searchText([
    message,
    name,
    localizedName,
    fullPath,
    comment,
    context?.area ?? '',
    context?.station ?? '',
  ]);
}

/** Whether an alarm passes a filter. The search has the rules of the interface: all words, from the beginning of a word. */
export function matcherOf(filter: AlarmFilter): (row: AlarmRow) => boolean {
  const terms = searchTerms(filter.search ?? '');
  return (row) => {
    if (!matchesState(row, filter)) return false;
    if (filter.stationId !== undefined && row.context?.stationId !== filter.stationId) return false;
    if (filter.areaId !== undefined && row.context?.areaId !== filter.areaId) return false;
    return terms.length === 0 || matchesSearch(textOf(row), terms);
  };
}

export const isFiltered = (filter: AlarmFilter): boolean =>
  [filter.search, filter.stationId, filter.areaId, filter.state].some((value) => value !== undefined) ||
  filter.masked === 'only';
