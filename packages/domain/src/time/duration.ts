import { epochSeconds } from './instant.ts';

const durationPattern = /^(\d{2,}):([0-5]\d):([0-5]\d)$/;

/** `hh:mm:ss`. Hours may exceed 24 and have more than two digits. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [whole / 3600, (whole / 60) % 60, whole % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

/** The seconds of an `hh:mm:ss`, or undefined if the text is malformed. */
export function parseDuration(text: string): number | undefined {
  const [matched, hours, minutes, seconds] = durationPattern.exec(text) ?? [];
  if (matched === undefined) return undefined;

  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return Number.isSafeInteger(total) ? total : undefined;
}

/** The difference of both times in whole seconds, as shown; undefined if the end is before the start. */
export function wholeSecondsBetween(start: Date, end: Date): number | undefined {
  return end < start ? undefined : epochSeconds(end) - epochSeconds(start);
}
