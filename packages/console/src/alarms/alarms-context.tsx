import type { CallInProgress } from '@tocsin/contract';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useContexts } from '../services/use-contexts.ts';
import { useLive } from '../services/use-live.ts';
import { createRowKeeper, noRows, type Rows } from './keep-rows.ts';

type Calls = ReadonlyMap<number, CallInProgress>;

const AlarmsContext = createContext<Rows>(noRows);
const CallsContext = createContext<Calls>(new Map());

/** All current alarms, masked ones included. */
export const useAlarms = (): Rows => useContext(AlarmsContext);

/** The calls in progress by alarm. They change less often than the alarms, so the cells that show them are drawn less often. */
export const useCalls = (): Calls => useContext(CallsContext);

/** Puts the live alarms and their contexts together, once for all parts of the page. */
export function AlarmsProvider({ children }: { readonly children: ReactNode }) {
  const { alarms, calls } = useLive();
  const { byId: contexts, gone } = useContexts();
  const present = useMemo(
    () => (gone.size === 0 ? alarms : new Map([...alarms].filter(([id]) => !gone.has(id)))),
    [alarms, gone],
  );
  const [keepRows] = useState(createRowKeeper);
  const rows = useMemo(() => keepRows(present, contexts), [keepRows, present, contexts]);
  const byAlarm = useMemo(
    () =>
      new Map([...calls.values()].filter(({ alarmId }) => alarmId > 0).map((call) => [call.alarmId, call])),
    [calls],
  );
  return (
    <AlarmsContext.Provider value={rows}>
      <CallsContext.Provider value={byAlarm}>{children}</CallsContext.Provider>
    </AlarmsContext.Provider>
  );
}
