/** Milliseconds since 1970 by the clock of this computer. */
export const currentTime = (): number => Date.now();
