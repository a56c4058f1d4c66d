import type { MediumKind } from './call-plan.ts';
import { compareEscalations, type DueEscalation, isUrgent } from './escalation-order.ts';

/** A queued attempt with the facts that decide how it is sent. */
export type WaitingAttempt = {
  id: number;
  userId: number;
  medium: { kind: MediumKind; address: string };
  escalation: DueEscalation;
  /** When the alarm was raised, or the call requested. */
  since: Date;
  /** When a provider last accepted a call for the escalation; before that, when the escalation became due. */
  waitingSince: Date;
  /** Whether one call may announce it together with others. */
  canBundle: boolean;
  /** It is about no alarm, and must delay none. */
  isNotice?: boolean;
};

/** One message or call. Its outcome applies to all its attempts. */
export type Sending = {
  /** Most urgent first. */
  attempts: WaitingAttempt[];
  urgent: boolean;
  /** That of the attempt that has waited longest, so that a later one does not delay the others. */
  waitingSince: Date;
  /** Set if one call announces several alarms. */
  bundle: { count: number; firstAttemptId: number; mostUrgentAttemptId: number } | undefined;
};

/** A flood after ISA-18.2: more than ten alarms in ten minutes. */
const floodAlarms = 10;
export const floodSeconds = 600;

export function isFlood(escalations: number): boolean {
  return escalations > floodAlarms;
}

/**
 * Bundles the alarms that wait for one telephone into one call, whatever their priority: a phone takes one call at a time.
 * Messages are bundled in a flood only, and the most urgent ones get a message of their own. Each attempt is in exactly
 * one sending. `recentEscalations` counts, by user, the escalations of the last `floodSeconds`, including those of the
 * queued attempts.
 */
export function bundleAttempts(
  waiting: readonly WaitingAttempt[],
  recentEscalations: ReadonlyMap<number, number>,
): Sending[] {
  const bundles = Map.groupBy(waiting, (attempt) => bundleKey(attempt, recentEscalations));
  return [...bundles.values()]
    .map(sendingOf)
    .toSorted((one, other) => compareSendings(one.attempts[0], other.attempts[0]));
}

function bundleKey(attempt: WaitingAttempt, recentEscalations: ReadonlyMap<number, number>): string {
  const { id, userId, medium, escalation, canBundle } = attempt;
  if (!canBundle) return `single ${id}`;
  if (medium.kind === 'Voice') return `call ${JSON.stringify([userId, medium.address])}`;
  if (!isFlood(recentEscalations.get(userId) ?? 0)) return `single ${id}`;
  // The first alarm of a station makes the call go sooner, but is announced with the others.
  const isMostUrgent = isUrgent({ priority: escalation.priority, isFirstOfStation: false });
  return `bundle ${JSON.stringify([userId, medium.kind, medium.address, isMostUrgent])}`;
}

function sendingOf(group: readonly WaitingAttempt[]): Sending {
  const attempts = group.toSorted(
    (one, other) => compareEscalations(one.escalation, other.escalation) || one.id - other.id,
  );
  const urgent = attempts.some(({ escalation }) => isUrgent(escalation));
  const waitingSince = new Date(Math.min(...attempts.map((attempt) => attempt.waitingSince.getTime())));
  const [mostUrgent] = attempts.toSorted((one, other) => one.escalation.priority - other.escalation.priority);
  const [first] = attempts.toSorted((one, other) => one.since.getTime() - other.since.getTime());
  const sending = { attempts, urgent, waitingSince };
  if (!mostUrgent || !first || attempts.length === 1) return { ...sending, bundle: undefined };

  const count = new Set(attempts.map(({ escalation }) => escalation.id)).size;
  return { ...sending, bundle: { count, firstAttemptId: first.id, mostUrgentAttemptId: mostUrgent.id } };
}

function compareSendings(one: WaitingAttempt | undefined, other: WaitingAttempt | undefined): number {
  return one && other ? compareEscalations(one.escalation, other.escalation) || one.id - other.id : 0;
}
