import { useQuery } from '@tanstack/react-query';
import { readAll } from '@tocsin/client';
import type { UserReachability } from '@tocsin/contract';
import { useServices } from '../../services/services.ts';

type Reach = UserReachability & { readonly id: number };

/** Whether people can be reached, by their number. */
export function useReachability(): ReadonlyMap<number, UserReachability> | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['configured', 'users', 'reachability'],
    queryFn: async () => {
      const get = async (path: string, query: object) => {
        const answer = await api.get<{ items: UserReachability[] }>(path, query as never);
        const items = answer.data.items.map((item): Reach => ({ ...item, id: item.userId }));
        return { ...answer, data: { items } };
      };
      return readAll<Reach>({ get: get as never }, '/reachability');
    },
    staleTime: 30_000,
  }).data;
}

/** The last test of each medium of one person. */
export function usePersonReach(userId: number): UserReachability | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['person-reach', userId],
    queryFn: async () => (await api.get<UserReachability>(`/users/${userId}/reachability`)).data,
    refetchInterval: ({ state }) => (state.data?.testing ? 2_000 : false),
  }).data;
}
