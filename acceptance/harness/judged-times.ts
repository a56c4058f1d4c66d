/**
 * Whether a scenario also judges how fast things were. On a machine that does other work at the same time only what
 * happened is judged, and times are printed: `TIMES_UNJUDGED=1` says so.
 */
export const timesAreJudged = process.env['TIMES_UNJUDGED'] === undefined;
