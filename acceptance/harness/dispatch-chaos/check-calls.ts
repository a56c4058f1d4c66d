import type { DutyStory, Stretch } from './duty-stories.ts';
import { isSpared, ordersIn, sparedPeople } from './duty-stories.ts';
import { type AttemptRow, attemptOf, type DutyRow, type Evidence } from './evidence.ts';
import { touches, type Window, workingMs } from './nemesis.ts';

/** What is allowed where nothing is wrong and nobody is spared. What is promised is less, and judged where times are. */
export type Bounds = {
  /** Until the first call is asked for. */
  askedMs: number;
  /** And after a mask: who was called in vain just before it is given a pause. */
  askedAgainMs: number;
  /** Between calls: the pause between rounds, and some time to act. */
  gapMs: number;
};

export const usualBounds: Bounds = { askedMs: 20_000, askedAgainMs: 35_000, gapMs: 30_000 };

/** What is allowed where something is wrong: until the first call was taken. */
const latestFirstMs = 60_000;
/** And between calls: the time that people have to acknowledge, a lease and a pause, with some time to act. */
const longestGapMs = 8_000 + 15_000 + 10_000 + 15_000;
const marginMs = 1_000;

/** I3 and I4: each duty is met in time, also after a mask, or there is a reason why nobody had to be called. */
export function checkMet({ windows }: Evidence, stories: readonly DutyStory[], bounds: Bounds): string[] {
  const spared = sparedPeople(stories);
  return stories.flatMap((story) => {
    const { duty, stretches, orders } = story;
    const name = `duty ${duty.id} of tenant ${duty.tenantId}`;
    const late = stretches.flatMap((stretch) => {
      const most = stretch.from > duty.firstDue ? bounds.askedAgainMs : bounds.askedMs;
      return lateFaults(windows, { story, stretch, askedMs: isSpared(story, spared) ? Infinity : most });
    });
    const isExplained = duty.closedReason === 'acknowledged' || duty.closedReason === 'reset';
    if (duty.closed !== null && !isExplained) return `I3: ${name} was closed as ${duty.closedReason}`;
    if (late.length > 0) return late.map((fault) => `I4: ${name} ${fault}`);
    return orders.some(({ isTaken }) => isTaken) || isExplained
      ? []
      : `I3: nobody was ever called for duty ${duty.id}`;
  });
}

function lateFaults(
  windows: readonly Window[],
  { story, stretch, askedMs }: { story: DutyStory; stretch: Stretch; askedMs: number },
): string[] {
  const { from, to } = stretch;
  const orders = ordersIn(story, stretch);
  const taken = workingMs(windows, from, orders.find(({ isTaken }) => isTaken)?.at ?? to);
  if (taken > latestFirstMs) return [`was first called ${seconds(taken)} s late`];
  const asked = (orders[0]?.at ?? to) - from;
  if (asked <= askedMs || touches(windows, { from: from - marginMs, ms: askedMs + marginMs })) return [];
  return [`was first asked for ${seconds(asked)} s late, and nothing was wrong`];
}

/** I5: as long as nobody acts, somebody is called, again and again; and who says that all were tried, tried them. */
export function checkNoGivingUp(
  evidence: Evidence,
  stories: readonly DutyStory[],
  { gapMs }: Bounds,
): string[] {
  const { windows, systemPaths } = evidence;
  const spared = sparedPeople(stories);
  return stories.flatMap((story) => {
    const { duty, stretches, attempts } = story;
    const gaps = stretches.flatMap((stretch) => gapsOf(story, stretch));
    const alone = gaps.flatMap(({ from, to }) => {
      const isUsual = !touches(windows, { from: from - marginMs, ms: to - from }) && !isSpared(story, spared);
      const gap = workingMs(windows, from, to);
      return gap > (isUsual ? gapMs : longestGapMs)
        ? [`I5: duty ${duty.id} was left alone for ${seconds(gap)} s`]
        : [];
    });
    return [...alone, ...exhaustedFaults(duty, attempts, systemPaths)];
  });
}

/** Between orders, by the logs of those who were to carry them out. */
function gapsOf(story: DutyStory, stretch: Stretch): Stretch[] {
  const { from, to } = stretch;
  const within = ordersIn(story, stretch)
    .map(({ at }) => at)
    .filter((at) => at > from && at < to);
  const times = [from, ...within, to];
  return times.slice(1).map((time, index) => ({ from: times[index] ?? from, to: time }));
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}

/** Before anybody says so there are five tries by two media, and then it is said aloud. */
function exhaustedFaults(
  { id, tenantId, tagId, exhausted }: DutyRow,
  attempts: readonly AttemptRow[],
  systemPaths: ReadonlySet<string>,
): string[] {
  if (exhausted === null) return [];
  const before = attempts.filter(({ created }) => created <= exhausted);
  const media = new Set(before.map(({ medium }) => medium)).size;
  const isTold = systemPaths.has(`${tenantId} tocsin/dispatch/exhausted/${tagId}`);
  return [
    ...(before.length < 5 || media < 2
      ? [`I5: duty ${id} was exhausted after ${before.length} tries by ${media} media`]
      : []),
    ...(isTold ? [] : [`I5: nobody was told that duty ${id} is exhausted`]),
  ];
}

/** Outcomes that only a company can tell. */
const told = ['accepted', 'delivered', 'answered', 'busy', 'noAnswer', 'refused'];

/** I7: each attempt is ordered once at most, as it is stored, and nobody is tried twice in a turn unless the first try was lost. */
export function checkDoubles({ attempts, company, policy }: Evidence): string[] {
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
      return told.includes(outcome) ? `I7: attempt ${id} is said to be ${outcome}, and nobody took it` : [];
    const is = `${order.to} ${order.folder}`;
    const due = `${policy.numbers.get(`${tenantId} ${userId}`)} ${medium === 'Voice' ? 'calls' : 'messages'}`;
    return is === due ? [] : `I7: attempt ${id} went to ${is}, and ${due} was due`;
  });
  const place = ({ tenantId, dutyId, target, step, userId }: AttemptRow) =>
    [tenantId, dutyId, target, step, userId].join(' ');
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
    return created - last.created < shortestShareMs
      ? `I7: ${where} was tried again after ${last.outcome}`
      : [];
  });
}

/** So long somebody who may have been reached has to answer, before he is tried again. */
const shortestShareMs = 15_000;

function isSpent(outcome: string): boolean {
  return ['failed', 'busy', 'noAnswer', 'refused', 'cancelled'].includes(outcome);
}
