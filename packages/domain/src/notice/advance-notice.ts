import type { CallPlan, Medium } from '../calling/call-plan.ts';
import { type Attempt, isRunning, mayHaveReached, retrySecondsAfter } from '../calling/delivery.ts';
import { isLost, lostMs } from '../calling/escalation-person.ts';
import type { Advance, ClosedReason, EscalationState, Facts } from '../calling/escalation-state.ts';

/** Counted or not: cancelled and unknown tries do not count, because a crashing server would use them up. */
const maxTries = 10;
const recheckMs = 120_000;

/**
 * Decides the next actions of a notice: tries its one medium a few times and ends, whatever the outcome. It calls nobody
 * else, and a call goes on until it is hung up, so that the person can hear it to its end.
 */
export function advanceNotice(plan: CallPlan, state: EscalationState, facts: Facts, now: Date): Advance {
  const nowMs = now.getTime();
  if (state.closed !== null) return close(state, state.closed, facts);
  const startMs = state.openedMs + plan.delaySeconds * 1_000;
  const endMs = startMs + (plan.endsAfterSeconds ?? 0) * 1_000;
  const running = facts.attempts.filter((attempt) => isRunning(attempt) && !isLost(attempt, nowMs));
  const lost = facts.attempts.filter((attempt) => isLost(attempt, nowMs)).map(({ id }) => id);
  if (running.length > 0) {
    const isWaiting = running.every(({ status }) => status === 'queued');
    if (isWaiting && endMs <= nowMs) return close(state, 'missed', facts);
    return wait(state, {
      hangUp: lost,
      wakeMs: Math.min(...running.map((one) => wakeOf(one, { nowMs, endMs }))),
    });
  }
  if (facts.attempts.some(mayHaveReached)) return close(state, 'reached', facts);
  const medium = mediumOf(plan, facts);
  if (medium === undefined || endMs <= nowMs || !canTry(plan, facts, medium))
    return close(state, 'missed', facts);
  const dueMs = Math.max(startMs, retryMs(facts, medium));
  if (dueMs > nowMs) return wait(state, { hangUp: lost, wakeMs: Math.min(dueMs, Math.max(endMs, startMs)) });
  return {
    ...wait(state, { hangUp: lost, wakeMs: nowMs + recheckMs }),
    attempts: [draft(plan, facts, medium)],
  };
}

/** An attempt in our own queue is withdrawn at the end of the notice. */
function wakeOf(attempt: Attempt, { nowMs, endMs }: { nowMs: number; endMs: number }): number {
  if (attempt.status !== 'queued') return lostMs(attempt);
  return Math.max(endMs, nowMs + 1_000);
}

function wait(state: EscalationState, { hangUp, wakeMs }: { hangUp: number[]; wakeMs: number }): Advance {
  return { state, attempts: [], hangUp, wakeAt: new Date(wakeMs), events: [] };
}

function close(state: EscalationState, closed: ClosedReason, { attempts }: Facts): Advance {
  const hangUp = attempts.filter(isRunning).map(({ id }) => id);
  return { state: { ...state, closed }, attempts: [], hangUp, wakeAt: undefined, events: [] };
}

/**
 * The medium of the notice, if the person is enabled and still has it. A code is sent to an address that does not count
 * as theirs yet.
 */
function mediumOf({ people, message }: CallPlan, facts: Facts): Medium | undefined {
  const [person] = people;
  const [medium] = person?.media ?? [];
  if (!person || !medium) return undefined;
  if (facts.people === undefined || message.notice === 'code')
    return isEnabled(facts, person.userId) ? medium : undefined;
  const media = facts.people.get(person.userId)?.media ?? [];
  return media.find(({ kind, address }) => kind === medium.kind && address === medium.address);
}

function isEnabled({ people }: Facts, userId: number): boolean {
  return people === undefined || people.has(userId);
}

/** A fault of a channel does not count while another one serves the medium. */
function canTry({ targets }: CallPlan, { attempts, routes }: Facts, { kind }: Medium): boolean {
  const allowed = targets[0]?.stages[0]?.attempts ?? 1;
  if (attempts.length >= maxTries || attempts.some(({ permanent }) => permanent)) return false;
  const made = attempts.filter(({ status }) => status !== 'cancelled' && status !== 'unknown');
  const own = made.filter(({ channelFault }) => !channelFault);
  return own.length < allowed && made.length < allowed + (routes?.get(kind)?.length ?? 0);
}

function retryMs({ attempts, routes }: Facts, { kind }: Medium): number {
  const last = attempts.at(-1);
  if (!last) return 0;
  const endedMs = (last.endedAt ?? last.createdAt).getTime();
  const faulty = new Set(
    attempts.filter(({ channelFault }) => channelFault).map(({ channelId }) => channelId),
  );
  const hasOtherRoute = (routes?.get(kind) ?? []).some((id) => !faulty.has(id));
  return last.channelFault && hasOtherRoute ? endedMs : endedMs + retrySecondsAfter(attempts.length) * 1_000;
}

function draft({ people }: CallPlan, { attempts }: Facts, medium: Medium): Advance['attempts'][number] {
  const failed = attempts.filter((attempt) => !mayHaveReached(attempt)).map(({ channelId }) => channelId);
  return {
    target: 0,
    groupId: 0,
    step: 1,
    try: attempts.length + 1,
    userId: people[0]?.userId ?? 0,
    medium,
    avoidChannels: [...new Set(failed)].filter((id) => id > 0),
  };
}
