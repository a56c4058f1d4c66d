import type { CallPlan } from '../call-plan.ts';
import { type Attempt, cancel, type Outcome, queueAttempt, settle } from '../delivery.ts';
import { advance, openEscalation } from '../escalation.ts';
import type { Advance, EscalationState, Facts, Notice } from '../escalation-state.ts';

const nightfall = new Date('2026-04-29T20:00:00Z');

/** What becomes of a try, and when; undefined when nothing is ever heard of it. */
export type Answer = { outcome: Outcome; afterSeconds: number } | undefined;

/** The world around one duty. */
export type World = {
  answer(attempt: Attempt): Answer;
  /** By seconds since nightfall. */
  alarmAt(second: number): Facts['alarm'];
  onDutyAt(second: number): Facts['onDuty'];
  rotation: Facts['rotation'];
  /** Media whose channels are ill. */
  down?: Facts['down'];
  routes?: Facts['routes'];
  /** Until this second nothing leaves our own queue. */
  queuedUntil?: number;
};

export type Called = Attempt & { second: number };

/** One duty lived through from nightfall on: what was called, what was said, and each advance. */
export type Night = {
  plan: CallPlan;
  state: EscalationState;
  calls: Called[];
  notices: (Notice & { second: number })[];
  advances: { second: number; advance: Advance; facts: Facts }[];
};

const unacknowledged = 3;

const deafWorld: World = {
  answer: () => ({ outcome: { kind: 'accepted' }, afterSeconds: 1 }),
  alarmAt: () => ({ state: unacknowledged }),
  onDutyAt: () => new Map(),
  rotation: new Map(),
};

/** Lives through a duty, second by second where something happens, until the end or until nothing more will. */
export function liveThrough(plan: CallPlan, world: Partial<World>, seconds: number): Night {
  const whole = { ...deafWorld, ...world };
  const night: Night = { plan, state: openEscalation(plan, nightfall), calls: [], notices: [], advances: [] };
  const pending: { second: number; id: number; outcome: Outcome }[] = [];

  for (let second = 0; second <= seconds; second++) {
    for (const { id, outcome } of pending.filter((report) => report.second === second))
      report(night, id, { outcome, second });
    const last = night.advances.at(-1);
    const changed = pending.some((report) => report.second === second) || alarmChanged(whole, second);
    if (last && !changed && !isDue(last.advance, second)) continue;

    const fresh = look(night, whole, second);
    for (const attempt of fresh) {
      const answer = whole.answer(attempt);
      if (answer)
        pending.push({
          second: second + Math.max(1, answer.afterSeconds),
          id: attempt.id,
          outcome: answer.outcome,
        });
    }
  }
  return night;
}

export function at(second: number): Date {
  return new Date(nightfall.getTime() + second * 1000);
}

function look(night: Night, world: World, second: number): Attempt[] {
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
  night.notices.push(...next.notices.map((notice) => ({ ...notice, second })));
  night.calls = night.calls.map((call) =>
    next.hangUp.includes(call.id) ? { ...call, ...cancel(call, at(second)) } : call,
  );
  const fresh = next.attempts.map((draft, index) => {
    const attempt = queueAttempt(draft, night.calls.length + index + 1, at(second));
    if (second < (world.queuedUntil ?? 0)) return Object.assign(attempt, { second });
    const sent = { channelId: 1, status: 'calling' as const, sentAt: at(second), fence: 1 };
    return Object.assign(attempt, { ...sent, second });
  });
  night.calls.push(...fresh);
  return fresh;
}

function report(night: Night, id: number, { outcome, second }: { outcome: Outcome; second: number }): void {
  night.calls = night.calls.map((call) => {
    if (call.id !== id) return call;
    const settlement = settle(call, { outcome, fence: call.fence }, at(second));
    return settlement.kind === 'settled' ? { ...call, ...settlement.attempt } : call;
  });
}

function isDue({ wakeAt }: Advance, second: number): boolean {
  return wakeAt !== undefined && wakeAt <= at(second);
}

function alarmChanged(world: World, second: number): boolean {
  return second > 0 && world.alarmAt(second)?.state !== world.alarmAt(second - 1)?.state;
}
