import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChannelFailure,
  type ChannelObservation,
  judgeChannel,
  probeSeconds,
} from './channel-failure.ts';

const at = (second: number) => new Date(Date.UTC(2026, 3, 29, 20) + second * 1000);
const works = (from: 'send' | 'probe') => ({ from, works: true }) as const;
const fails = (from: 'send' | 'probe', failures = 1, reason = 'HTTP 500') =>
  ({ from, works: false, failures, reason }) as const;

/** The failures of a channel after observations, each with its second. */
function after(...observations: readonly [number, ChannelObservation][]): ChannelFailure | undefined {
  return observations.reduce<ChannelFailure | undefined>(
    (failure, [second, observation]) => judgeChannel(failure, observation, at(second)),
    undefined,
  );
}

test('a channel is down after three failed probes in a row, and not before', () => {
  expect(after([0, fails('probe')], [10, fails('probe')])?.down).toBe(false);
  expect(after([0, fails('probe')], [10, fails('probe')], [20, fails('probe')])?.down).toBe(true);
});

test('a flood that fails at once does not make a channel down', () => {
  expect(after([0, fails('send', 500)], [2, fails('send', 500)])?.down).toBe(false);
});

test('a channel is down if all messages fail, even if its probes succeed', () => {
  const failure = after([0, fails('send')], [10, works('probe')], [15, fails('send')], [30, fails('send')]);
  expect(failure).toMatchObject({ down: true, failures: 3, reason: 'HTTP 500' });
});

test('one message that gets through makes a channel healthy', () => {
  const down: [number, ChannelObservation][] = [
    [0, fails('probe')],
    [30, fails('send', 5)],
  ];
  expect(after(...down)?.down).toBe(true);
  expect(after(...down, [31, works('send')])).toBeUndefined();
});

test('a probe makes a channel healthy once no message has failed for 40 seconds', () => {
  const failing: [number, ChannelObservation][] = [
    [0, fails('send')],
    [30, fails('send', 3)],
  ];
  expect(after(...failing, [69, works('probe')])?.down).toBe(true);
  expect(after(...failing, [70, works('probe')])).toBeUndefined();
  expect(after([0, fails('probe')], [30, fails('probe', 2)], [40, works('probe')])).toBeUndefined();
});

test('the reason of a channel that is down is the one at which it went down', () => {
  const failure = after(
    [0, fails('probe', 2, 'HTTP 500')],
    [20, fails('probe', 1, 'HTTP 503')],
    [30, fails('probe', 1, 'no answer in time')],
  );
  expect(failure).toMatchObject({ down: true, reason: 'HTTP 503', failures: 4 });
});

test('a failing channel is probed more often', () => {
  expect(probeSeconds(undefined)).toBe(30);
  expect(probeSeconds(after([0, fails('send')]))).toBe(10);
});

test('a channel is only down if nothing has worked for 20 seconds and three tries', () => {
  const from = fc.constantFrom('send' as const, 'probe' as const);
  const observation = fc.oneof(
    from.map(works),
    from.map((one) => fails(one)),
  );
  const observations = fc.array(fc.tuple(fc.integer({ min: 0, max: 15 }), observation), { maxLength: 40 });
  fc.assert(
    fc.property(observations, (list) => {
      let second = 0;
      let failure: ChannelFailure | undefined;
      let failing: number[] = [];
      for (const [pause, one] of list) {
        second += pause;
        failure = judgeChannel(failure, one, at(second));
        if (!one.works) failing.push(second);
        else if (failure === undefined) failing = [];
        if (!failure?.down) continue;
        expect(failing.length).toBeGreaterThanOrEqual(3);
        expect((failing.at(-1) ?? 0) - (failing[0] ?? 0)).toBeGreaterThanOrEqual(20);
      }
    }),
  );
});
