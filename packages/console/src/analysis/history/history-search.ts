import { idIn, type PeriodSearch, readPeriod } from '../period.ts';

export const tabs = ['alarms', 'statistics', 'interventions', 'calls'] as const;
export type Tab = (typeof tabs)[number];

/** What the address of the histories chooses. */
export type HistorySearch = PeriodSearch & {
  readonly tab?: Tab | undefined;
  readonly search?: string | undefined;
  readonly stationId?: number | undefined;
  readonly tagGroupId?: number | undefined;
  readonly userId?: number | undefined;
  /** From 2; the first page is not in the address. */
  readonly page?: number | undefined;
};

export const pageSize = 50;

export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const words = search['search'];
  const page = idIn(search['page']);
  return {
    ...readPeriod(search),
    tab: tabs.find((tab) => tab === search['tab'] && tab !== 'alarms'),
    // The address of a search of a number holds a number.
    search: typeof words === 'string' || typeof words === 'number' ? String(words) : undefined,
    stationId: idIn(search['stationId']),
    tagGroupId: idIn(search['tagGroupId']),
    userId: idIn(search['userId']),
    page: page === 1 ? undefined : page,
  };
}

/** The parameters of a request for these filters, without page and period. */
export function filtersOf({ tab, search, stationId, tagGroupId, userId }: HistorySearch) {
  const words = search?.trim() || undefined;
  return tab === 'calls' ? { userId, search: words } : { stationId, tagGroupId, userId, search: words };
}

export function hasFilters({ search, stationId, tagGroupId, userId }: HistorySearch): boolean {
  return [search || undefined, stationId, tagGroupId, userId].some((value) => value !== undefined);
}
