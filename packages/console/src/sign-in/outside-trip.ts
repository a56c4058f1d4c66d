const key = 'tocsin-outside';

/** Remembers in this tab that the user has gone to an issuer, and may come back with a session. */
export const beginTrip = (): void => sessionStorage.setItem(key, 'yes');

/** The end of an address to which a page leads that has begun a session, such as that of the demo. */
const arrival = '#signed-in';

/** Whether the user comes back from an issuer, or from a page that has begun a session. It is answered once. */
export function endTrip(): boolean {
  const isBack = sessionStorage.getItem(key) !== null || location.hash === arrival;
  sessionStorage.removeItem(key);
  if (location.hash === arrival) history.replaceState(history.state, '', location.pathname + location.search);
  return isBack;
}

/** Why the sign-in at an issuer has failed, as the server says in the address; undefined if it has not. */
export function outsideProblem(search: string): string | undefined {
  const problem = new URLSearchParams(search).get('problem');
  return problem === null || problem === '' ? undefined : problem.slice(0, 64);
}
