import { useQueryClient } from '@tanstack/react-query';
import { ProblemError } from '@tocsin/client';
import { useState } from 'react';
import { reasonOf } from '../services/reason-of.ts';
import { useWords } from '../words/use-words.ts';
import { notesKey } from './shift-queries.ts';

/** Runs a change of a note. A refusal is told and stays, and the note is read again. */
export function useAttempt() {
  const words = useWords();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const attempt = async (label: string, act: () => Promise<void>) => {
    try {
      setFailure(undefined);
      await act();
    } catch (error) {
      const isStale = error instanceof ProblemError && error.code === 'stale-version';
      const reason = isStale ? words.shift.changedMeanwhile : reasonOf(error);
      setFailure(words.actions.failed(label, reason));
      await queries.invalidateQueries({ queryKey: notesKey });
    }
  };
  return { attempt, failure };
}
