import type { EscalationStory, Interval } from './escalation-stories.ts';
import { isThrottled, ordersIn, throttledPeople } from './escalation-stories.ts';
import { type AttemptRow, attemptOf, type EscalationRow, type Evidence } from './evidence.ts';
import { type FaultWindow, touches, workingMs } from './inject-faults.ts';

/** Bounds without a fault and without throttling. The limits of first calls are lower, and checked where durations are. */
export type Bounds = {
  /** Until the first call is asked for. */
  askedMs: number;
  /** And after a mask: who was called in vain just before it is given a pause. */
  askedAgainMs: number;
  /** Between calls: the pause between rounds, and some time to act. */
  gapMs: number;
};

export const usualBounds: Bounds = { askedMs: 20_000, askedAgainMs: 35_000, gapMs: 30_000 };

/** Bound during a fault, until the first accepted order. */
const maxFirstCallMs = 60_000;
/** And between calls: the time that people have to acknowledge, a lease and a pause, with some time to act. */
const maxGapMs = 8_000 + 15_000 + 10_000 + 15_000;
const marginMs = 1_000;

/** I3 and I4: each escalation calls in time, also after a mask, or was closed for a valid reason. */
export function checkCalled(
  { windows }: Evidence,
  stories: readonly EscalationStory[],
  bounds: Bounds,
): string[] {
  const throttled = throttledPeople(stories);
  return stories.flatMap((story) => {
    const { escalation, intervals, orders } = story;
    const name = `escalation ${escalation.id} of tenant ${escalation.tenantId}`;
    const late = intervals.flatMap((interval) => {
      const most = interval.from > escalation.firstDue ? bounds.askedAgainMs : bounds.askedMs;
      return lateFaults(windows, {
        story,
        interval,
        askedMs: isThrottled(story, throttled) ? Infinity : most,
      });
    });
    const isExplained = escalation.closedReason === 'acknowledged' || escalation.closedReason === 'reset';
    if (escalation.closed !== null && !isExplained)
      return `I3: ${name} was closed as ${escalation.closedReason}`;
    if (late.length > 0) return late.map((fault) => `I4: ${name} ${fault}`);
    return orders.some(({ isAccepted }) => isAccepted) || isExplained
      ? []
      : `I3: nobody was ever called for escalation ${escalation.id}`;
  });
}

function lateFaults(
  windows: readonly FaultWindow[],
  { story, interval, askedMs }: { story: EscalationStory; interval: Interval; askedMs: number },
): string[] {
  const { from, to } = interval;
  const orders = ordersIn(story, interval);
  const taken = workingMs(windows, from, orders.find(({ isAccepted }) => isAccepted)?.at ?? to);
  if (taken > maxFirstCallMs) return [`was first called ${seconds(taken)} s late`];
  const asked = (orders[0]?.at ?? to) - from;
  if (asked <= askedMs || touches(windows, { from: from - marginMs, ms: askedMs + marginMs })) return [];
  return [`was first asked for ${seconds(asked)} s late, and nothing was wrong`];
}

/** I5: calling goes on until somebody acts, and an escalation is exhausted only after all attempts. */
export function checkKeepsCalling(
  evidence: Evidence,
  stories: readonly EscalationStory[],
  { gapMs }: Bounds,
): string[] {
  const { windows, systemPaths } = evidence;
  const throttled = throttledPeople(stories);
  return stories.flatMap((story) => {
    const { escalation, intervals, attempts } = story;
    const gaps = intervals.flatMap((interval) => gapsOf(story, interval));
    const alone = gaps.flatMap(({ from, to }) => {
      const isUsual =
        !touches(windows, { from: from - marginMs, ms: to - from }) && !isThrottled(story, throttled);
      const gap = workingMs(windows, from, to);
      return gap > (isUsual ? gapMs : maxGapMs)
        ? [`I5: escalation ${escalation.id} was left alone for ${seconds(gap)} s`]
        : [];
    });
    return [...alone, ...exhaustedFaults(escalation, attempts, systemPaths)];
  });
}

/** Times without an order, by the logs of the phone companies. */
function gapsOf(story: EscalationStory, interval: Interval): Interval[] {
  const { from, to } = interval;
  const within = ordersIn(story, interval)
    .map(({ at }) => at)
    .filter((at) => at > from && at < to);
  const times = [from, ...within, to];
  return times.slice(1).map((time, index) => ({ from: times[index] ?? from, to: time }));
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}

/** An exhausted escalation has made five attempts by two media and raised a system alarm. */
function exhaustedFaults(
  { id, tenantId, tagId, exhausted }: EscalationRow,
  attempts: readonly AttemptRow[],
  systemPaths: ReadonlySet<string>,
): string[] {
  if (exhausted === null) return [];
  const before = attempts.filter(({ created }) => created <= exhausted);
  const media = new Set(before.map(({ medium }) => medium)).size;
  const isReported = systemPaths.has(`${tenantId} tocsin/dispatch/exhausted/${tagId}`);
  return [
    ...(before.length < 5 || media < 2
      ? [`I5: escalation ${id} was exhausted after ${before.length} tries by ${media} media`]
      : []),
    ...(isReported ? [] : [`I5: no system alarm says that escalation ${id} is exhausted`]),
  ];
}

/** Outcomes that only a phone company can report. */
const reportedOutcomes = ['accepted', 'ringing', 'delivered', 'answered', 'busy', 'noAnswer', 'refused'];

/** I7: each attempt is ordered at most once, as stored, and repeated within a step only after it failed or was lost. */
export function checkNoDoubleCalls({ attempts, company, policy }: Evidence): string[] {
  const orders = Map.groupBy(
    company.filter(({ event }) => event === 'accepted'),
    attemptOf,
  );
  const twice = [...orders]
    .filter(([, lines]) => lines.length > 1)
    .map(([name]) => `I7: attempt ${name} was ordered twice`);
  const untrue = attempts.flatMap(({ tenantId, id, sentAs, userId, medium, outcome }) => {
    const [order] = orders.get(`${tenantId} ${sentAs ?? id}`) ?? [];
    if (!order)
      return reportedOutcomes.includes(outcome)
        ? `I7: attempt ${id} is said to be ${outcome}, and nobody took it`
        : [];
    const is = `${order.to} ${order.folder}`;
    const due = `${policy.numbers.get(`${tenantId} ${userId}`)} ${medium === 'Voice' ? 'calls' : 'messages'}`;
    return is === due ? [] : `I7: attempt ${id} went to ${is}, and ${due} was due`;
  });
  const place = ({ tenantId, escalationId, target, step, userId }: AttemptRow) =>
    [tenantId, escalationId, target, step, userId].join(' ');
  const repeated = [...Map.groupBy(attempts, place)].flatMap(([where, tries]) => repeatFaults(where, tries));
  return [...twice, ...untrue, ...repeated];
}

function repeatFaults(where: string, tries: readonly AttemptRow[]): string[] {
  const numbers = tries.map((attempt) => attempt.try);
  if (new Set(numbers).size < numbers.length) return [`I7: ${where} has a try twice`];
  const sorted = tries.toSorted((one, other) => one.try - other.try);
  return sorted.slice(1).flatMap(({ created }, index) => {
    const last = sorted[index];
    if (!last || last.outcome === 'unknown' || last.reason !== '' || isSpent(last.outcome)) return [];
    return created - last.created < minAnswerMs ? `I7: ${where} was tried again after ${last.outcome}` : [];
  });
}

/** Minimum time to answer for a person who may have been reached, before the next attempt. */
const minAnswerMs = 15_000;

function isSpent(outcome: string): boolean {
  return ['failed', 'busy', 'noAnswer', 'refused', 'cancelled'].includes(outcome);
}
