import { expect, test } from 'vitest';
import { hasArrived } from '../calling/delivery.ts';
import { addSeconds } from '../time/instant.ts';
import { realRules, simulateNight } from './dispatch-simulation.ts';
import type { Rules } from './simulated-store.ts';

/** Fewer for each change; the nightly run simulates all of them. */
const nights = Number(process.env['NIGHTS'] ?? 5_000);

test(`in ${nights} nights with faults every escalation calls people in time until it is closed, and then no more`, {
  timeout: 180_000,
}, () => {
  const seen = { requests: 0, unknowns: 0, bundles: 0, takenOver: 0, quietHours: 0, quietTimes: 0 };
  for (let seed = 1; seed <= nights; seed++) {
    const night = simulateNight(seed);
    expect(night.violations, `seed ${seed}`).toEqual([]);
    seen.requests += night.requests;
    seen.unknowns += night.unknowns;
    seen.bundles += night.bundles;
    seen.takenOver += night.takenOver;
    seen.quietHours += night.quietHours;
    seen.quietTimes += night.quietTimes;
  }
  // Otherwise the faults were not simulated.
  expect(seen.requests).toBeGreaterThan(20 * nights);
  for (const count of [seen.unknowns, seen.bundles, seen.takenOver, seen.quietHours])
    expect(count).toBeGreaterThan(nights / 5);
  expect(seen.quietTimes).toBeGreaterThan(nights / 50);
});

test('a seed reproduces a night event by event', () => {
  for (const seed of [3, 77, 4420]) {
    const [first, second]: [string[], string[]] = [[], []];
    const one = simulateNight(seed, realRules, (line) => first.push(line));
    const other = simulateNight(seed, realRules, (line) => second.push(line));
    expect(other).toEqual(one);
    expect(second).toEqual(first);
    expect(first.length).toBeGreaterThan(10);
  }
  expect(simulateNight(3).hash).not.toBe(simulateNight(4).hash);
});

const mutants: { name: string; invariant: string; rules: Partial<Rules> }[] = [
  {
    name: 'ignores a call with an unknown outcome',
    invariant: 'I7',
    rules: {
      settle: (attempt, report, now) =>
        report.outcome.kind === 'unknown' ? { kind: 'unchanged' } : realRules.settle(attempt, report, now),
    },
  },
  {
    name: 'accepts a report from a worker that has lost the attempt',
    invariant: 'I7',
    rules: {
      settle: (attempt, { outcome, fencingToken }, now) => {
        const settlement = realRules.settle(attempt, { outcome }, now);
        return settlement.kind === 'settled' || fencingToken === undefined
          ? settlement
          : { kind: 'settled', attempt, shouldQuery: false };
      },
    },
  },
  {
    name: 'goes on calling after the acknowledgment',
    invariant: 'I9',
    rules: {
      advance: (plan, state, facts, now) => {
        const next = realRules.advance(plan, state, facts, now);
        if (next.state.closed !== 'acknowledged') return next;
        return {
          ...realRules.advance(plan, state, { ...facts, alarm: { state: 3 } }, now),
          state: next.state,
        };
      },
    },
  },
  {
    name: 'treats a delivered message as acknowledged',
    invariant: 'I5',
    rules: {
      advance: (plan, state, facts, now) => {
        if (state.closed !== null || plan.until === 'reached' || !facts.attempts.some(hasArrived))
          return realRules.advance(plan, state, facts, now);
        return { state, attempts: [], hangUp: [], wakeAt: addSeconds(now, 3_600), events: [] };
      },
    },
  },
  {
    name: 'does not advance an escalation a second time',
    invariant: 'I3',
    rules: {
      advance: (plan, state, facts, now) => ({
        ...realRules.advance(plan, state, facts, now),
        wakeAt: undefined,
      }),
    },
  },
  {
    name: 'calls with one alarm of a flood and drops the others',
    invariant: 'I4',
    rules: {
      bundleAttempts: (waiting, recent) =>
        realRules
          .bundleAttempts(waiting, recent)
          .filter(({ attempts }) =>
            attempts.every(({ escalation }) => recent.size === 0 || escalation.id === 1),
          ),
    },
  },
  {
    name: 'calls a phone during another call',
    invariant: 'I11',
    rules: { splitByLine: (sendings) => ({ free: [...sendings], waiting: [] }) },
  },
  {
    name: 'takes alarms that the person has not heard',
    invariant: 'I12',
    rules: { takenAttempts: (attemptIds) => attemptIds },
  },
  {
    name: 'is quiet for urgent alarms, too',
    invariant: 'I4',
    rules: {
      advance: (plan, state, facts, now) => realRules.advance({ ...plan, priority: 3 }, state, facts, now),
    },
  },
  {
    name: 'calls people in their quiet hours',
    invariant: 'I13',
    rules: {
      advance: (plan, state, facts, now) => realRules.advance({ ...plan, priority: 1 }, state, facts, now),
    },
  },
  {
    name: 'rings on every raise of a chattering tag',
    invariant: 'I14',
    rules: { quietTimeOf: () => undefined },
  },
  {
    name: 'lets an alarm of priority 1 or of a higher priority wait',
    invariant: 'I15',
    rules: {
      quietTimeOf: (candidate, earlier, quietSeconds, now) =>
        realRules.quietTimeOf({ ...candidate, priority: 9 }, earlier, quietSeconds, now),
    },
  },
  {
    name: 'takes a message that may be unread for a call',
    invariant: 'I15',
    rules: {
      quietTimeOf: (candidate, earlier, quietSeconds, now) =>
        realRules.quietTimeOf({ ...candidate, medium: { kind: 'Sms' } }, earlier, quietSeconds, now),
    },
  },
  {
    name: 'lets a call wait after the quiet time',
    invariant: 'I16',
    rules: {
      quietTimeOf: (candidate, earlier, quietSeconds, now) =>
        realRules.quietTimeOf(candidate, earlier, quietSeconds && quietSeconds + 600, now),
    },
  },
  {
    name: 'never calls the next person',
    invariant: 'I5',
    rules: {
      advance: (plan, state, facts, now) => {
        const next = realRules.advance(plan, state, facts, now);
        return { ...next, attempts: next.attempts.filter(({ step }) => step === 1) };
      },
    },
  },
];

test.each(mutants)('a dispatcher that $name is detected', ({ invariant, rules }) => {
  const found: string[] = [];
  for (let seed = 1; seed <= 150 && !found.some((fault) => fault.startsWith(invariant)); seed++)
    found.push(...simulateNight(seed, { ...realRules, ...rules }).violations);
  expect(found.filter((fault) => fault.startsWith(invariant))).not.toEqual([]);
});
