import { bodyOf, seeded } from './bodies.ts';
import { postBytes } from './lean-client.ts';
import type { Load } from './load.ts';

/** More than any server has taken so far: what lies beyond is made while the load runs. */
const newTagsPerSecond = 4_000;

/** Gives the bytes of the next request for a token, or undefined when there is none left to send. */
export type NextRequest = (token: string) => Buffer | undefined;

/**
 * Requests ready to be written, made before the clock runs as far as can be known: the load shares its cores with what
 * it measures. Known tags are at random, or each once in a sweep.
 */
export function prepareRequests(load: Load): NextRequest {
  const bytesOf = (tag: number, token: string) =>
    postBytes(load.path, token, bodyOf[load.body](tag, load.callGroupId));
  const known = new Map(
    load.tokens.map((token) => [
      token,
      Array.from({ length: load.knownTags }, (_, tag) => bytesOf(tag, token)),
    ]),
  );
  if (load.sweep) {
    let next = 0;
    return (token) => known.get(token)?.[next++];
  }
  const random = seeded(load.seed);
  let newTag = load.firstNewTag;
  const made = load.tokens.length === 1 ? newTagsPerSecond * load.seconds * (1 - load.knownShare) * 2 : 0;
  const fresh = Array.from({ length: made }, () => bytesOf(newTag++, load.tokens[0] ?? '')).toReversed();
  return (token) =>
    random() < load.knownShare
      ? known.get(token)?.[Math.floor(random() * load.knownTags)]
      : (fresh.pop() ?? bytesOf(newTag++, token));
}
