import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bundleUp, type WaitingAttempt } from './bundle.ts';
import { sms, voice } from './testing/call-plans.ts';

const at = (second: number) => new Date(Date.UTC(2026, 3, 29, 20, 0, second));

function waiting(id: number, overrides: Partial<WaitingAttempt> = {}): WaitingAttempt {
  const duty = { id, priority: 2, firstOfPlant: false, dueAt: at(id) };
  return {
    id,
    userId: 1,
    medium: voice(1),
    duty,
    since: at(id),
    waitingSince: at(id),
    bundles: true,
    ...overrides,
  };
}

const flood = new Map([[1, 11]]);
const ids = (sendings: ReturnType<typeof bundleUp>) =>
  sendings.map(({ attempts }) => attempts.map(({ id }) => id));

test('ten alarms in ten minutes are ten calls', () => {
  const sendings = bundleUp([waiting(1), waiting(2)], new Map([[1, 10]]));
  expect(sendings.map(({ bundle }) => bundle)).toEqual([undefined, undefined]);
});

test('in a flood one call says how many alarms there are and which came first', () => {
  const early = waiting(9, { since: at(0) });
  const [call, ...others] = bundleUp([waiting(3), early, waiting(4)], flood);
  expect(others).toEqual([]);
  expect(call?.bundle).toEqual({ count: 3, firstAttemptId: 9, mostUrgentAttemptId: 3 });
});

test('an alarm that joins a call does not make the others in it wait again', () => {
  const [call] = bundleUp([waiting(3), waiting(9, { waitingSince: at(1) }), waiting(20)], flood);
  expect(call?.waitingSince).toEqual(at(1));
});

test('the most urgent alarms of a flood are told before the rest, and apart from it', () => {
  const urgent = [5, 6].map((id) =>
    waiting(id, { duty: { id, priority: 1, firstOfPlant: false, dueAt: at(50 + id) } }),
  );
  expect(ids(bundleUp([waiting(1), waiting(2), ...urgent], flood))).toEqual([
    [5, 6],
    [1, 2],
  ]);
});

test('the first alarm of a plant takes the others of a flood along, and is not called more urgent than it is', () => {
  const first = waiting(7, { duty: { id: 7, priority: 3, firstOfPlant: true, dueAt: at(7) } });
  const [call, ...others] = bundleUp([waiting(1), waiting(2), first], flood);
  expect(others).toEqual([]);
  expect(call).toMatchObject({ urgent: true, bundle: { count: 3, mostUrgentAttemptId: 1 } });
});

test('a call that somebody asked for is never one of many', () => {
  const requests = [1, 2].map((id) => waiting(id, { bundles: false }));
  expect(ids(bundleUp(requests, flood))).toEqual([[1], [2]]);
});

test('each phone gets its own call', () => {
  const texts = [3, 4].map((id) => waiting(id, { medium: sms(1) }));
  const others = [5, 6].map((id) => waiting(id, { userId: 2 }));
  expect(ids(bundleUp([waiting(1), waiting(2), ...texts, ...others], flood))).toEqual([
    [1, 2],
    [3, 4],
    [5],
    [6],
  ]);
});

test('whatever waits is in exactly one call', () => {
  const attempts = fc
    .array(
      fc.record({
        userId: fc.integer({ min: 1, max: 3 }),
        medium: fc.constantFrom(voice(1), sms(1)),
        priority: fc.integer({ min: 1, max: 3 }),
        dutyId: fc.integer({ min: 1, max: 5 }),
        bundles: fc.boolean(),
      }),
      { maxLength: 30 },
    )
    .map((list) =>
      list.map(({ priority, dutyId, ...rest }, index) =>
        waiting(index + 1, {
          ...rest,
          duty: { id: dutyId, priority, firstOfPlant: false, dueAt: at(dutyId) },
        }),
      ),
    );
  fc.assert(
    fc.property(attempts, fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(20))), (list, recent) => {
      const sent = ids(bundleUp(list, new Map(recent))).flat();
      expect(sent.toSorted((one, other) => one - other)).toEqual(list.map(({ id }) => id));
    }),
  );
});
