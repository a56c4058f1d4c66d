const key = (userId: number) => `tocsin-left-${userId}`;

/** Remembers at this desk when a user has signed out, so that the shift sheet can begin there. */
export function rememberSignOut(userId: number, now: number): void {
  localStorage.setItem(key(userId), String(now));
}

/** When the user has last signed out at this desk; undefined if that is not known. */
export function lastSignOut(userId: number): number | undefined {
  const at = Number(localStorage.getItem(key(userId)));
  return Number.isFinite(at) && at > 0 ? at : undefined;
}
