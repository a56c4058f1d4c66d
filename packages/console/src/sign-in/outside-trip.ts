const key = 'tocsin-outside';

/** Remembers in this tab that the user has gone to an issuer, and may come back with a session. */
export const beginTrip = (): void => sessionStorage.setItem(key, 'yes');

/** Whether the user comes back from an issuer. It is answered once. */
export function endTrip(): boolean {
  const isBack = sessionStorage.getItem(key) !== null;
  sessionStorage.removeItem(key);
  return isBack;
}

/** Why the sign-in at an issuer has failed, as the server says in the address; undefined if it has not. */
export function outsideProblem(search: string): string | undefined {
  const problem = new URLSearchParams(search).get('problem');
  return problem === null || problem === '' ? undefined : problem.slice(0, 64);
}
