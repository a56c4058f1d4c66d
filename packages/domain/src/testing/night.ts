import type { CallPlan } from '../calling/call-plan.ts';
import { type Attempt, type AttemptOutcome, cancel, queueAttempt, settle } from '../calling/delivery.ts';
import { advance, openEscalation } from '../calling/escalation.ts';
import type { Advance, EscalationEvent, EscalationState, Facts } from '../calling/escalation-state.ts';

const nightfall = new Date('2026-04-29T20:00:00Z');

/** The outcome of a try, and when it is reported; undefined for no report. */
export type Answer = { outcome: AttemptOutcome; afterSeconds: number } | undefined;

/** The environment of one escalation. */
export type World = {
  answer(attempt: Attempt): Answer;
  /** By seconds since nightfall. */
  alarmAt(second: number): Facts['alarm'];
  onDutyAt(second: number): Facts['onDuty'];
  rotation: Facts['rotation'];
  /** Media whose channels are down. */
  down?: Facts['down'];
  routes?: Facts['routes'];
  /** Until this second all attempts stay queued. */
  queuedUntil?: number;
};

export type Called = Attempt & { second: number };

/** The calls, events and advances of one escalation from nightfall on. */
export type Night = {
  plan: CallPlan;
  state: EscalationState;
  calls: Called[];
  events: (EscalationEvent & { second: number })[];
  advances: { second: number; advance: Advance; facts: Facts }[];
};

const unacknowledged = 3;
const pickedUp: readonly AttemptOutcome['kind'][] = ['answered', 'acknowledged', 'declined'];
const talkSeconds = 20;

const unansweredWorld: World = {
  answer: () => ({ outcome: { kind: 'accepted' }, afterSeconds: 1 }),
  alarmAt: () => ({ state: unacknowledged }),
  onDutyAt: () => new Map(),
  rotation: new Map(),
};

/** Runs an escalation for so many seconds, advancing it when it is due or something has changed. */
export function liveThrough(plan: CallPlan, world: Partial<World>, seconds: number): Night {
  const whole = { ...unansweredWorld, ...world };
  const night: Night = { plan, state: openEscalation(plan, nightfall), calls: [], events: [], advances: [] };
  const pending: { second: number; id: number; outcome: AttemptOutcome }[] = [];

  for (let second = 0; second <= seconds; second++) {
    for (const { id, outcome } of pending.filter((report) => report.second === second))
      report(night, id, { outcome, second });
    const last = night.advances.at(-1);
    const changed = pending.some((report) => report.second === second) || alarmChanged(whole, second);
    if (last && !changed && !isDue(last.advance, second)) continue;

    const fresh = advanceNight(night, whole, second);
    for (const attempt of fresh) {
      const answer = whole.answer(attempt);
      if (!answer) continue;
      const { id } = attempt;
      const { outcome } = answer;
      const answeredAt = second + Math.max(1, answer.afterSeconds);
      pending.push({ second: answeredAt, id, outcome });
      if (pickedUp.includes(outcome.kind))
        pending.push({ second: answeredAt + talkSeconds, id, outcome: { kind: 'ended', reason: '' } });
    }
  }
  return night;
}

export function at(second: number): Date {
  return new Date(nightfall.getTime() + second * 1000);
}

function advanceNight(night: Night, world: World, second: number): Attempt[] {
  const facts = {
    alarm: world.alarmAt(second),
    onDuty: world.onDutyAt(second),
    rotation: world.rotation,
    attempts: [...night.calls],
    ...(world.down && { down: world.down }),
    ...(world.routes && { routes: world.routes }),
  };
  const next = advance(night.plan, night.state, facts, at(second));
  night.state = next.state;
  night.advances.push({ second, advance: next, facts });
  night.events.push(...next.events.map((event) => ({ ...event, second })));
  night.calls = night.calls.map((call) =>
    next.hangUp.includes(call.id) ? { ...call, ...cancel(call, at(second)) } : call,
  );
  const fresh = next.attempts.map((draft, index) => {
    const attempt = queueAttempt(draft, night.calls.length + index + 1, at(second));
    if (second < (world.queuedUntil ?? 0)) return Object.assign(attempt, { second });
    const sent = { channelId: 1, status: 'calling' as const, sentAt: at(second), fencingToken: 1 };
    return Object.assign(attempt, { ...sent, second });
  });
  night.calls.push(...fresh);
  return fresh;
}

function report(
  night: Night,
  id: number,
  { outcome, second }: { outcome: AttemptOutcome; second: number },
): void {
  night.calls = night.calls.map((call) => {
    if (call.id !== id) return call;
    const settlement = settle(call, { outcome, fencingToken: call.fencingToken }, at(second));
    return settlement.kind === 'settled' ? { ...call, ...settlement.attempt } : call;
  });
}

function isDue({ wakeAt }: Advance, second: number): boolean {
  return wakeAt !== undefined && wakeAt <= at(second);
}

function alarmChanged(world: World, second: number): boolean {
  return second > 0 && world.alarmAt(second)?.state !== world.alarmAt(second - 1)?.state;
}
