import type { AttemptOutcome } from './delivery.ts';

/**
 * What the end of an answered call means for one of its attempts. Alarms that were not said go back to the queue. If none
 * was said, the person hung up at once, and all count as answered: otherwise they would be called again and again.
 * `heard` is undefined if the provider does not know.
 */
export function outcomeOfEnd(
  attemptId: number,
  {
    heard,
    reason,
    wasAnswered = false,
  }: { heard: ReadonlySet<number> | undefined; reason: string; wasAnswered?: boolean | undefined },
): AttemptOutcome {
  const wasHeard = heard?.has(attemptId) === true;
  const isUnheard = heard !== undefined && heard.size > 0 && !wasHeard;
  return isUnheard
    ? { kind: 'notNow', reason: 'the call ended before it was said' }
    : { kind: 'ended', reason, ...(wasAnswered && { wasAnswered }), ...(wasHeard && { wasHeard }) };
}

/** The attempts of a call that an answer is about: what was not heard is not taken. */
export function takenAttempts(
  attemptIds: readonly number[],
  heard: ReadonlySet<number> | undefined,
): readonly number[] {
  return heard === undefined ? attemptIds : attemptIds.filter((id) => heard.has(id));
}
