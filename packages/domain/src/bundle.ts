import type { MediumKind } from './call-plan.ts';
import { compareDuties, type DueDuty, isUrgent } from './duty.ts';

/** An attempt that waits to be sent, with what its duty is about. */
export type WaitingAttempt = {
  id: number;
  userId: number;
  medium: { kind: MediumKind; address: string };
  duty: DueDuty;
  /** When the alarm was raised, or the call requested. */
  since: Date;
  /** When a provider last took a call for the duty; before that, when the duty fell due. */
  waitingSince: Date;
  /** Requests carry a text of their own, and are never told as one of many. */
  bundles: boolean;
};

/** One message or call. Its outcome is the outcome of all its attempts; each duty then goes on by itself. */
export type Sending = {
  /** Most urgent first. */
  attempts: WaitingAttempt[];
  urgent: boolean;
  /** Of the attempt that has waited longest: one that joins later does not make the others wait again. */
  waitingSince: Date;
  /** Set where one call stands for several alarms: how many there are, and which came first. */
  bundle: { count: number; firstAttemptId: number; mostUrgentAttemptId: number } | undefined;
};

/** More alarms than so many in so long a time are a flood, after ISA-18.2. */
const floodAlarms = 10;
export const floodSeconds = 600;

export function inFlood(duties: number): boolean {
  return duties > floodAlarms;
}

/**
 * Makes one call out of many for people in a flood, and leaves everybody else's as they are. `recentDuties` counts
 * by user the duties somebody was called for in the last `floodSeconds`, those waiting included. Nothing is left out: each
 * attempt is in exactly one sending. The most urgent are told together, and not among the rest.
 */
export function bundleUp(
  waiting: readonly WaitingAttempt[],
  recentDuties: ReadonlyMap<number, number>,
): Sending[] {
  const together = Map.groupBy(waiting, (attempt) => bundleKey(attempt, recentDuties));
  return [...together.values()]
    .map(sendingOf)
    .toSorted((one, other) => compareSendings(one.attempts[0], other.attempts[0]));
}

function bundleKey(attempt: WaitingAttempt, recentDuties: ReadonlyMap<number, number>): string {
  const { id, userId, medium, duty, bundles } = attempt;
  if (!bundles || !inFlood(recentDuties.get(userId) ?? 0)) return `single ${id}`;
  // The first alarm of a plant makes the call go sooner, and need not be told apart.
  const isApart = isUrgent({ priority: duty.priority, firstOfPlant: false });
  return `bundle ${JSON.stringify([userId, medium.kind, medium.address, isApart])}`;
}

function sendingOf(group: readonly WaitingAttempt[]): Sending {
  const attempts = group.toSorted((one, other) => compareDuties(one.duty, other.duty) || one.id - other.id);
  const urgent = attempts.some(({ duty }) => isUrgent(duty));
  const waitingSince = new Date(Math.min(...attempts.map((attempt) => attempt.waitingSince.getTime())));
  const [mostUrgent] = attempts.toSorted((one, other) => one.duty.priority - other.duty.priority);
  const [first] = attempts.toSorted((one, other) => one.since.getTime() - other.since.getTime());
  const sending = { attempts, urgent, waitingSince };
  if (!mostUrgent || !first || attempts.length === 1) return { ...sending, bundle: undefined };

  const count = new Set(attempts.map(({ duty }) => duty.id)).size;
  return { ...sending, bundle: { count, firstAttemptId: first.id, mostUrgentAttemptId: mostUrgent.id } };
}

function compareSendings(one: WaitingAttempt | undefined, other: WaitingAttempt | undefined): number {
  return one && other ? compareDuties(one.duty, other.duty) || one.id - other.id : 0;
}
