import type { AlarmHistory, TimelineEntry } from '@tocsin/contract';

const weekMs = 7 * 86_400_000;
export const shownWeeks = 52;

/** `hh:mm:ss` in milliseconds. */
function durationMs(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

/** Occurrences per week over a year; the last bar is the week that ends now. */
export function weeklyCounts(histories: readonly AlarmHistory[], now: number): readonly number[] {
  const counts = Array.from({ length: shownWeeks }, () => 0);
  for (const { alarmTime } of histories) {
    const week = shownWeeks - 1 - Math.floor(Math.max(0, now - Date.parse(alarmTime)) / weekMs);
    if (week >= 0) counts[week] = (counts[week] ?? 0) + 1;
  }
  return counts;
}

/** The mean time until the fault was gone; undefined if it never was. */
export function meanDuration(histories: readonly AlarmHistory[]): number | undefined {
  const durations = histories.flatMap(({ alarmDuration }) =>
    alarmDuration === undefined ? [] : [durationMs(alarmDuration)],
  );
  if (durations.length === 0) return undefined;
  return durations.reduce((sum, duration) => sum + duration, 0) / durations.length;
}

export type LastTime = {
  readonly id: number;
  readonly at: number;
  /** Empty if nobody took it, or the entry is no longer read. */
  readonly takenBy: string;
  readonly takenAfter: number | undefined;
  readonly goneAfter: number | undefined;
};

/** Earlier occurrences, the newest first. Histories do not say who took it; the timeline does. */
export function lastTimes(
  histories: readonly AlarmHistory[],
  entries: readonly TimelineEntry[],
  currentId: number,
): readonly LastTime[] {
  const takers = new Map(
    entries
      .filter(({ kind }) => kind === 'acknowledged')
      .map(({ occurrenceId, actor }) => [occurrenceId, actor]),
  );
  const after = (duration: string | undefined) => (duration === undefined ? undefined : durationMs(duration));
  return histories
    .filter(({ id }) => id !== currentId)
    .toSorted((a, b) => b.id - a.id)
    .map(({ id, alarmTime, reactionDuration, alarmDuration }) => ({
      id,
      at: Date.parse(alarmTime),
      takenBy: takers.get(id) ?? '',
      takenAfter: after(reactionDuration),
      goneAfter: after(alarmDuration),
    }));
}
