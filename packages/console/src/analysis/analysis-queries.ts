import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Api } from '@tocsin/client';
import type { AlarmKpis, TagGroup, User } from '@tocsin/contract';
import type { ApiCall } from '../frame/curl.ts';
import { useServices } from '../services/services.ts';
import { useMay } from '../services/use-may.ts';
import type { Period } from './period.ts';

export type Page<Item> = { readonly items: readonly Item[]; readonly paging: { readonly total: number } };
export type Filters = Readonly<Record<string, string | number | undefined>>;

const iso = (ms: number) => new Date(ms).toISOString();
/** Periods that last until now are read again. */
const everyMs = 60_000;
const most = 1_000;

/** The parameters of a request about a period. */
export const inPeriod = ({ from, to }: Period, filters: Filters): Filters => ({
  from: iso(from),
  to: iso(to),
  ...filters,
});

export const kpiCall = (period: Period, filters: Filters) =>
  ({ method: 'GET', path: '/alarms/kpis', query: inPeriod(period, filters) }) satisfies ApiCall;

export function useKpis(period: Period, filters: Filters, enabled = true) {
  const { api } = useServices();
  const { path, query } = kpiCall(period, filters);
  return useQuery({
    queryKey: ['kpis', query],
    queryFn: async () => (await api.get<AlarmKpis>(path, query)).data,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    enabled,
  });
}

/** One page of a list. */
export function usePage<Item>(path: string, query: Filters, enabled = true) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['analysis-page', path, query],
    queryFn: async () => (await api.get<Page<Item>>(path, query)).data,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    enabled,
  });
}

/** All items of a list, page by page. */
export async function readAll<Item>(api: Api, path: string, query: Filters): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (;;) {
    const bounds = { offset: items.length, limit: most };
    const { data } = await api.get<Page<Item>>(path, { ...query, ...bounds });
    items.push(...data.items);
    if (data.items.length === 0 || items.length >= data.paging.total) return items;
  }
}

const none: readonly never[] = [];

export function useTagGroups(): readonly TagGroup[] {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['tag-groups'],
    queryFn: () => readAll<TagGroup>(api, '/taggroups', {}),
    staleTime: 300_000,
    enabled: useMay().has('plant:read'),
  });
  return data ?? none;
}

/** The users, for those who may read them. */
export function useUsers(): readonly User[] {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['users'],
    queryFn: () => readAll<User>(api, '/users', {}),
    staleTime: 300_000,
    enabled: useMay().has('people:read'),
  });
  return data ?? none;
}
