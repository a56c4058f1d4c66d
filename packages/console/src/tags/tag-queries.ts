import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DataServer, Scenario, TagGroup, TagItem } from '@tocsin/contract';
import type { ApiCall } from '../frame/curl.ts';
import { useServices } from '../services/services.ts';

type Page<Item> = { readonly items: readonly Item[]; readonly paging: { readonly total: number } };

export const pageSize = 100;
export const tagsKey = ['tags'];

/** Which tags the page shows; 0 and the empty text stand for all. */
export type TagFilter = {
  readonly tagGroupId: number;
  readonly priority: number;
  readonly scenarioId: number;
  readonly guidance: '' | 'missing' | 'present';
  readonly search: string;
};

export const noFilter: TagFilter = { tagGroupId: 0, priority: 0, scenarioId: 0, guidance: '', search: '' };

export function filterQuery(filter: TagFilter): Record<string, string | number> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== 0 && value !== ''));
}

export function tagsCall(filter: TagFilter, offset: number): ApiCall {
  return { method: 'GET', path: '/tags', query: { ...filterQuery(filter), offset, limit: pageSize } };
}

export function useTags(filter: TagFilter, offset: number) {
  const { api } = useServices();
  const { path, query } = tagsCall(filter, offset);
  return useQuery({
    queryKey: [...tagsKey, query],
    queryFn: async () => (await api.get<Page<TagItem>>(path, query)).data,
    placeholderData: keepPreviousData,
  }).data;
}

function useAll<Item>(path: string): readonly Item[] {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['all', path],
    queryFn: async () => (await api.get<Page<Item>>(path, { limit: 1_000 })).data.items,
    staleTime: 60_000,
  });
  return data ?? [];
}

export const useTagGroups = () => useAll<TagGroup>('/taggroups');
export const useDataServers = () => useAll<DataServer>('/dataservers');
export const useScenarios = () => useAll<Scenario>('/scenarios');
