/** The instant in whole seconds. Shown times are truncated like this, so that times and durations agree. */
export function epochSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
