import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedView, SavedViewBody } from '@tocsin/contract';
import { randomKey } from './random-key.ts';
import { useServices } from './services.ts';

const path = '/me/views';
const queryKey = ['views'];

/** The user's views, and those that others share. */
export function useSavedViews(): readonly SavedView[] {
  const { api } = useServices();
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await api.get<{ items: SavedView[] }>(path, { limit: 500 })).data.items,
    staleTime: 60_000,
  });
  return data ?? [];
}

export type ViewChanges = {
  save(view: SavedViewBody): Promise<void>;
  remove(id: number): Promise<void>;
};

export function useViewChanges(): ViewChanges {
  const { api } = useServices();
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey });
  return {
    save: async (view) => {
      await api.post(path, view, { idempotencyKey: randomKey() });
      await readAgain();
    },
    remove: async (id) => {
      const { etag } = await api.get<SavedView>(`${path}/${id}`);
      await api.remove(`${path}/${id}`, { ifMatch: etag });
      await readAgain();
    },
  };
}
