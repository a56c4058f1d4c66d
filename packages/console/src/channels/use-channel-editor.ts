import { useQueryClient } from '@tanstack/react-query';
import { type ApiAnswer, ProblemError } from '@tocsin/client';
import type { Channel, ChannelKind } from '@tocsin/contract';
import { useState } from 'react';
import type { ApiCall } from '../frame/curl.ts';
import { randomKey } from '../services/random-key.ts';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { bodyOf, type ChannelDraft, draftOf, shownBody } from './channel-draft.ts';
import { channelsKey } from './channel-queries.ts';
import { fieldsOf } from './schema-fields.ts';

type Start = {
  readonly kind: ChannelKind;
  readonly draft: ChannelDraft;
  /** Undefined for a new channel. */
  readonly saved: ApiAnswer<Channel> | undefined;
  readonly onSaved: (id: number | undefined) => void;
};

const codeOf = (error: unknown) => (error instanceof ProblemError ? error.code : '');

/** Runs a change. What another person has done meanwhile is read, and other refusals are told. */
function useAttempt(path: string) {
  const { api } = useServices();
  const queries = useQueryClient();
  const [theirs, setTheirs] = useState<ApiAnswer<Channel> | 'gone'>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const attempt = async (act: () => Promise<void>) => {
    setFailure(undefined);
    setIsBusy(true);
    try {
      await act();
    } catch (error) {
      if (codeOf(error) === 'not-found') setTheirs('gone');
      else if (codeOf(error) === 'stale-version') setTheirs(await api.get<Channel>(path));
      else setFailure(reasonOf(error));
    } finally {
      setIsBusy(false);
      void queries.invalidateQueries({ queryKey: [...channelsKey, 'list'] });
      void queries.invalidateQueries({ queryKey: [...channelsKey, 'health'] });
    }
  };
  return { attempt, theirs, setTheirs, failure, isBusy };
}

/** A channel while somebody changes it: the draft, and what another person has saved meanwhile. */
export function useChannelEditor({ kind, draft: start, saved, onSaved }: Start) {
  const { api } = useServices();
  const fields = fieldsOf(kind);
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(start);
  const id = base?.data.id;
  const path = id === undefined ? '/channels' : `/channels/${id}`;
  const { attempt, theirs, setTheirs, failure, isBusy } = useAttempt(path);

  const store = async (etag: string | undefined) => {
    const body = bodyOf(draft, fields);
    const created =
      id === undefined ? (await api.post<number>(path, body, { idempotencyKey: randomKey() })).data : id;
    if (id !== undefined) await api.put(path, body, { ifMatch: etag });
    const after = await api.get<Channel>(`/channels/${created}`);
    setBase(after);
    setDraft(draftOf(after.data, kind));
    setTheirs(undefined);
    onSaved(created);
  };
  const others = theirs === 'gone' ? undefined : theirs;
  return {
    fields,
    draft,
    saved: base,
    theirs,
    failure,
    isBusy,
    isChanged: base === undefined || JSON.stringify(draft) !== JSON.stringify(draftOf(base.data, kind)),
    call: {
      method: id === undefined ? 'POST' : 'PUT',
      path,
      body: shownBody(draft, fields),
    } satisfies ApiCall,
    change: (part: Partial<ChannelDraft>) => setDraft((before) => ({ ...before, ...part })),
    setValue: (name: string, value: string) =>
      setDraft((before) => ({ ...before, values: { ...before.values, [name]: value } })),
    discard: () => setDraft(base ? draftOf(base.data, kind) : start),
    save: () => attempt(() => store(base?.etag)),
    saveMine: () => attempt(() => store(others?.etag)),
    takeTheirs: () => {
      if (!others) return;
      setBase(others);
      setDraft(draftOf(others.data, kind));
      setTheirs(undefined);
    },
    remove: () =>
      attempt(async () => {
        await api.remove(path, { ifMatch: base?.etag });
        onSaved(undefined);
      }),
  };
}

export type ChannelEditor = ReturnType<typeof useChannelEditor>;
