/** A flood begins with more than 10 alarms in 10 minutes, and ends with fewer than 5 (ISA-18.2). */
export const floodRule = { windowMs: 600_000, most: 10, few: 5 } as const;
const { windowMs, most, few } = floodRule;

/** Whether more than 10 alarms came in the last 10 minutes. `times` are in any order. */
export function isFlooding(times: readonly number[], now: number): boolean {
  return times.filter((time) => time > now - windowMs && time <= now).length > most;
}

/** When the flood that goes on now began; undefined if there is none. `times` are ascending. */
export function floodSince(times: readonly number[], now: number): number | undefined {
  let since: number | undefined;
  const isOver = (begun: number, index: number, at: number) =>
    at - begun >= windowMs && (times[index - few] ?? Number.NEGATIVE_INFINITY) <= at - windowMs;
  for (const [index, time] of times.entries()) {
    if (since !== undefined && isOver(since, index, time)) since = undefined;
    const tenth = times[index + most];
    if (since === undefined && tenth !== undefined && tenth < time + windowMs) since = time;
  }
  return since !== undefined && isOver(since, times.length, now) ? undefined : since;
}
