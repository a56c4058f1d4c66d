import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SecondFactors } from '@tocsin/contract';
import { useServices } from '../services/services.ts';

const keyOf = (userId: number) => ['second-factors', userId];

/** The second factors of a user; undefined until they are known. */
export function useSecondFactors(userId: number): SecondFactors | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: keyOf(userId),
    queryFn: async () => (await api.get<SecondFactors>(`/users/${userId}/second-factors`)).data,
    retry: false,
  }).data;
}

export function useReadFactorsAgain(userId: number): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf(userId) });
}
