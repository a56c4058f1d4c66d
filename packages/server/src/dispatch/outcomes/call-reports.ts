import { outcomeOfEnd } from '@tocsin/domain';
import type { ChannelOutcome } from '../../channels/port/outcome.ts';
import type { AttemptNames } from './attempt-name.ts';
import { attemptOutcomeOf, referenceOf } from './outcome.wire.ts';
import type { AttemptReport } from './settle-attempts.ts';

type ReportedAttempt = { readonly id: number; readonly fencingToken?: number | undefined };

/** The reports to the attempts of one call or message: the same for all, except that alarms that were not said wait again. */
export function reportsOf(
  outcome: ChannelOutcome,
  attempts: readonly ReportedAttempt[],
  names: AttemptNames,
): AttemptReport[] {
  const heard = outcome.kind === 'ended' ? heardIds(outcome.heard, names) : undefined;
  const reference = referenceOf(outcome);
  const retryAfterSeconds = outcome.kind === 'notNow' ? outcome.retryAfterSeconds : 0;
  return attempts.map(({ id: attemptId, fencingToken }) => ({
    attemptId,
    report: {
      outcome:
        outcome.kind === 'ended'
          ? outcomeOfEnd(attemptId, { heard, reason: outcome.reason, wasAnswered: outcome.wasAnswered })
          : attemptOutcomeOf(outcome),
      fencingToken,
    },
    reference,
    retryAfterSeconds,
  }));
}

/** The ids of named attempts; undefined if the provider does not know what was said. */
export function heardIds(
  heard: readonly string[] | undefined,
  names: AttemptNames,
): ReadonlySet<number> | undefined {
  return heard && new Set(heard.flatMap((name) => names.parse(name)?.attemptId ?? []));
}
