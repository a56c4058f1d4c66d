import { ProblemError } from '@tocsin/client';
import { useState } from 'react';
import { useServices } from '../services/services.ts';
import { audioContext } from '../sound/audio.ts';
import { useWords, type Words } from '../words/use-words.ts';
import type { Halfway } from './halfway.ts';

function reasonOf(error: unknown, words: Words['signIn']): string {
  if (!(error instanceof ProblemError)) return String(error);
  if (error.status === 0) return words.noAnswer;
  if (error.status === 429) return words.tooMany(error.retryAfterSeconds ?? 60);
  return error.code === 'invalid_grant' ? words.wrong : (error.detail ?? error.title);
}

/** Logs in with a password. The gesture also arms the sound, because browsers allow none before it. */
export function useLogIn(onHalfway: (halfway: Halfway) => void) {
  const words = useWords().signIn;
  const { session } = useServices();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const logIn = async (username: string, password: string) => {
    void audioContext()?.resume();
    setIsBusy(true);
    try {
      await session.logIn(username, password);
    } catch (error) {
      setIsBusy(false);
      if (error instanceof ProblemError && error.secondStep) onHalfway({ username, step: error.secondStep });
      else setFailure(reasonOf(error, words));
    }
  };
  return { logIn, failure, isBusy };
}
