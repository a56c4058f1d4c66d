import type { AlarmState } from './alarm-state.ts';
import type { MediumKind, Person } from './call-plan.ts';
import type { Attempt, AttemptDraft } from './delivery.ts';

/** How one target stands. Plain JSON. Times are epoch milliseconds. */
export type TargetState = {
  /** `reached` and `missed` end it; only a plan that waits for no acknowledgment gets there. */
  outcome: 'open' | 'reached' | 'missed';
  /** Place in the target's stages. */
  stage: number;
  cycle: number;
  /** Passes through all stages so far. */
  pass: number;
  /** The step that runs, or the last one. Never falls, so that attempts are told apart. */
  step: number;
  /** Whose turn it is: one, or all in a broadcast; empty between steps. */
  turn: number[];
  /** Who has had a turn in this cycle. */
  called: number[];
  stepStartedMs: number;
  cycleStartedMs: number;
  /** Whether anything of this cycle can have got to somebody; not so while every try failed by a fault of a channel. */
  cycleGotOut?: boolean;
  passStartedMs: number;
  /** `step` when the pass began. */
  passStep: number;
  /** No step begins sooner: people whose every medium fails at once are not called in a spin. */
  notBeforeMs: number;
  /** Tries by `userId:kind of the medium:address`. */
  used: Record<string, number>;
  /** Media, in the same notation, that failed for good. */
  dead: string[];
  /** Notices given, each once. */
  noticed: string[];
};

export type ClosedReason = 'acknowledged' | 'reset' | 'masked' | 'reached' | 'missed';

/** How far the calling has got: stored with the plan. Plain JSON. */
export type EscalationState = {
  openedMs: number;
  closed: ClosedReason | null;
  targets: TargetState[];
};

/** How the occurrence that the duty is about stands; not a later one of the same tag. */
export type OccurrenceStanding = { state: AlarmState; maskUntil?: Date };

export type Facts = {
  /** Those who are enabled, with their media, as they are now. Without it, the people of the plan. */
  people?: ReadonlyMap<number, Person>;
  /** Undefined for a request. */
  alarm: OccurrenceStanding | undefined;
  /** By call group, in calling order. A group that is missing has everybody on duty. */
  onDuty: ReadonlyMap<number, readonly number[]>;
  /** By call group: counts its alarms, so that each starts with another person where the mode is Turnover. */
  rotation: ReadonlyMap<number, number>;
  /** At least all of the running steps, and all that have not ended. */
  attempts: readonly Attempt[];
  /** By medium, the channels that serve it. Where it is left out, each medium has one. */
  routes?: ReadonlyMap<MediumKind, readonly number[]>;
  /** Media whose every channel is ill at the moment: the others of a person are tried before. */
  down?: ReadonlySet<MediumKind>;
};

/** Why there is nobody to call in a stage. */
export type Nobody = {
  /** No member at all, none on duty, or none of those on duty can be reached. */
  cause: 'empty' | 'off-duty' | 'unreachable';
  unreachable: Unreachable[];
  /** Nobody of the whole target can be called, so that everybody in its groups is, on duty or not. */
  wholeGroup: boolean;
};

/** `disabled`: the user is, or is gone. */
export type Unreachable = { userId: number; why: 'disabled' | 'no-medium' | 'no-channel' };

/** What is worth a line in the timeline, or a system alarm. */
export type Notice =
  | ({ kind: 'nobody-on-duty'; target: number; groupId: number } & Nobody)
  | { kind: 'no-medium' | 'no-channel'; target: number; groupId: number; userId: number }
  | { kind: 'stands-in'; target: number; groupId: number; role: 'relief' | 'fallback' }
  /** Everybody was tried and nobody acknowledged: a system alarm. The calling goes on. */
  | { kind: 'exhausted'; target: number; attempts: number }
  | { kind: 'missed'; target: number }
  | { kind: 'reopened' };

export type Advance = {
  state: EscalationState;
  /** To be stored as queued in the transaction that stores the state. */
  attempts: AttemptDraft[];
  /** Attempts to be withdrawn or hung up. */
  hangUp: number[];
  /** When to look again at the latest, and sooner when an attempt ends or the alarm changes. */
  wakeAt: Date | undefined;
  notices: Notice[];
};
