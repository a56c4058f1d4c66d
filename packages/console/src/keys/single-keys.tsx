import { createContext, type ReactNode, useContext } from 'react';
import { useConsoleSettings } from '../services/console-settings.ts';

const Context = createContext(true);

/** Whether single keys act; otherwise they need Alt. A user can switch them off, because speech and tremor press keys. */
export const useSingleKeys = (): boolean => useContext(Context);

export function SingleKeysProvider({ children }: { readonly children: ReactNode }) {
  return <Context.Provider value={useConsoleSettings()?.singleKeys ?? true}>{children}</Context.Provider>;
}

/** A key as it is shown on a button. */
export function useKeyHint(): (hint: string) => string {
  const isSingle = useSingleKeys();
  return (hint) => (isSingle || !/^(⇧|)[A-Z/?]$/.test(hint) ? hint : `Alt ${hint}`);
}
