import { type Api, ProblemError, type ProblemFault } from '@tocsin/client';
import { useRef, useState } from 'react';
import { randomKey } from '../../services/random-key.ts';
import { reasonOf } from '../../services/reason-of.ts';
import { useServices } from '../../services/services.ts';
import { useWords } from '../../words/use-words.ts';
import type { Collection, Item } from './collection.ts';
import { differentFields, mergeDrafts, missingFields, toBody, toDraft, type Values } from './fields.ts';
import { type Loaded, useReadAgain } from './item-queries.ts';

const isStale = (error: unknown) => error instanceof ProblemError && error.code === 'stale-version';
const faultsOf = (error: unknown): readonly ProblemFault[] =>
  error instanceof ProblemError ? error.errors : [];

type Failure = { readonly text: string; readonly faults: readonly ProblemFault[] };

/** Creates an object, and answers its number. */
async function postNew(api: Api, { path, fields }: Collection, draft: Values): Promise<number> {
  const sent = { idempotencyKey: randomKey() };
  return (await api.post<number>(`/${path}`, toBody(fields, draft), sent)).data;
}

/** Sends a changed object, unless somebody else has changed it meanwhile. */
async function putChanged(
  api: Api,
  { path, fields }: Collection,
  from: Loaded,
  draft: Values,
): Promise<void> {
  await api.put(`/${path}/${from.data.id}`, toBody(fields, draft), { ifMatch: from.etag });
}

/** Tries a change; what the server has against it is told. A conflict is left to `onStale`. */
function useAttempt(onStale: () => Promise<void>) {
  const words = useWords();
  const [failure, setFailure] = useState<Failure>();
  const attempt = async (act: () => Promise<void>) => {
    try {
      setFailure(undefined);
      await act();
    } catch (error) {
      if (isStale(error)) return onStale();
      const text = words.actions.failed(words.configure.saving, reasonOf(error));
      setFailure({ text, faults: faultsOf(error) });
    }
  };
  return { failure, attempt };
}

type Options = {
  readonly collection: Collection;
  /** The object as it was read; undefined for a new one. */
  readonly loaded: Loaded | undefined;
  readonly onCreated: (id: number) => void;
};

/** One object while somebody edits it: the draft, and what another person has saved meanwhile. */
export function useEditor({ collection, loaded, onCreated }: Options) {
  const { api } = useServices();
  const readAgain = useReadAgain();
  const { path, fields } = collection;
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState<Values>(() => toDraft(fields, loaded?.data));
  const [theirs, setTheirs] = useState<Loaded>();
  const [isSaved, setIsSaved] = useState(false);
  const baseDraft = toDraft(fields, base?.data);
  const changed = differentFields(fields, baseDraft, draft);
  // The blocker of navigation asks at the time of the navigation, before the next drawing.
  const isChanged = useRef(false);
  isChanged.current = changed.length > 0;
  const read = () => api.get<Item>(`/${path}/${base?.data.id}`);
  const { failure, attempt } = useAttempt(async () => setTheirs(await read()));
  const show = (next: Loaded) => {
    setBase(next);
    setDraft(toDraft(fields, next.data));
    setTheirs(undefined);
    isChanged.current = false;
  };
  const create = async () => {
    const created = await postNew(api, collection, draft);
    isChanged.current = false;
    await readAgain(path);
    onCreated(created);
  };
  const replace = async (from: Loaded, next: Values) => {
    await putChanged(api, collection, from, next);
    show(await read());
    setIsSaved(true);
    await readAgain(path);
  };
  /** The draft that is saved over theirs. */
  const merged =
    theirs && mergeDrafts(fields, baseDraft, { mine: draft, theirs: toDraft(fields, theirs.data) });
  return {
    collection,
    item: base?.data,
    etag: base?.etag,
    draft,
    changed,
    isChanged,
    theirs,
    merged,
    failure,
    isSaved: isSaved && changed.length === 0,
    canSave: changed.length > 0 && missingFields(fields, draft).length === 0,
    change: (part: Values) => setDraft((before) => ({ ...before, ...part })),
    undo: () => setDraft(baseDraft),
    takeTheirs: () => theirs && show(theirs),
    save: () => attempt(() => (base ? replace(base, draft) : create())),
    saveMine: () => attempt(async () => (theirs && merged ? replace(theirs, merged) : undefined)),
    readAgain: async () => {
      show(await read());
      return readAgain(path);
    },
  };
}

export type Editor = ReturnType<typeof useEditor>;
