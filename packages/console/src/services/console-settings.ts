import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConsoleSettings } from '@tocsin/contract';
import { useServices } from './services.ts';

const path = '/me/console-settings';
const queryKey = ['console-settings'];

function useAnswer() {
  const { api } = useServices();
  return useQuery({ queryKey, queryFn: () => api.get<ConsoleSettings>(path), staleTime: 300_000 }).data;
}

/** How the user wants the console; undefined until it is known. */
export const useConsoleSettings = (): ConsoleSettings | undefined => useAnswer()?.data;

/** Saves changed settings. It is refused when they were changed at another desk meanwhile. */
export function useSaveConsoleSettings(): (change: Partial<ConsoleSettings>) => Promise<void> {
  const { api } = useServices();
  const queries = useQueryClient();
  const answer = useAnswer();
  return async (change) => {
    try {
      const saved = await api.put<ConsoleSettings>(
        path,
        { ...answer?.data, ...change },
        { ifMatch: answer?.etag },
      );
      queries.setQueryData(queryKey, saved);
    } catch (error) {
      await queries.invalidateQueries({ queryKey });
      throw error;
    }
  };
}
