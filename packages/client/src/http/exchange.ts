import { noConnection, ProblemError } from './problem-error.ts';

export type Fetch = typeof globalThis.fetch;

/** Long enough for a busy server, short enough that a dead one is noticed. */
const answerWithinMs = 15_000;

/** Sends a request. A request without an answer is a `ProblemError` with status 0. */
export async function exchange(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  signal?: AbortSignal,
): Promise<Response> {
  const timeout = AbortSignal.timeout(answerWithinMs);
  try {
    return await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  } catch (error) {
    throw new ProblemError({ status: 0, code: noConnection, title: 'The server cannot be reached' }, error);
  }
}

/** `fetch` of the page, which loses its meaning when it is called as a method of another object. */
export const pageFetch: Fetch = (input, init) => globalThis.fetch(input, init);
