import type { AlarmState } from '../alarm/alarm-state.ts';
import type { MediumKind, Person } from './call-plan.ts';
import type { Attempt, AttemptDraft } from './delivery.ts';

/** Progress of one target. Plain JSON; times are epoch milliseconds. */
export type TargetState = {
  /** `reached` and `missed` end the target. Only a plan that waits for no acknowledgment gets there. */
  outcome: 'open' | 'reached' | 'missed';
  /** Index into the target's stages. */
  stage: number;
  cycle: number;
  /** Completed passes through all stages. */
  pass: number;
  /** Number of the running step, or of the last one. It never decreases, so that it identifies attempts. */
  step: number;
  /** The people called in the running step: one, or all in a broadcast. Empty between steps. */
  stepUserIds: number[];
  /** The people called so far in this cycle. */
  calledUserIds: number[];
  stepStartedMs: number;
  cycleStartedMs: number;
  /** False while every attempt of the cycle has failed by a fault of its channel. */
  cycleHadWorkingChannel: boolean;
  passStartedMs: number;
  /** `step` at the start of the pass. */
  passStep: number;
  /** The earliest start of the next step: people whose media all fail at once are not called in a tight loop. */
  notBeforeMs: number;
  usedMedia: UsedMedium[];
  /** Events reported already, each once. */
  reported: ReportedEvent[];
};

/** Identified by kind and address: media may be added, removed and reordered while people are called. */
export type UsedMedium = {
  userId: number;
  kind: MediumKind;
  address: string;
  tries: number;
  /** Whether a try has failed permanently. */
  hasFailed: boolean;
};

/** `stage` and `userId` are set where an event is reported once for each of them. */
export type ReportedEvent = { kind: EscalationEvent['kind']; stage?: number; userId?: number };

export type ClosedReason = 'acknowledged' | 'reset' | 'masked' | 'reached' | 'missed';

/** Progress of an escalation, stored with its plan. Plain JSON. */
export type EscalationState = {
  openedMs: number;
  closed: ClosedReason | null;
  targets: TargetState[];
};

/** Status of the occurrence that the escalation is about, not of a later one of the same tag. */
export type OccurrenceStatus = { state: AlarmState; maskUntil?: Date };

/** The current facts that a decision depends on. */
export type Facts = {
  /** Enabled people with their current media. Defaults to the people of the plan. */
  people?: ReadonlyMap<number, Person>;
  /** Undefined for a request. */
  alarm: OccurrenceStatus | undefined;
  /** By call group, in calling order. In a group that is missing, everybody is on duty. */
  onDuty: ReadonlyMap<number, readonly number[]>;
  /** By call group: a count of its alarms, so that each alarm starts with another person in Turnover mode. */
  rotation: ReadonlyMap<number, number>;
  /** At least those of the running steps, and all that have not ended. */
  attempts: readonly Attempt[];
  /** By medium, the channels that serve it. By default each medium has one. */
  routes?: ReadonlyMap<MediumKind, readonly number[]>;
  /** Media whose channels are all down: a person's other media are tried first. */
  down?: ReadonlySet<MediumKind>;
};

/** Why a stage has nobody to call. */
export type NobodyToCall = {
  /** The group has no members, none on duty, or none on duty who can be reached. */
  cause: 'empty' | 'off-duty' | 'unreachable';
  unreachable: UnreachableUser[];
  /** No stage of the target has anybody to call, so everybody in its groups is called, on duty or not. */
  wholeGroup: boolean;
  /** Nobody else is left, so people of the stage are called at addresses that nobody has confirmed. */
  lastResort?: true;
};

/** `disabled` includes deleted users. */
export type UnreachableUser = {
  userId: number;
  why: 'disabled' | 'no-medium' | 'unconfirmed' | 'no-channel';
};

/** An event that is recorded in the timeline; some raise a system alarm. */
export type EscalationEvent =
  | ({ kind: 'nobody-on-duty'; target: number; groupId: number } & NobodyToCall)
  /** `unconfirmed`: the person has addresses, and nobody has confirmed them. */
  | { kind: 'no-medium' | 'unconfirmed' | 'no-channel'; target: number; groupId: number; userId: number }
  /** The person is not called before this time, by their own rules. */
  | { kind: 'quiet'; target: number; groupId: number; userId: number; untilMs: number }
  | { kind: 'stands-in'; target: number; groupId: number; role: 'relief' | 'fallback' }
  /** Everybody was tried and nobody acknowledged. The calling goes on. */
  | { kind: 'exhausted'; target: number; attempts: number }
  | { kind: 'missed'; target: number }
  | { kind: 'reopened' };

/** The decision about an escalation. */
export type Advance = {
  state: EscalationState;
  /** To be stored as queued in the transaction that stores the state. */
  attempts: AttemptDraft[];
  /** Ids of attempts to withdraw or hang up. */
  hangUp: number[];
  /** The next time to advance at the latest: sooner when an attempt ends or the alarm changes. Undefined when closed. */
  wakeAt: Date | undefined;
  events: EscalationEvent[];
};
