/** Includes `from` and excludes `to`; either end may be open. */
export type Period = { from?: Date | undefined; to?: Date | undefined };
