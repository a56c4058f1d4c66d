import { ProblemError } from '@tocsin/client';
import { useState } from 'react';
import { reasonOf } from '../services/reason-of.ts';
import { useWords, type Words } from '../words/use-words.ts';
import { isCancelled } from './passkeys.ts';

/** Why a proof was not taken, with what to do next. */
function toldReason(error: unknown, words: Words): string {
  if (isCancelled(error)) return words.signInSteps.passkeyCancelled;
  if (!(error instanceof ProblemError)) return words.signInSteps.passkeyFailed(String(error));
  if (error.status === 0) return words.signIn.noAnswer;
  if (error.status === 429) return words.signIn.tooMany(error.retryAfterSeconds ?? 60);
  return reasonOf(error);
}

/** Tries a step, one at a time, and keeps why it failed. `wrong` is said for a refused proof. */
export function useAttempt(wrong?: string) {
  const words = useWords();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const attempt = async (step: () => Promise<void>): Promise<boolean> => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      await step();
      return true;
    } catch (error) {
      const isWrong = error instanceof ProblemError && error.code === 'invalid_grant';
      setFailure(isWrong && wrong !== undefined ? wrong : toldReason(error, words));
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { attempt, failure, isBusy };
}
