import { ProblemError } from '@tocsin/client';
import type { Guidance } from '@tocsin/contract';
import { useState } from 'react';
import { reasonOf } from '../services/reason-of.ts';
import { useServices } from '../services/services.ts';
import { useWords } from '../words/use-words.ts';
import { type Draft, differentParts, isEmpty, toDraft, toGuidance } from './draft.ts';
import { readLevel, useGuidanceChanges } from './guidance-queries.ts';
import { inheritedFrom, type Level, type Levels } from './levels.ts';

const isStale = (error: unknown) => error instanceof ProblemError && error.code === 'stale-version';

/** The text for one level while somebody writes it: the draft, and what another person has saved meanwhile. */
export function useEditor(levels: Levels, level: Level, onDone: () => void) {
  const { api } = useServices();
  const words = useWords();
  const changes = useGuidanceChanges();
  const [base, setBase] = useState(level);
  const shown = base.own.guidance ?? inheritedFrom(levels, level)?.own.guidance;
  const [draft, setDraft] = useState<Draft>(() => toDraft(shown));
  const [theirs, setTheirs] = useState<Level>();
  const [failure, setFailure] = useState<string>();
  const text = toGuidance(draft);
  const changed = differentParts(shown, text);

  const attempt = async (label: string, act: () => Promise<void>) => {
    try {
      setFailure(undefined);
      await act();
      onDone();
    } catch (error) {
      if (isStale(error)) setTheirs(await readLevel(api, level));
      else setFailure(words.actions.failed(label, reasonOf(error)));
    }
  };
  const current = theirs ?? base;
  const takeTheirs = () => {
    if (!theirs) return;
    setBase(theirs);
    setDraft(toDraft(theirs.own.guidance));
    setTheirs(undefined);
  };
  return {
    draft,
    text,
    changed,
    theirs,
    failure,
    /** The number that the text gets when it is saved. */
    nextVersion: (current.own.version ?? 0) + 1,
    canSave: !isEmpty(text) && (changed.length > 0 || !base.own.guidance),
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    use: (guidance: Guidance) => setDraft(toDraft(guidance)),
    takeTheirs,
    save: () => attempt(words.guidance.saving, () => changes.save(current, text)),
    remove: () => attempt(words.guidance.deleting, () => changes.remove(current)),
  };
}

export type Editor = ReturnType<typeof useEditor>;
