import {
  type Attempt,
  type AttemptDraft,
  addSeconds,
  type CallPlan,
  cancel,
  type EscalationEvent,
  type EscalationState,
  isRunning,
  type MediumKind,
  onDuty,
  openEscalation,
  type Stage,
  stateBits,
} from '@tocsin/domain';
import { advanceEscalation } from '../../escalations/advance-escalation.ts';
import type { CallDirectory } from '../../escalations/call-directory.ts';
import type { EscalationWork, Rotation } from '../../escalations/escalation-work.store.ts';

/** A telephone that nobody answers rings for this time. */
const ringSeconds = 30;
const maxCalls = 500;

export type Preview = {
  calls: PreviewedCall[];
  events: { at: Date; event: EscalationEvent }[];
  truncated: boolean;
};

export type PreviewedCall = {
  at: Date;
  draft: AttemptDraft;
  role: Stage['role'];
  why: 'slot' | 'override' | 'always' | 'named';
  hasChannel: boolean;
};

export type PreviewInput = {
  plan: CallPlan;
  directory: CallDirectory;
  rotation: Rotation;
  /** Media for which there is a channel. */
  served: ReadonlySet<string>;
};

/**
 * Previews the calls between `from` and `to` if nobody answers: telephones ring, and texts arrive unread. The real
 * escalation decides; only time and providers are simulated.
 */
export function previewCalls(input: PreviewInput, { from, to }: { from: Date; to: Date }): Preview {
  const calls: PreviewedCall[] = [];
  const events: Preview['events'] = [];
  let moment: Moment | undefined = { escalation: openPreview(input, from), now: from };
  while (moment && moment.now < to && calls.length <= maxCalls) {
    const step = previewStep(input, moment, calls.length);
    calls.push(...step.calls);
    events.push(...step.events);
    moment = step.next;
  }
  return { calls: calls.slice(0, maxCalls), events, truncated: calls.length > maxCalls };
}

type Moment = { escalation: EscalationWork; now: Date };
type Step = Omit<Preview, 'truncated'> & { next: Moment | undefined };

function previewStep(input: PreviewInput, { escalation: before, now }: Moment, madeBefore: number): Step {
  const { directory, rotation } = input;
  const rung = { ...before, attempts: before.attempts.map((attempt) => stopRinging(attempt, now)) };
  const {
    state,
    attempts: drafts,
    hangUp,
    wakeAt,
    events,
  } = advanceEscalation(rung, { directory, rotation, now, routes: routesOf(input) });
  const known = rung.attempts.map((one) => (hangUp.includes(one.id) ? cancel(one, now) : one));
  const made = drafts.map((draft, index) => makeAttempt(input, { draft, id: madeBefore + index + 1, now }));
  const attempts = relevantAttempts([...known, ...made], state);
  // The answer of the provider makes the escalation due at once.
  const next = made.length > 0 ? now : nextStepAt(attempts, wakeAt);
  return {
    calls: drafts.map((draft) => callOf(input, state, { draft, at: now })),
    events: events.map((event) => ({ at: now, event })),
    next: next && { escalation: { ...rung, state, attempts }, now: next },
  };
}

/** One channel for each medium that has any; which one does not matter here. */
function routesOf({ served }: PreviewInput): ReadonlyMap<MediumKind, readonly number[]> {
  return new Map([...served].map((medium) => [medium as MediumKind, [0]]));
}

function openPreview({ plan, rotation }: PreviewInput, from: Date): EscalationWork {
  const state = openEscalation(plan, from);
  const alarm = { state: stateBits.active | stateBits.unacknowledged };
  return { id: 0, plan, state, rotation, tagId: 0, callId: null, stationId: null, alarm, attempts: [] };
}

function makeAttempt(
  { served }: PreviewInput,
  { draft, id, now }: { draft: AttemptDraft; id: number; now: Date },
): Attempt {
  const made = { ...draft, id, channelId: 0, permanent: false, reason: '', fencingToken: 1, createdAt: now };
  if (!served.has(draft.medium.kind)) return { ...made, status: 'failed', channelFault: true, endedAt: now };
  if (draft.medium.kind === 'Voice') return { ...made, status: 'accepted' };
  return { ...made, status: 'accepted', endedAt: now };
}

function stopRinging(attempt: Attempt, now: Date): Attempt {
  const endedAt = ringEnd(attempt);
  return isRunning(attempt) && endedAt <= now ? { ...attempt, status: 'noAnswer', endedAt } : attempt;
}

function ringEnd({ createdAt }: Attempt): Date {
  return addSeconds(createdAt, ringSeconds);
}

/** The attempts that an escalation reads: those of the current steps, and all that have not ended. */
function relevantAttempts(attempts: readonly Attempt[], { targets }: EscalationState): Attempt[] {
  return attempts.filter((one) => isRunning(one) || one.step >= (targets[one.target]?.step ?? 0));
}

function nextStepAt(attempts: readonly Attempt[], wakeAt: Date | undefined): Date | undefined {
  if (wakeAt === undefined) return undefined;
  const ends = attempts.filter(isRunning).map((attempt) => ringEnd(attempt).getTime());
  return new Date(Math.min(wakeAt.getTime(), ...ends));
}

function callOf(
  { plan, directory, served }: PreviewInput,
  { targets }: EscalationState,
  { draft, at }: { draft: AttemptDraft; at: Date },
): PreviewedCall {
  const stage = plan.targets[draft.target]?.stages[targets[draft.target]?.stage ?? 0];
  const group = stage?.rostered ? directory.groups.get(draft.groupId) : undefined;
  const why = group ? onDuty(group.roster, group.timeZone, at).why : undefined;
  return {
    at,
    draft,
    role: stage?.role ?? 'first',
    why: draft.groupId === 0 ? 'named' : why === undefined || why === 'nobody' ? 'always' : why,
    hasChannel: served.has(draft.medium.kind),
  };
}
