import type { ConsolePriority } from '@tocsin/contract';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { isWaiting } from '../alarms/alarm-row.ts';
import { useAlarms } from '../alarms/alarms-context.tsx';
import { currentTime } from '../time/current-time.ts';
import { useNow } from '../time/use-now.ts';
import { lastingSilence, type Silence } from './sounding.ts';
import { useArmed } from './use-armed.ts';
import { useHorn, useSounds } from './use-horn.ts';
import { useRecordSilence, useSilencesOfOthers } from './use-silences.ts';

type Sound = {
  readonly isArmed: boolean;
  /** The priorities that sound at this desk. */
  readonly priorities: readonly ConsolePriority[];
  /** Milliseconds since 1970, or infinite; the horn sounds again then if alarms still wait. */
  readonly silencedUntil: number | undefined;
  arm(): void;
  silence(): void;
};

const Context = createContext<Sound>({
  isArmed: false,
  priorities: [],
  silencedUntil: undefined,
  arm: () => {},
  silence: () => {},
});
export const useSound = (): Sound => useContext(Context);

/** The horn of this desk: it sounds for the highest priority that waits, until it is silenced or acknowledged. */
export function SoundProvider({ children }: { readonly children: ReactNode }) {
  const { rows } = useAlarms();
  const { priorities, resoundSeconds } = useSounds();
  const record = useRecordSilence();
  const { isArmed, arm } = useArmed();
  const [silence, setSilence] = useState<{ until: number; newest: number }>();
  const waiting = rows.filter((row) => isWaiting(row) && priorities.includes(row.priority));
  const priority = waiting[0]?.priority;
  const newest = Math.max(0, ...waiting.map(({ raisedAt }) => raisedAt));

  // A newer alarm ends the silence of older ones.
  const isLasting = silence !== undefined && silence.newest >= newest && priority !== undefined;
  const until = isLasting ? silence.until : undefined;
  const latest = useRef({ until, waiting, newest, resoundSeconds });
  latest.current = { until, waiting, newest, resoundSeconds };
  const isSilent = useCallback(() => (latest.current.until ?? 0) > currentTime(), []);
  useHorn({ priority, newest, isArmed, isSilent });

  const silenceNow = useCallback(() => {
    const { current } = latest;
    const lastsMs = current.resoundSeconds === 0 ? Number.POSITIVE_INFINITY : current.resoundSeconds * 1_000;
    setSilence({ until: currentTime() + lastsMs, newest: current.newest });
    record(current.waiting.map(({ alarm }) => alarm.id));
  }, [record]);
  const value = useMemo(
    () => ({ isArmed, priorities, silencedUntil: until, arm, silence: silenceNow }),
    [isArmed, priorities, until, arm, silenceNow],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

/** The silence of another desk that lasts now. It has no effect here, but says why a neighbour hears nothing. */
export function useSilenceOfOthers(): Silence | undefined {
  const { rows } = useAlarms();
  const { priorities, resoundSeconds } = useSounds();
  const waiting = rows.filter((row) => isWaiting(row) && priorities.includes(row.priority));
  const silences = useSilencesOfOthers(waiting.length > 0);
  const now = useNow();
  return lastingSilence(silences, new Set(waiting.map(({ alarm }) => alarm.id)), {
    now,
    seconds: resoundSeconds,
  });
}
