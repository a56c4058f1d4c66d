import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ProblemError, type ProblemFault } from '@tocsin/client';
import { useEffect, useState } from 'react';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';
import { differentFields, type Fields, missingFields, toBody, toDraft, type Values } from '../core/fields.ts';

type Stored = { readonly data: Values | undefined; readonly etag: string | undefined };
type Failure = { readonly text: string; readonly faults: readonly ProblemFault[] };

/** A setting that exists once; undefined until it is read, and without data if there is none. */
function useStored(path: string): Stored | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['single', path],
    queryFn: async (): Promise<Stored> => {
      try {
        const { data, etag } = await api.get<Values>(path);
        return { data, etag };
      } catch (error) {
        if (error instanceof ProblemError && error.status === 404)
          return { data: undefined, etag: undefined };
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  }).data;
}

/** A setting that exists once, while somebody edits it. */
export function useSingle(path: string, fields: Fields) {
  const words = useWords();
  const { api } = useServices();
  const queries = useQueryClient();
  const stored = useStored(path);
  const [draft, setDraft] = useState<Values>(() => toDraft(fields));
  const [failure, setFailure] = useState<Failure>();
  const [isSaved, setIsSaved] = useState(false);
  useEffect(() => setDraft(toDraft(fields, stored?.data)), [stored, fields]);
  const changed = differentFields(fields, toDraft(fields, stored?.data), draft);
  const act = async (doing: string, send: () => Promise<unknown>): Promise<boolean> => {
    setFailure(undefined);
    try {
      await send();
      await queries.invalidateQueries({ queryKey: ['single', path] });
      return true;
    } catch (error) {
      const faults = error instanceof ProblemError ? error.errors : [];
      setFailure({ text: words.actions.failed(doing, reasonOf(error)), faults });
      return false;
    }
  };
  return {
    stored,
    draft,
    changed,
    failure,
    isSaved: isSaved && changed.length === 0,
    canSave: changed.length > 0 && missingFields(fields, draft).length === 0,
    change: (part: Values) => setDraft((before) => ({ ...before, ...part })),
    undo: () => setDraft(toDraft(fields, stored?.data)),
    save: async () =>
      setIsSaved(
        await act(words.configure.saving, () =>
          api.put(path, toBody(fields, draft), { ifMatch: stored?.etag }),
        ),
      ),
    remove: () => act(words.configureDelete.deleting, () => api.remove(path, { ifMatch: stored?.etag })),
  };
}

export type Single = ReturnType<typeof useSingle>;
