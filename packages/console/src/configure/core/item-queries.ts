import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiAnswer, readAll } from '@tocsin/client';
import type { ObjectUse } from '@tocsin/contract';
import { useServices } from '../../services/services.ts';
import type { Item } from './collection.ts';
import type { CollectionPath } from './fields.ts';

export type Page<Element> = {
  readonly items: readonly Element[];
  readonly paging: { readonly total: number };
};

export type Loaded = ApiAnswer<Item>;

export const pageSize = 100;
/** More than this are found by the search. */
export const largestPage = 1_000;

export const listQuery = (search: string, limit: number) => ({
  limit,
  search: search === '' ? undefined : search,
});

/** The objects of a collection that match the search. Undefined until they are read. */
export function useItems(path: string, search: string, limit: number): Page<Item> | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['configured', path, 'list', search, limit],
    queryFn: async () => (await api.get<Page<Item>>(`/${path}`, listQuery(search, limit))).data,
    placeholderData: (previous, query) => (query?.queryKey[1] === path ? previous : undefined),
  }).data;
}

/** One object with its ETag. It stays as it is while somebody edits it. */
export function useItem(path: string, id: number) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['configured-item', path, id],
    queryFn: () => api.get<Item>(`/${path}/${id}`),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

const noNames: ReadonlyMap<number, string> = new Map();
const shownName = ({ name, localizedName }: Item) =>
  typeof localizedName === 'string' && localizedName !== '' ? localizedName : name;

/** The names of all objects of a collection, by id. */
export function useNames(path: CollectionPath, isNeeded = true): ReadonlyMap<number, string> {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['configured', path, 'names'],
    queryFn: async () => {
      const items = await readAll<Item>(api, `/${path}`);
      return new Map([...items].map(([id, item]) => [id, shownName(item)]));
    },
    staleTime: 60_000,
    enabled: isNeeded,
  });
  return data ?? noNames;
}

const noUses: Page<ObjectUse> = { items: [], paging: { total: 0 } };

/** What uses an object. Undefined until it is known. */
export function useUses(path: CollectionPath, id: number, isUnused = false): Page<ObjectUse> | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['configured-uses', path, id],
    queryFn: async () => (await api.get<Page<ObjectUse>>(`/${path}/${id}/uses`, { limit: 50 })).data,
    staleTime: 0,
    gcTime: 0,
    enabled: !isUnused,
    ...(isUnused && { initialData: noUses }),
  }).data;
}

/** Reads lists and names again after a change. */
export function useReadAgain(): (path: string) => Promise<void> {
  const queries = useQueryClient();
  return async (path) => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['configured', path] }),
      queries.invalidateQueries({ queryKey: ['configured-count', path] }),
      ...(path === 'stations' ? [queries.invalidateQueries({ queryKey: ['stations'] })] : []),
    ]);
  };
}
