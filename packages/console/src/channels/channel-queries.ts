import { useQuery } from '@tanstack/react-query';
import type { ApiAnswer } from '@tocsin/client';
import type { Channel, ChannelHealth, ChannelKind } from '@tocsin/contract';
import { useServices } from '../services/services.ts';

type Page<Item> = { readonly items: readonly Item[] };

export const channelsKey = ['channels'];
export const channelsCall = { method: 'GET', path: '/channels', query: { limit: 1_000 } } as const;

export function useChannels(): readonly Channel[] | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: [...channelsKey, 'list'],
    queryFn: async () => (await api.get<Page<Channel>>(channelsCall.path, channelsCall.query)).data.items,
    refetchInterval: 30_000,
  }).data;
}

export function useKinds(): readonly ChannelKind[] | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['channel-kinds'],
    queryFn: async () => (await api.get<ChannelKind[]>('/channels/kinds')).data,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

export function useChannelHealth(): ReadonlyMap<number, ChannelHealth> {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey: [...channelsKey, 'health'],
    queryFn: async () => (await api.get<ChannelHealth[]>('/channels/health')).data,
    refetchInterval: 5_000,
  });
  return new Map(data?.map((health) => [health.channelId, health]));
}

/** One channel with its version, read once: what somebody types must not change under them. */
export function useChannel(id: number | undefined): ApiAnswer<Channel> | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: [...channelsKey, 'one', id],
    queryFn: () => api.get<Channel>(`/channels/${id}`),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  }).data;
}
