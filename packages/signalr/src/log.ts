import type { Log } from './family.ts';

/** For hosts that do not listen. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
