import { shortDuration } from '../time/durations.ts';

/** The seconds of `hh:mm:ss`. */
export function secondsOf(duration: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = duration.split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

/** A duration of the interface as the console shows it; a dash if there is none. */
export const shown = (duration: string | undefined): string =>
  duration === undefined ? '–' : shortDuration(secondsOf(duration) * 1_000);
