import { expect, test } from 'vitest';
import { hasArrived } from '../delivery.ts';
import { addSeconds } from '../instant.ts';
import { realRules, simulateNight } from './dispatch-simulation.ts';
import type { Rules } from './simulated-store.ts';

const nights = 5_000;

test(`in ${nights} bad nights every duty is met, nobody gives up, and silence follows an acknowledgment`, {
  timeout: 180_000,
}, () => {
  const seen = { requests: 0, unknowns: 0, bundles: 0, takenOver: 0 };
  for (let seed = 1; seed <= nights; seed++) {
    const night = simulateNight(seed);
    expect(night.violations, `seed ${seed}`).toEqual([]);
    seen.requests += night.requests;
    seen.unknowns += night.unknowns;
    seen.bundles += night.bundles;
    seen.takenOver += night.takenOver;
  }
  // Otherwise nothing was put to the test.
  expect(seen.requests).toBeGreaterThan(20 * nights);
  for (const count of [seen.unknowns, seen.bundles, seen.takenOver])
    expect(count).toBeGreaterThan(nights / 5);
});

test('a night can be lived through again, event by event', () => {
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

const mutants: [string, string, Partial<Rules>][] = [
  [
    'forgets a call of which nothing is known',
    'I7',
    {
      settle: (attempt, report, now) =>
        report.outcome.kind === 'unknown' ? { kind: 'unchanged' } : realRules.settle(attempt, report, now),
    },
  ],
  [
    'believes a sender that has lost the attempt',
    'I7',
    {
      settle: (attempt, { outcome, fence }, now) => {
        const settlement = realRules.settle(attempt, { outcome }, now);
        return settlement.kind === 'settled' || fence === undefined
          ? settlement
          : { kind: 'settled', attempt, ask: false };
      },
    },
  ],
  [
    'calls on after the acknowledgment',
    'I9',
    {
      advance: (plan, state, facts, now) => {
        const next = realRules.advance(plan, state, facts, now);
        if (next.state.closed !== 'acknowledged') return next;
        return {
          ...realRules.advance(plan, state, { ...facts, alarm: { state: 3 } }, now),
          state: next.state,
        };
      },
    },
  ],
  [
    'takes delivered for acknowledged',
    'I5',
    {
      advance: (plan, state, facts, now) => {
        if (state.closed !== null || plan.until === 'reached' || !facts.attempts.some(hasArrived))
          return realRules.advance(plan, state, facts, now);
        return { state, attempts: [], hangUp: [], wakeAt: addSeconds(now, 3_600), notices: [] };
      },
    },
  ],
  [
    'goes to sleep after the first look',
    'I3',
    {
      advance: (plan, state, facts, now) => ({
        ...realRules.advance(plan, state, facts, now),
        wakeAt: undefined,
      }),
    },
  ],
  [
    'calls with one alarm of a flood and drops the others',
    'I4',
    {
      bundleUp: (waiting, recent) =>
        realRules
          .bundleUp(waiting, recent)
          .filter(({ attempts }) => attempts.every(({ duty }) => recent.size === 0 || duty.id === 1)),
    },
  ],
  [
    'never gets to the next person',
    'I5',
    {
      advance: (plan, state, facts, now) => {
        const next = realRules.advance(plan, state, facts, now);
        return { ...next, attempts: next.attempts.filter(({ step }) => step === 1) };
      },
    },
  ],
];

test.each(mutants)('a dispatcher that %s is found out', (_, invariant, mutant) => {
  const found: string[] = [];
  for (let seed = 1; seed <= 150 && !found.some((fault) => fault.startsWith(invariant)); seed++)
    found.push(...simulateNight(seed, { ...realRules, ...mutant }).violations);
  expect(found.filter((fault) => fault.startsWith(invariant))).not.toEqual([]);
});
