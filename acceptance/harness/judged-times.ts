/**
 * Whether scenarios also check durations. `TIMES_UNJUDGED=1` turns this off for busy machines, where durations are only
 * printed.
 */
export const timesAreJudged = process.env['TIMES_UNJUDGED'] === undefined;

/** The time limit for an action that should take `ms`: three times as long where durations are not checked. */
export const allowedMs = (ms: number): number => (timesAreJudged ? ms : 3 * ms);
