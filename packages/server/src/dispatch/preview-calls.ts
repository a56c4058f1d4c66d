import {
  type Attempt,
  type AttemptDraft,
  addSeconds,
  type CallPlan,
  cancel,
  type EscalationState,
  isRunning,
  type MediumKind,
  type Notice,
  onDuty,
  openEscalation,
  type Stage,
  stateBits,
} from '@tocsin/domain';
import type { CallDirectory } from '../duties/call-directory.ts';
import type { DutyWork, Rotation } from '../duties/duty-work.store.ts';
import { escalateDuty } from '../duties/escalate-duty.ts';

/** So long a telephone rings that nobody takes up. */
const ringSeconds = 30;
const mostCalls = 500;

export type Preview = {
  calls: PreviewedCall[];
  notices: { at: Date; notice: Notice }[];
  truncated: boolean;
};

export type PreviewedCall = {
  at: Date;
  draft: AttemptDraft;
  role: Stage['role'];
  why: 'slot' | 'override' | 'always' | 'named';
  hasChannel: boolean;
};

export type PreviewScene = {
  plan: CallPlan;
  directory: CallDirectory;
  rotation: Rotation;
  /** The media that a channel serves. */
  served: ReadonlySet<string>;
};

/**
 * Who would be called from `from` until `to` if nobody answers: telephones ring, texts arrive and are not read. It is
 * the escalation itself that decides, only that time and the outside world are made up.
 */
export function previewCalls(scene: PreviewScene, { from, to }: { from: Date; to: Date }): Preview {
  const calls: PreviewedCall[] = [];
  const notices: Preview['notices'] = [];
  let moment: Moment | undefined = { duty: openDuty(scene, from), now: from };
  while (moment && moment.now < to && calls.length <= mostCalls) {
    const turn = takeTurn(scene, moment, calls.length);
    calls.push(...turn.calls);
    notices.push(...turn.notices);
    moment = turn.next;
  }
  return { calls: calls.slice(0, mostCalls), notices, truncated: calls.length > mostCalls };
}

type Moment = { duty: DutyWork; now: Date };
type Turn = Omit<Preview, 'truncated'> & { next: Moment | undefined };

function takeTurn(scene: PreviewScene, { duty: before, now }: Moment, madeBefore: number): Turn {
  const { directory, rotation } = scene;
  const rung = { ...before, attempts: before.attempts.map((attempt) => stopRinging(attempt, now)) };
  const {
    state,
    attempts: drafts,
    hangUp,
    wakeAt,
    notices,
  } = escalateDuty(rung, { directory, rotation, now, routes: routesOf(scene) });
  const known = rung.attempts.map((one) => (hangUp.includes(one.id) ? cancel(one, now) : one));
  const made = drafts.map((draft, index) => makeAttempt(scene, { draft, id: madeBefore + index + 1, now }));
  const attempts = stillOfUse([...known, ...made], state);
  // That a provider took them, or did not, has the duty looked at again at once.
  const next = made.length > 0 ? now : nextLook(attempts, wakeAt);
  return {
    calls: drafts.map((draft) => callOf(scene, state, { draft, at: now })),
    notices: notices.map((notice) => ({ at: now, notice })),
    next: next && { duty: { ...rung, state, attempts }, now: next },
  };
}

/** One channel for each medium that has any: which one it is does not matter here. */
function routesOf({ served }: PreviewScene): ReadonlyMap<MediumKind, readonly number[]> {
  return new Map([...served].map((medium) => [medium as MediumKind, [0]]));
}

function openDuty({ plan, rotation }: PreviewScene, from: Date): DutyWork {
  const state = openEscalation(plan, from);
  const alarm = { state: stateBits.active | stateBits.unacknowledged };
  return { id: 0, plan, state, rotation, tagId: 0, callId: null, stationId: null, alarm, attempts: [] };
}

function makeAttempt(
  { served }: PreviewScene,
  { draft, id, now }: { draft: AttemptDraft; id: number; now: Date },
): Attempt {
  const made = { ...draft, id, channelId: 0, permanent: false, reason: '', fence: 1, createdAt: now };
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

/** As the escalation is given them: those of the running steps, and all that have not ended. */
function stillOfUse(attempts: readonly Attempt[], { targets }: EscalationState): Attempt[] {
  return attempts.filter((one) => isRunning(one) || one.step >= (targets[one.target]?.step ?? 0));
}

function nextLook(attempts: readonly Attempt[], wakeAt: Date | undefined): Date | undefined {
  if (wakeAt === undefined) return undefined;
  const ends = attempts.filter(isRunning).map((attempt) => ringEnd(attempt).getTime());
  return new Date(Math.min(wakeAt.getTime(), ...ends));
}

function callOf(
  { plan, directory, served }: PreviewScene,
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
