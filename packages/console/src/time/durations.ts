/** A live duration: `0:12`, `31:12`, `1 h 52`, `3 d 02 h`. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  if (hours < 24) return `${hours} h ${two(minutes % 60)}`;
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`;
}

/** A rough age: `4 s`, `12 min`, `3 h`, `5 d`. */
export function roughDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** A duration in words: `48 minutes`, `1 hour`, `3 days`. */
export function spokenDuration(ms: number, language: string): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const spoken = (value: number, unit: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  if (minutes < 60) return spoken(minutes, 'minute');
  return minutes < 2_880
    ? spoken(Math.floor(minutes / 60), 'hour')
    : spoken(Math.floor(minutes / 1_440), 'day');
}
