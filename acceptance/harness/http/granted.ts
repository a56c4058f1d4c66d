import type { Answer } from './http-client.ts';

/** The body of an answer that must be 200. */
export function granted<Body>(answer: Answer): Body {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer.json<Body>();
}
