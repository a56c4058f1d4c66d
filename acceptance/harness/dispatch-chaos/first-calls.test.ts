import { expect, test } from 'vitest';
import { storiesOf } from './escalation-stories.ts';
import { raised, soundEscalation, soundLine, soundRun } from './evidence.fixture.ts';
import type { Evidence } from './evidence.ts';
import { describeFirstCalls, firstCallsOf, p99Of } from './first-calls.ts';
import type { FaultWindow } from './inject-faults.ts';

const at = (seconds: number) => new Date(raised + seconds * 1_000).toISOString();
const measure = (changes: Partial<Evidence>) => {
  const evidence = { ...soundRun, windows: [], ...changes };
  return firstCallsOf(evidence, storiesOf(evidence));
};
const wrong = (kind: FaultWindow['kind'], from: number, to: number): FaultWindow => ({
  kind,
  what: kind,
  from: raised + from * 1_000,
  to: raised + to * 1_000,
  total: false,
});

test('the first call is measured from the due time until the order was accepted', () => {
  const { healthy } = measure({ company: [{ ...soundLine, at: at(0.7) }] });
  expect(healthy).toMatchObject([{ askedMs: 700, acceptedMs: 700 }]);
});

test('if the first order is refused, the times of the first and of the first accepted order are measured', () => {
  const company = [
    { ...soundLine, event: 'declined' as const, at: at(0.7) },
    { ...soundLine, at: at(3) },
  ];
  const { healthy } = measure({ company });
  expect(healthy).toMatchObject([{ askedMs: 700, acceptedMs: 3_000 }]);
  expect(p99Of(healthy)).toEqual({ asked: 700, accepted: 3_000, alarms: 1 });
});

test('an alarm for which nobody was called in time counts as late although somebody saw it without a call', () => {
  expect(measure({ company: [] }).healthy).toMatchObject([{ askedMs: 5_000 }]);
});

test('an alarm that somebody took before it had to be called for says nothing', () => {
  const escalations = [{ ...soundEscalation, closed: raised + 1_500 }];
  expect(measure({ company: [], escalations }).healthy).toEqual([]);
});

test('health ends when something goes wrong before the call must have been made', () => {
  const company = [{ ...soundLine, at: at(3) }];
  expect(measure({ windows: [wrong('kill-api', 1.5, 3)], company }).healthy).toEqual([]);
  expect(measure({ windows: [wrong('kill-api', 2.5, 3)], company }).healthy).toMatchObject([
    { askedMs: 3_000, acceptedMs: undefined },
  ]);
  expect(measure({ windows: [wrong('kill-api', 3.5, 4)], company }).healthy).toMatchObject([
    { askedMs: 3_000, acceptedMs: 3_000 },
  ]);
  expect(measure({ windows: [wrong('kill-api', -3, -0.5)] }).healthy).toEqual([]);
});

test('an alarm that fell due while a dispatcher was gone counts without the time in which nobody could be called', () => {
  const gone = wrong('kill-dispatcher', -2, 1);
  const company = [{ ...soundLine, at: at(4) }];
  expect(measure({ windows: [gone], company })).toMatchObject({
    healthy: [],
    dispatcherLost: [{ acceptedMs: 4_000 }],
  });
  const away = { ...wrong('lose-database', 1, 3), total: true };
  expect(measure({ windows: [gone, away], company }).dispatcherLost).toMatchObject([{ acceptedMs: 2_000 }]);
  const early = { ...wrong('lose-database', -1, 3), total: true };
  expect(measure({ windows: [gone, early], company }).dispatcherLost).toEqual([]);
});

test('an alarm that was masked later counts like any other, and one that was masked before it was called for does not', () => {
  const [sent] = soundRun.clients as [Evidence['clients'][number]];
  const mask = (seconds: number) => ({
    ...sent,
    op: 'mask' as const,
    invoked: raised + seconds * 1_000,
    ended: raised + seconds * 1_000 + 50,
    seconds: 60,
  });
  expect(measure({ clients: [sent, mask(4)] }).healthy).toMatchObject([{ askedMs: 300, acceptedMs: 300 }]);
  expect(measure({ clients: [sent, mask(1)], company: [] }).healthy).toEqual([]);
});

test('one line has all figures that have a limit', () => {
  const company = [{ ...soundLine, at: at(0.7) }];
  const windows = [wrong('stop-dispatcher', -2, 1)];
  const { healthy } = measure({ company });
  const { dispatcherLost } = measure({ company, windows });
  expect(describeFirstCalls({ healthy, dispatcherLost })).toBe(
    'first calls, p99: in health asked 0.70 s (≤ 2 s), accepted 0.70 s (≤ 20 s), 1 alarms; ' +
      'with a dispatcher gone asked 0.70 s (≤ 20 s), accepted 0.70 s (≤ 60 s), 1 alarms',
  );
});
