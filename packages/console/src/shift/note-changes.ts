import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiAnswer } from '@tocsin/client';
import type { ShiftNote } from '@tocsin/contract';
import { randomKey } from '../services/random-key.ts';
import { useServices } from '../services/services.ts';
import { notesKey } from './shift-queries.ts';

const path = '/shifts/notes';

export type NoteText = {
  readonly stationId: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
};

/** One note with its version, so that people sign what they have read. */
export function useNote(id: number | undefined): ApiAnswer<ShiftNote> | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: [...notesKey, 'note', id],
    queryFn: () => api.get<ShiftNote>(`${path}/${id}`),
    enabled: id !== undefined,
    refetchInterval: 15_000,
  }).data;
}

export type NoteChanges = {
  /** Writes a new note, or the next version of one. */
  save(text: NoteText, before: ApiAnswer<ShiftNote> | undefined): Promise<ApiAnswer<ShiftNote>>;
  sign(note: ApiAnswer<ShiftNote>, shift: 'outgoing' | 'incoming'): Promise<void>;
};

export function useNoteChanges(): NoteChanges {
  const { api } = useServices();
  const queries = useQueryClient();
  const readAgain = () => queries.invalidateQueries({ queryKey: notesKey });
  return {
    save: async ({ stationId, from, to, text }, before) => {
      const body = { stationId, from: new Date(from).toISOString(), to: new Date(to).toISOString(), text };
      if (before) await api.put(`${path}/${before.data.id}`, body, { ifMatch: before.etag });
      const id = before
        ? before.data.id
        : (await api.post<number>(path, body, { idempotencyKey: randomKey() })).data;
      const saved = await api.get<ShiftNote>(`${path}/${id}`);
      // The caller learns of the new version first, or it would look like the change of somebody else.
      void readAgain();
      return saved;
    },
    sign: async ({ data: { id }, etag }, shift) => {
      const options = { ifMatch: etag, idempotencyKey: randomKey() };
      await api.post(`${path}/${id}/signatures`, { shift }, options);
      await readAgain();
    },
  };
}
