import { ProblemError } from '@tocsin/client';
import type { RosterOverride } from '@tocsin/contract';
import { useMemo, useState } from 'react';
import { reasonOf } from '../services/reason-of.ts';
import { useWords } from '../words/use-words.ts';
import { countChanges, type Draft, toDraft, withDraft } from './planning/draft.ts';
import { type Published, useRosterChanges } from './roster-queries.ts';

const isStale = (error: unknown) => error instanceof ProblemError && error.code === 'stale-version';

/** A roster while somebody plans it: what is published, the draft, and what another person has published meanwhile. */
export function usePlanner(first: Published) {
  const words = useWords();
  const changes = useRosterChanges();
  const [base, setBase] = useState(first);
  const [draft, setDraft] = useState<Draft>(() => toDraft(first.group));
  const [theirs, setTheirs] = useState<Published>();
  const [failure, setFailure] = useState<string>();
  const { group } = base;
  const planned = useMemo(() => withDraft(group, draft), [group, draft]);
  const count = useMemo(() => countChanges(toDraft(group), draft), [group, draft]);

  const start = (published: Published) => {
    setBase(published);
    setDraft(toDraft(published.group));
    setTheirs(undefined);
  };
  const attempt = async (label: string, act: () => Promise<void>): Promise<boolean> => {
    try {
      setFailure(undefined);
      await act();
      return true;
    } catch (error) {
      if (isStale(error)) setTheirs(await changes.read(group.id));
      else setFailure(words.actions.failed(label, reasonOf(error)));
      return false;
    }
  };
  /** An override is published at once; the draft stays. */
  const keepDraft = (published: Published) => {
    if (count === 0) start(published);
    else setBase(published);
  };
  return {
    base,
    draft,
    planned,
    count,
    theirs,
    failure,
    edit: (next: Draft) => setDraft(next),
    discard: () => setDraft(toDraft(group)),
    takeTheirs: () => theirs && start(theirs),
    publish: () =>
      attempt(words.roster.publishing, async () => {
        const target = theirs ?? base;
        start(await changes.publish(target, draft));
      }),
    addOverride: (override: RosterOverride) =>
      attempt(words.roster.overriding, async () => keepDraft(await changes.addOverride(group.id, override))),
    setOverrides: (overrides: RosterOverride[]) =>
      attempt(words.roster.overriding, async () => keepDraft(await changes.setOverrides(base, overrides))),
    attempt,
  };
}

export type Planner = ReturnType<typeof usePlanner>;
