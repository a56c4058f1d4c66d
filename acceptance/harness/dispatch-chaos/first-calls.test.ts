import { expect, test } from 'vitest';
import { storiesOf } from './check-calls.ts';
import { raised, soundDuty, soundLine, soundRun } from './evidence.fixture.ts';
import type { Evidence } from './evidence.ts';
import { firstCallsOf, judgedMs } from './first-calls.ts';
import type { Window } from './nemesis.ts';

const at = (seconds: number) => new Date(raised + seconds * 1_000).toISOString();
const measure = (changes: Partial<Evidence>) => {
  const evidence = { ...soundRun, windows: [], ...changes };
  return firstCallsOf(evidence, storiesOf(evidence));
};
const wrong = (kind: Window['kind'], from: number, to: number): Window => ({
  kind,
  what: kind,
  from: raised + from * 1_000,
  to: raised + to * 1_000,
  total: false,
});

test('a call counts from the moment the alarm fell due until the company took it', () => {
  const { healthy } = measure({ company: [{ ...soundLine, at: at(0.7) }] });
  expect(healthy).toMatchObject([{ askedMs: 700, handedMs: 700, isTurnedDown: false }]);
});

test('where the company turned the first call down, both are told: when it was asked and when it took one', () => {
  const company = [
    { ...soundLine, event: 'declined' as const, at: at(0.7) },
    { ...soundLine, at: at(3) },
  ];
  const { healthy } = measure({ company });
  expect(healthy).toMatchObject([{ askedMs: 700, handedMs: 3_000, isTurnedDown: true }]);
  expect(judgedMs(healthy)).toBe(700);
});

test('an alarm for which nobody was called in time counts as late although somebody saw it by himself', () => {
  expect(measure({ company: [] }).healthy).toMatchObject([{ handedMs: 5_000, isTurnedDown: false }]);
});

test('an alarm that somebody took before it had to be called for says nothing', () => {
  const duties = [{ ...soundDuty, closed: raised + 1_500 }];
  expect(measure({ company: [], duties }).healthy).toEqual([]);
});

test('health ends when something goes wrong before the call must have been made', () => {
  expect(measure({ windows: [wrong('kill-api', 1.5, 3)] }).healthy).toEqual([]);
  expect(measure({ windows: [wrong('kill-api', 2.5, 3)] }).healthy).toHaveLength(1);
  expect(measure({ windows: [wrong('kill-api', -3, -0.5)] }).healthy).toEqual([]);
});

test('an alarm that fell due while a dispatcher was gone counts without the time in which nobody could be called', () => {
  const gone = wrong('kill-dispatcher', -2, 1);
  const company = [{ ...soundLine, at: at(4) }];
  expect(measure({ windows: [gone], company })).toMatchObject({
    healthy: [],
    dispatcherLost: [{ handedMs: 4_000 }],
  });
  const away = { ...wrong('lose-database', 1, 3), total: true };
  expect(measure({ windows: [gone, away], company }).dispatcherLost).toMatchObject([{ handedMs: 2_000 }]);
  const early = { ...wrong('lose-database', -1, 3), total: true };
  expect(measure({ windows: [gone, early], company }).dispatcherLost).toEqual([]);
});
