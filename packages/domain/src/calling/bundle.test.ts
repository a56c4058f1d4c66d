import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sms, voice } from '../testing/call-plans.ts';
import { bundleAttempts, type WaitingAttempt } from './bundle.ts';

const at = (second: number) => new Date(Date.UTC(2026, 3, 29, 20, 0, second));

function waiting(id: number, overrides: Partial<WaitingAttempt> = {}): WaitingAttempt {
  const escalation = { id, priority: 2, isFirstOfStation: false, dueAt: at(id) };
  return {
    id,
    userId: 1,
    medium: voice(1),
    escalation,
    since: at(id),
    waitingSince: at(id),
    canBundle: true,
    ...overrides,
  };
}

const flood = new Map([[1, 11]]);
const ids = (sendings: ReturnType<typeof bundleAttempts>) =>
  sendings.map(({ attempts }) => attempts.map(({ id }) => id));

test('ten alarms in ten minutes are ten texts', () => {
  const texts = [1, 2].map((id) => waiting(id, { medium: sms(1) }));
  const sendings = bundleAttempts(texts, new Map([[1, 10]]));
  expect(sendings.map(({ bundle }) => bundle)).toEqual([undefined, undefined]);
});

test('two alarms that wait for one phone are one call, the most urgent first', () => {
  const urgent = waiting(2, { escalation: { id: 2, priority: 1, isFirstOfStation: false, dueAt: at(2) } });
  const [call, ...others] = bundleAttempts([waiting(1), urgent], new Map());
  expect(others).toEqual([]);
  expect(call?.attempts.map(({ id }) => id)).toEqual([2, 1]);
  expect(call).toMatchObject({
    urgent: true,
    bundle: { count: 2, firstAttemptId: 1, mostUrgentAttemptId: 2 },
  });
});

test('in a flood one call says how many alarms there are and which came first', () => {
  const early = waiting(9, { since: at(0) });
  const [call, ...others] = bundleAttempts([waiting(3), early, waiting(4)], flood);
  expect(others).toEqual([]);
  expect(call?.bundle).toEqual({ count: 3, firstAttemptId: 9, mostUrgentAttemptId: 3 });
});

test('an alarm that joins a call does not delay the others in it', () => {
  const [call] = bundleAttempts([waiting(3), waiting(9, { waitingSince: at(1) }), waiting(20)], flood);
  expect(call?.waitingSince).toEqual(at(1));
});

test('the most urgent alarms of a flood get a text of their own, before the rest', () => {
  const medium = sms(1);
  const urgent = [5, 6].map((id) =>
    waiting(id, { medium, escalation: { id, priority: 1, isFirstOfStation: false, dueAt: at(50 + id) } }),
  );
  const rest = [1, 2].map((id) => waiting(id, { medium }));
  expect(ids(bundleAttempts([...rest, ...urgent], flood))).toEqual([
    [5, 6],
    [1, 2],
  ]);
});

test('the first alarm of a station makes the call of a flood urgent, but is not announced as the most urgent', () => {
  const first = waiting(7, { escalation: { id: 7, priority: 3, isFirstOfStation: true, dueAt: at(7) } });
  const [call, ...others] = bundleAttempts([waiting(1), waiting(2), first], flood);
  expect(others).toEqual([]);
  expect(call).toMatchObject({ urgent: true, bundle: { count: 3, mostUrgentAttemptId: 1 } });
});

test('requested calls are never bundled', () => {
  const requests = [1, 2].map((id) => waiting(id, { canBundle: false }));
  expect(ids(bundleAttempts(requests, flood))).toEqual([[1], [2]]);
});

test('each phone gets its own call', () => {
  const texts = [3, 4].map((id) => waiting(id, { medium: sms(1) }));
  const others = [5, 6].map((id) => waiting(id, { userId: 2 }));
  expect(ids(bundleAttempts([waiting(1), waiting(2), ...texts, ...others], flood))).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test('each queued attempt is in exactly one call', () => {
  const attempts = fc
    .array(
      fc.record({
        userId: fc.integer({ min: 1, max: 3 }),
        medium: fc.constantFrom(voice(1), sms(1)),
        priority: fc.integer({ min: 1, max: 3 }),
        escalationId: fc.integer({ min: 1, max: 5 }),
        canBundle: fc.boolean(),
      }),
      { maxLength: 30 },
    )
    .map((list) =>
      list.map(({ priority, escalationId, ...rest }, index) =>
        waiting(index + 1, {
          ...rest,
          escalation: { id: escalationId, priority, isFirstOfStation: false, dueAt: at(escalationId) },
        }),
      ),
    );
  fc.assert(
    fc.property(attempts, fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(20))), (list, recent) => {
      const sent = ids(bundleAttempts(list, new Map(recent))).flat();
      expect(sent.toSorted((one, other) => one - other)).toEqual(list.map(({ id }) => id));
    }),
  );
});
