import type { ConsolePriority, ConsoleSettings, ConsoleSounds } from '@tocsin/contract';
import { priorities } from '../alarms/alarm-row.ts';

/** What sounds until the plant and the user have said otherwise, or if they cannot be asked: no alarm may be silent then. */
export const firstSounds: ConsoleSounds = {
  sounds: [
    { priority: 1, sound: 'triple', repeatSeconds: 2 },
    { priority: 2, sound: 'double', repeatSeconds: 5 },
    { priority: 3, sound: 'single', repeatSeconds: 15 },
    { priority: 4, sound: 'none', repeatSeconds: 0 },
  ],
  resoundSeconds: 30,
};
export const firstOwnSound: ConsoleSettings['sound'] = { on: true, volume: 80, lowestPriority: 4 };

/** The priorities that sound at a desk: those with a sound at this plant that the user wants to hear. */
export function soundingPriorities(
  { sounds }: ConsoleSounds,
  { on, lowestPriority }: ConsoleSettings['sound'],
): readonly ConsolePriority[] {
  if (!on) return [];
  const silent = new Set(sounds.filter(({ sound }) => sound === 'none').map(({ priority }) => priority));
  return priorities.filter((priority) => priority <= lowestPriority && !silent.has(priority));
}

export type Silence = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly user: string;
  readonly desk: string;
  readonly alarmIds: readonly number[];
};

/** The latest silence of another desk that is about an alarm that still waits, and that still lasts. */
export function lastingSilence(
  silences: readonly Silence[],
  waiting: ReadonlySet<number>,
  { now, seconds }: { readonly now: number; readonly seconds: number },
): Silence | undefined {
  return silences
    .filter(({ at, alarmIds }) => {
      const isLasting = seconds === 0 || at + seconds * 1_000 > now;
      return isLasting && alarmIds.some((id) => waiting.has(id));
    })
    .toSorted((a, b) => b.at - a.at)[0];
}
