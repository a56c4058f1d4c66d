import { useState } from 'react';
import { reasonOf } from '../services/reason-of.ts';
import { useWords } from '../words/use-words.ts';

type Told = { readonly text: string; readonly isFailure: boolean };

/** Sends a change and tells what came of it. */
export function useChange() {
  const words = useWords().account;
  const [told, setTold] = useState<Told>();
  const [isBusy, setIsBusy] = useState(false);
  const change = async (done: string, send: () => Promise<unknown>): Promise<boolean> => {
    setIsBusy(true);
    setTold(undefined);
    try {
      await send();
      setTold({ text: done, isFailure: false });
      return true;
    } catch (error) {
      setTold({ text: words.notSaved(reasonOf(error)), isFailure: true });
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { change, told, isBusy };
}
