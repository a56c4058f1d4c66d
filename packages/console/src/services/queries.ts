import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  AlarmContext,
  AlarmGuidance,
  AlarmHistory,
  Area,
  ConsoleHealth,
  Meta,
  Station,
  TimelineEntry,
} from '@tocsin/contract';
import { useMemo } from 'react';
import { useServices } from './services.ts';
import { useSharedDesk } from './use-shared-desk.ts';

type Page<Item> = { readonly items: readonly Item[]; readonly paging: { readonly total: number } };

const most = 1_000;
const mostContexts = 500;
const none: readonly never[] = [];

/** What anybody can do at a shared desk after they have said who they are. */
const afterQuestion = ['alarms:act', 'alarms:mask', 'calls:start'] as const;

/** The server and the user. At a shared desk where nobody acts, actions are offered: each asks who acts. */
export function useMeta(): Meta | undefined {
  const { api } = useServices();
  const { name, actor } = useSharedDesk();
  const { data } = useQuery({
    queryKey: ['meta', actor?.id],
    queryFn: async () => (await api.get<Meta>('/meta')).data,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
  const isAsking = name !== undefined && !actor;
  return useMemo(() => {
    if (!data || !isAsking) return data;
    const permissions = [...new Set([...data.user.permissions, ...afterQuestion])];
    return { ...data, user: { ...data.user, permissions } };
  }, [data, isAsking]);
}

export function useStations(): readonly Station[] {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['stations'],
    queryFn: async () => (await api.get<Page<Station>>('/stations', { limit: most })).data.items,
    staleTime: 300_000,
  });
  return data ?? none;
}

export function useTimeline(alarmId: number, version: number): readonly TimelineEntry[] {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['timeline', alarmId, version],
    queryFn: async () =>
      (await api.get<Page<TimelineEntry>>(`/alarms/${alarmId}/timeline`, { sort: '-id', limit: 30 })).data
        .items,
    placeholderData: (previous, query) => (query?.queryKey[1] === alarmId ? previous : undefined),
  });
  return data ?? none;
}

export const guidanceCall = (alarmId: number) =>
  ({ method: 'GET', path: `/alarms/${alarmId}/guidance` }) as const;

export function useGuidance(alarmId: number): AlarmGuidance | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['guidance', alarmId],
    queryFn: async () => (await api.get<AlarmGuidance>(guidanceCall(alarmId).path)).data,
    staleTime: 60_000,
  }).data;
}

/** The areas, read again when `present`, the areas that have alarms, changes: then another one has become quiet. */
export function useAreas(present: string): readonly Area[] {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['areas', present],
    queryFn: async () => (await api.get<Page<Area>>('/areas', { limit: most })).data.items,
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  return data ?? none;
}

/** The proof of the server that sources, calls and rosters work. */
export function useHealth(): ConsoleHealth | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['health'],
    queryFn: async () => (await api.get<ConsoleHealth>('/console/health')).data,
    refetchInterval: 10_000,
  }).data;
}

/** The occurrences since a time; undefined if there are more than one page, or the user may not read them. */
export function useOccurrences(from: number): readonly AlarmHistory[] | undefined {
  const { api } = useServices();
  const isAllowed = useMeta()?.user.permissions.includes('history:read') ?? false;
  return (
    useQuery({
      queryKey: ['occurrences', from],
      queryFn: async () => {
        const query = { from: new Date(from).toISOString(), limit: most };
        const { items, paging } = (await api.get<Page<AlarmHistory>>('/alarms/histories', query)).data;
        return paging.total > items.length ? null : items;
      },
      placeholderData: keepPreviousData,
      refetchInterval: 30_000,
      enabled: isAllowed,
    }).data ?? undefined
  );
}

/** The contexts of alarms that are over, by id. Those of current alarms are known already. */
export function useContextsOf(ids: readonly number[]): ReadonlyMap<number, AlarmContext> {
  const { api } = useServices();
  const asked = ids.slice(0, mostContexts).join(',');
  const { data } = useQuery({
    queryKey: ['contexts', asked],
    queryFn: async () => {
      const query = { ids: asked, limit: mostContexts };
      const { items } = (await api.get<Page<AlarmContext>>('/alarms/contexts', query)).data;
      return new Map(items.map((item) => [item.id, item]));
    },
    placeholderData: keepPreviousData,
    enabled: asked !== '',
  });
  return data ?? noContexts;
}

const noContexts: ReadonlyMap<number, AlarmContext> = new Map();
