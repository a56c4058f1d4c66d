/**
 * Whether a scenario also judges how fast things were. On a machine that does other work at the same time only what
 * happened is judged, and times are printed: `TIMES_UNJUDGED=1` says so.
 */
export const timesAreJudged = process.env['TIMES_UNJUDGED'] === undefined;

/** What a scenario allows for something that is to take `ms`: three times as long where times are not judged. */
export const allowedMs = (ms: number): number => (timesAreJudged ? ms : 3 * ms);
