/** `from` is inside, `to` is not; either may be open. */
export type Period = { from?: Date | undefined; to?: Date | undefined };
