import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallGroup, CallPreview, Leave, RosterOverride, User } from '@tocsin/contract';
import type { ApiCall } from '../frame/curl.ts';
import { useStations } from '../services/queries.ts';
import { useServices } from '../services/services.ts';
import { useMay } from '../services/use-may.ts';
import type { Draft } from './planning/draft.ts';
import { toBody } from './planning/draft.ts';

type Page<Item> = { readonly items: readonly Item[] };

const most = 1_000;
const groupsKey = ['callgroups'];
const groupKey = ['callgroup'];
const leavesKey = ['leaves'];

export const groupsCall = { method: 'GET', path: '/callgroups', query: { limit: most } } satisfies ApiCall;
export const groupCall = (id: number) => ({ method: 'GET', path: `/callgroups/${id}` }) satisfies ApiCall;
export const leavesCall = (from: number, to: number) =>
  ({
    method: 'GET',
    path: '/leaves',
    query: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: most },
  }) satisfies ApiCall;

export function useGroups(): readonly CallGroup[] | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: groupsKey,
    queryFn: async () => [...(await api.get<Page<CallGroup>>('/callgroups', { limit: most })).data.items],
    staleTime: 15_000,
  }).data;
}

/** A call group and the version that a change must be based on. */
export type Published = { readonly group: CallGroup; readonly etag: string | undefined };

export function usePublished(id: number) {
  const { api } = useServices();
  return useQuery({
    queryKey: [...groupKey, id],
    queryFn: async (): Promise<Published> => {
      const { data, etag } = await api.get<CallGroup>(groupCall(id).path);
      return { group: data, etag };
    },
    // What is being planned must not change because the window was looked at again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: id > 0,
  });
}

/** The leaves of a period. */
export function useLeaves(from: number, to: number): readonly Leave[] {
  const { api } = useServices();
  const { path, query } = leavesCall(from, to);
  const { data } = useQuery({
    queryKey: [...leavesKey, query],
    queryFn: async () => (await api.get<Page<Leave>>(path, query)).data.items,
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
  return data ?? noLeaves;
}

const noLeaves: readonly Leave[] = [];

/** The people by their numbers. Who may not read people sees numbers. */
export function usePeople(): ReadonlyMap<number, User> {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: ['users-by-id'],
    queryFn: async () => {
      const { items } = (await api.get<Page<User>>('/users', { limit: most })).data;
      return new Map(items.map((user) => [user.id, user]));
    },
    staleTime: 60_000,
    enabled: useMay().has('people:read'),
  });
  return data ?? nobody;
}

const nobody: ReadonlyMap<number, User> = new Map();

/** The time zone of a group: that of its station, or of the first. */
export function useZoneOf(): (group: Pick<CallGroup, 'stationId'>) => string {
  const stations = useStations();
  return ({ stationId }) => (stations.find(({ id }) => id === stationId) ?? stations[0])?.timeZone ?? 'UTC';
}

type Asked = { readonly callGroupId: number; readonly at: string; readonly version: string };

/** Who would be called at an instant, by what is published. */
export function useGroupPreview({ callGroupId, at, version }: Asked): CallPreview | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['group-preview', callGroupId, at, version],
    queryFn: async () => (await api.post<CallPreview>('/call/preview', { callGroupId, at })).data,
    placeholderData: keepPreviousData,
    enabled: useMay().has('calls:read'),
  }).data;
}

/** Changes that take effect at once. Each answers the group as it is then. */
export function useRosterChanges() {
  const { api } = useServices();
  const queries = useQueryClient();
  const readAgain = async () => {
    await queries.invalidateQueries({ queryKey: groupsKey });
    await queries.invalidateQueries({ queryKey: leavesKey });
  };
  const published = async ({ data, etag }: { data: CallGroup; etag?: string }): Promise<Published> => {
    await readAgain();
    return { group: data, etag };
  };
  return {
    publish: async ({ group, etag }: Published, draft: Draft): Promise<Published> => {
      const path = `/callgroups/${group.id}`;
      return published(await api.put<CallGroup>(path, toBody(group, draft), { ifMatch: etag }));
    },
    addOverride: async (groupId: number, override: RosterOverride): Promise<Published> =>
      published(await api.post<CallGroup>(`/callgroups/${groupId}/overrides`, override)),
    setOverrides: async ({ group, etag }: Published, overrides: RosterOverride[]): Promise<Published> => {
      const { id, lastChange: _change, ...body } = group;
      const changed = { ...body, roster: { ...body.roster, overrides } };
      return published(await api.put<CallGroup>(`/callgroups/${id}`, changed, { ifMatch: etag }));
    },
    read: async (groupId: number): Promise<Published> =>
      published(await api.get<CallGroup>(`/callgroups/${groupId}`)),
    addLeave: async (leave: Pick<Leave, 'userId' | 'from' | 'to'>): Promise<void> => {
      await api.post('/leaves', leave);
      await readAgain();
    },
    removeLeave: async (id: number): Promise<void> => {
      await api.remove(`/leaves/${id}`);
      await readAgain();
    },
  };
}
