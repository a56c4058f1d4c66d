import { isUnacknowledged, stateBits } from '../alarm/alarm-state.ts';
import type { bundleAttempts } from '../calling/bundle.ts';
import type { takenAttempts } from '../calling/call-end.ts';
import type { CallPlan } from '../calling/call-plan.ts';
import {
  type Attempt,
  type AttemptDraft,
  cancel,
  queueAttempt,
  type Report,
  type Settlement,
  type settle,
} from '../calling/delivery.ts';
import { type advance, openEscalation } from '../calling/escalation.ts';
import type { EscalationEvent, EscalationState } from '../calling/escalation-state.ts';
import type { splitByLine } from '../calling/phone-line.ts';
import type { EarlierCall, quietTimeOf, RepeatCandidate } from '../calling/repeat-call.ts';

/** The rules under test. Mutants of them must be detected. */
export type Rules = {
  advance: typeof advance;
  settle: typeof settle;
  bundleAttempts: typeof bundleAttempts;
  splitByLine: typeof splitByLine;
  takenAttempts: typeof takenAttempts;
  quietTimeOf: typeof quietTimeOf;
};

export type AlarmRow = {
  id: number;
  tagId: number;
  state: number;
  raisedMs: number;
  acknowledgedMs?: number;
  resetMs?: number;
  maskUntilMs?: number;
};

export type EscalationRow = {
  id: number;
  alarmId: number;
  plan: CallPlan;
  state: EscalationState;
  openedMs: number;
  /** Also the lease: a claim moves it into the future. Undefined when nothing is left to do. */
  dueMs: number | undefined;
  fencingToken: number;
  events: (EscalationEvent & { atMs: number })[];
  /** When it was opened and closed, alternately; masks may do so several times. */
  changes: { kind: 'opened' | 'closed'; atMs: number }[];
};

export type AttemptRow = Attempt &
  AttemptDraft & {
    escalationId: number;
    waitUntilMs: number;
    leaseMs: number;
    /** When the attempt was claimed for sending. */
    claimedMs?: number;
    /** How often it went back to the queue. */
    requeued: number;
    /** When it was first known that the person had heard the alarm, or that a provider had accepted the message. */
    reachedMs?: number;
    /** When its worker was first found to be gone. */
    orphanedMs?: number;
    /** Each fencing token of a claim or of a stored result. */
    fencingTokens: number[];
  };

/**
 * The database of the dispatcher in memory. Each method is one transaction, which is atomic. A worker may die between
 * two of them.
 */
export class SimulatedStore {
  readonly alarms = new Map<number, AlarmRow>();
  readonly escalations = new Map<number, EscalationRow>();
  readonly attempts = new Map<number, AttemptRow>();
  readonly attemptsOf = new Map<number, AttemptRow[]>();
  /** Attempts whose alarm a person has taken in a call. */
  readonly taken = new Set<number>();
  quietSeconds = 0;
  /** By tag. */
  readonly #occurrences = new Map<number, number>();
  /** Attempts that are queued or being sent. */
  readonly open = new Set<AttemptRow>();
  readonly rules: Rules;
  onHangUp: (attempt: AttemptRow) => void = () => undefined;
  onDutyAt: (nowMs: number) => ReadonlyMap<number, readonly number[]> = () => new Map();
  note: (line: string) => void = () => undefined;

  constructor(rules: Rules) {
    this.rules = rules;
  }

  /** Stores the escalation in the transaction of the raise, so that it cannot get lost. */
  openEscalation(alarm: AlarmRow, plan: CallPlan, nowMs: number): void {
    this.#endEarlierOccurrences(alarm, nowMs);
    this.alarms.set(alarm.id, alarm);
    const id = this.escalations.size + 1;
    const state = openEscalation(plan, new Date(nowMs));
    const changes = [{ kind: 'opened' as const, atMs: nowMs }];
    const escalation = {
      id,
      alarmId: alarm.id,
      plan,
      state,
      openedMs: nowMs,
      fencingToken: 0,
      events: [],
      changes,
    };
    this.escalations.set(id, { ...escalation, dueMs: nowMs });
    this.attemptsOf.set(id, []);
  }

  #endEarlierOccurrences({ tagId }: AlarmRow, nowMs: number): void {
    this.#occurrences.set(tagId, (this.#occurrences.get(tagId) ?? 0) + 1);
    for (const { id, tagId: other } of this.alarms.values())
      if (other === tagId)
        this.changeAlarm(id, nowMs, (alarm) => {
          alarm.state &= ~(stateBits.active | stateBits.unacknowledged);
          alarm.resetMs ??= nowMs;
        });
  }

  /** Changes an alarm, and advances its escalation in the same transaction. */
  changeAlarm(id: number, nowMs: number, change: (alarm: AlarmRow) => void): void {
    const alarm = this.alarms.get(id);
    if (!alarm) return;
    const before = alarm.state;
    change(alarm);
    if (isUnacknowledged(before) && !isUnacknowledged(alarm.state)) alarm.acknowledgedMs = nowMs;
    for (const escalation of this.escalations.values())
      if (escalation.alarmId === id) this.advanceOne(escalation, nowMs);
  }

  /** Advances a claimed escalation, unless another worker has claimed it since. */
  decide(escalationId: number, fencingToken: number, nowMs: number): void {
    const escalation = this.escalations.get(escalationId);
    if (escalation && escalation.fencingToken === fencingToken) this.advanceOne(escalation, nowMs);
  }

  advanceOne(escalation: EscalationRow, nowMs: number): void {
    const now = new Date(nowMs);
    const wasClosed = escalation.state.closed !== null;
    const next = this.rules.advance(escalation.plan, escalation.state, this.#factsOf(escalation, nowMs), now);
    escalation.state = next.state;
    escalation.dueMs = next.wakeAt?.getTime();
    escalation.events.push(...next.events.map((event) => ({ ...event, atMs: nowMs })));
    const isClosed = next.state.closed !== null;
    if (isClosed !== wasClosed)
      escalation.changes.push({ kind: isClosed ? 'closed' : 'opened', atMs: nowMs });
    for (const draft of next.attempts) this.#queue(escalation, draft, nowMs);
    for (const id of next.hangUp) this.#hangUp(id, now);
    this.note(
      `escalation ${escalation.id} ${next.state.closed ?? 'open'} +${next.attempts.length} -${next.hangUp.length}`,
    );
  }

  /** Settles an attempt and makes its escalation due. */
  report(attemptId: number, report: Report, nowMs: number): Settlement {
    const attempt = this.attempts.get(attemptId);
    if (!attempt) return { kind: 'stale' };
    const settlement = this.rules.settle(attempt, report, new Date(nowMs));
    this.note(`attempt ${attemptId} ${report.outcome.kind} ${settlement.kind}`);
    if (settlement.kind !== 'settled') return settlement;
    if (report.fencingToken !== undefined) attempt.fencingTokens.push(report.fencingToken);
    Object.assign(attempt, settlement.attempt);
    if (attempt.status === 'queued') {
      attempt.requeued += 1;
      attempt.waitUntilMs = nowMs;
      delete attempt.answeredAt;
    }
    if (isReached(attempt)) attempt.reachedMs ??= nowMs;
    if (attempt.endedAt !== undefined) this.open.delete(attempt);
    const escalation = this.escalations.get(attempt.escalationId);
    if (escalation && escalation.state.closed === null)
      escalation.dueMs = Math.min(escalation.dueMs ?? nowMs, nowMs);
    return settlement;
  }

  /** Postpones an attempt whose person was just reached about the tag. Returns whether it waits. */
  waitQuietly(attempt: AttemptRow, nowMs: number): boolean {
    const candidate = this.#candidateOf(attempt);
    if (!candidate || (this.#occurrences.get(candidate.tagId) ?? 0) < 2) return false;
    const earlier = [...this.attempts.values()].flatMap((one) => this.#earlierCall(one, candidate));
    const quiet = this.rules.quietTimeOf(candidate, earlier, this.quietSeconds, new Date(nowMs));
    if (!quiet) return false;
    attempt.quietUntil = quiet.until;
    attempt.waitUntilMs = quiet.until.getTime();
    this.note(`attempt ${attempt.id} waits until ${attempt.waitUntilMs}`);
    const escalation = this.escalations.get(attempt.escalationId);
    if (escalation) escalation.dueMs = Math.min(escalation.dueMs ?? nowMs, nowMs);
    return true;
  }

  #candidateOf({ escalationId, userId, medium }: AttemptRow): RepeatCandidate | undefined {
    const escalation = this.escalations.get(escalationId);
    const alarm = this.alarms.get(escalation?.alarmId ?? 0);
    if (!escalation || !alarm || escalation.plan.occasion !== 'raised') return undefined;
    const { priority } = escalation.plan;
    return { tagId: alarm.tagId, occurrenceId: alarm.id, userId, priority, medium };
  }

  #earlierCall(one: AttemptRow, { tagId, userId }: RepeatCandidate): EarlierCall[] {
    const call = one.userId === userId && isReached(one) ? this.#candidateOf(one) : undefined;
    if (call?.tagId !== tagId) return [];
    const { claimedMs = 0, reachedMs = 0, heardAt = new Date(reachedMs) } = one;
    const isCall = one.medium.kind === 'Voice' || one.status === 'acknowledged';
    return [isCall ? { ...call, heardAt } : { ...call, messageAt: new Date(claimedMs) }];
  }

  /** Only the attempts that `Facts` promises: those of the running steps, and those that have not ended. */
  #factsOf(escalation: EscalationRow, nowMs: number): Parameters<typeof advance>[2] {
    const alarm = this.alarms.get(escalation.alarmId);
    const steps = escalation.state.targets.map(({ step }) => step);
    const attempts = (this.attemptsOf.get(escalation.id) ?? []).filter(
      ({ target, step, endedAt }) => endedAt === undefined || steps[target] === step,
    );
    const maskUntil = alarm?.maskUntilMs === undefined ? {} : { maskUntil: new Date(alarm.maskUntilMs) };
    return {
      alarm:
        alarm && escalation.plan.occasion !== 'requested' ? { state: alarm.state, ...maskUntil } : undefined,
      onDuty: this.onDutyAt(nowMs),
      rotation: new Map([[1, escalation.id]]),
      attempts,
    };
  }

  #queue(escalation: EscalationRow, draft: AttemptDraft, nowMs: number): void {
    const queued = queueAttempt(draft, this.attempts.size + 1, new Date(nowMs));
    const attempt: AttemptRow = {
      ...queued,
      escalationId: escalation.id,
      waitUntilMs: nowMs,
      leaseMs: 0,
      fencingTokens: [],
      requeued: 0,
    };
    this.attempts.set(attempt.id, attempt);
    this.attemptsOf.get(escalation.id)?.push(attempt);
    this.open.add(attempt);
  }

  #hangUp(id: number, now: Date): void {
    const attempt = this.attempts.get(id);
    if (!attempt) return;
    const wasSent = attempt.claimedMs !== undefined;
    Object.assign(attempt, cancel(attempt, now));
    this.open.delete(attempt);
    if (wasSent) this.onHangUp(attempt);
  }
}

function isReached({ status, medium, heardAt }: AttemptRow): boolean {
  if (status === 'acknowledged' || heardAt !== undefined) return true;
  return medium.kind !== 'Voice' && (status === 'accepted' || status === 'delivered');
}
