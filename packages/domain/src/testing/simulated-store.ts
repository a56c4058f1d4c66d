import { isUnacknowledged } from '../alarm-state.ts';
import type { bundleUp } from '../bundle.ts';
import type { CallPlan } from '../call-plan.ts';
import {
  type Attempt,
  type AttemptDraft,
  cancel,
  queueAttempt,
  type Report,
  type Settlement,
  type settle,
} from '../delivery.ts';
import { type advance, openEscalation } from '../escalation.ts';
import type { EscalationState, Notice } from '../escalation-state.ts';

/** The rules under test. A mutant of one of them must be found out. */
export type Rules = { advance: typeof advance; settle: typeof settle; bundleUp: typeof bundleUp };

export type AlarmRow = {
  id: number;
  state: number;
  raisedMs: number;
  acknowledgedMs?: number;
  resetMs?: number;
  maskUntilMs?: number;
};

export type DutyRow = {
  id: number;
  alarmId: number;
  plan: CallPlan;
  state: EscalationState;
  openedMs: number;
  /** Doubles as the lease: a claim pushes it ahead. Undefined when nothing is left to do. */
  dueMs: number | undefined;
  fence: number;
  notices: (Notice & { atMs: number })[];
  /** When it was closed and opened, in turns; a mask may do so several times. */
  turns: { kind: 'opened' | 'closed'; atMs: number }[];
};

export type AttemptRow = Attempt &
  AttemptDraft & {
    dutyId: number;
    waitUntilMs: number;
    leaseMs: number;
    /** By which the attempt was claimed for sending. */
    claimedMs?: number;
    /** When its sender was first found to be gone. */
    orphanedMs?: number;
    /** Each fence with which it was claimed or a result was stored. */
    fences: number[];
  };

/**
 * What PostgreSQL does for the dispatcher, in memory. Each method is one transaction: it happens at one instant, and
 * whole. Between two of them a worker may die.
 */
export class SimulatedStore {
  readonly alarms = new Map<number, AlarmRow>();
  readonly duties = new Map<number, DutyRow>();
  readonly attempts = new Map<number, AttemptRow>();
  readonly attemptsOf = new Map<number, AttemptRow[]>();
  /** Attempts that wait to be sent, or are being sent. */
  readonly open = new Set<AttemptRow>();
  readonly rules: Rules;
  onHangUp: (attempt: AttemptRow) => void = () => undefined;
  onDutyAt: (nowMs: number) => ReadonlyMap<number, readonly number[]> = () => new Map();
  note: (line: string) => void = () => undefined;

  constructor(rules: Rules) {
    this.rules = rules;
  }

  /** The duty commits with the raise, as everything that must not get lost does. */
  openDuty(alarm: AlarmRow, plan: CallPlan, nowMs: number): void {
    this.alarms.set(alarm.id, alarm);
    const id = this.duties.size + 1;
    const state = openEscalation(plan, new Date(nowMs));
    const turns = [{ kind: 'opened' as const, atMs: nowMs }];
    const duty = { id, alarmId: alarm.id, plan, state, openedMs: nowMs, fence: 0, notices: [], turns };
    this.duties.set(id, { ...duty, dueMs: nowMs });
    this.attemptsOf.set(id, []);
  }

  /** What people or machines do to an alarm; its duty is decided anew in the same transaction. */
  changeAlarm(id: number, nowMs: number, change: (alarm: AlarmRow) => void): void {
    const alarm = this.alarms.get(id);
    if (!alarm) return;
    const before = alarm.state;
    change(alarm);
    if (isUnacknowledged(before) && !isUnacknowledged(alarm.state)) alarm.acknowledgedMs = nowMs;
    for (const duty of this.duties.values()) if (duty.alarmId === id) this.advanceDuty(duty, nowMs);
  }

  /** Whoever claimed the duty decides it, unless he has lost it meanwhile. */
  decide(dutyId: number, fence: number, nowMs: number): void {
    const duty = this.duties.get(dutyId);
    if (duty && duty.fence === fence) this.advanceDuty(duty, nowMs);
  }

  advanceDuty(duty: DutyRow, nowMs: number): void {
    const now = new Date(nowMs);
    const wasClosed = duty.state.closed !== null;
    const next = this.rules.advance(duty.plan, duty.state, this.#factsOf(duty, nowMs), now);
    duty.state = next.state;
    duty.dueMs = next.wakeAt?.getTime();
    duty.notices.push(...next.notices.map((notice) => ({ ...notice, atMs: nowMs })));
    const isClosed = next.state.closed !== null;
    if (isClosed !== wasClosed) duty.turns.push({ kind: isClosed ? 'closed' : 'opened', atMs: nowMs });
    for (const draft of next.attempts) this.#queue(duty, draft, nowMs);
    for (const id of next.hangUp) this.#hangUp(id, now);
    this.note(
      `duty ${duty.id} ${next.state.closed ?? 'open'} +${next.attempts.length} -${next.hangUp.length}`,
    );
  }

  /** Settles an attempt, and has its duty looked at again. */
  report(attemptId: number, report: Report, nowMs: number): Settlement {
    const attempt = this.attempts.get(attemptId);
    if (!attempt) return { kind: 'stale' };
    const settlement = this.rules.settle(attempt, report, new Date(nowMs));
    this.note(`attempt ${attemptId} ${report.outcome.kind} ${settlement.kind}`);
    if (settlement.kind !== 'settled') return settlement;
    if (report.fence !== undefined) attempt.fences.push(report.fence);
    Object.assign(attempt, settlement.attempt);
    if (attempt.endedAt !== undefined) this.open.delete(attempt);
    const duty = this.duties.get(attempt.dutyId);
    if (duty && duty.state.closed === null) duty.dueMs = Math.min(duty.dueMs ?? nowMs, nowMs);
    return settlement;
  }

  /** Only what `Facts` promises: the running steps, and what has not ended. */
  #factsOf(duty: DutyRow, nowMs: number): Parameters<typeof advance>[2] {
    const alarm = this.alarms.get(duty.alarmId);
    const steps = duty.state.targets.map(({ step }) => step);
    const attempts = (this.attemptsOf.get(duty.id) ?? []).filter(
      ({ target, step, endedAt }) => endedAt === undefined || steps[target] === step,
    );
    const maskUntil = alarm?.maskUntilMs === undefined ? {} : { maskUntil: new Date(alarm.maskUntilMs) };
    return {
      alarm: alarm && duty.plan.occasion !== 'requested' ? { state: alarm.state, ...maskUntil } : undefined,
      onDuty: this.onDutyAt(nowMs),
      rotation: new Map([[1, duty.id]]),
      attempts,
    };
  }

  #queue(duty: DutyRow, draft: AttemptDraft, nowMs: number): void {
    const queued = queueAttempt(draft, this.attempts.size + 1, new Date(nowMs));
    const attempt: AttemptRow = { ...queued, dutyId: duty.id, waitUntilMs: nowMs, leaseMs: 0, fences: [] };
    this.attempts.set(attempt.id, attempt);
    this.attemptsOf.get(duty.id)?.push(attempt);
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
