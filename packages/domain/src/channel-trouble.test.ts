import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChannelSign, type ChannelTrouble, judgeChannel, probeSeconds } from './channel-trouble.ts';

const at = (second: number) => new Date(Date.UTC(2026, 3, 29, 20) + second * 1000);
const works = (from: 'send' | 'probe') => ({ from, works: true }) as const;
const fails = (from: 'send' | 'probe', failures = 1, reason = 'HTTP 500') =>
  ({ from, works: false, failures, reason }) as const;

/** How a channel stands after signs, each with its second. */
function after(...signs: readonly [number, ChannelSign][]): ChannelTrouble | undefined {
  return signs.reduce<ChannelTrouble | undefined>(
    (trouble, [second, sign]) => judgeChannel(trouble, sign, at(second)),
    undefined,
  );
}

test('a channel is ill when three probes in a row found nobody there, and not before', () => {
  expect(after([0, fails('probe')], [10, fails('probe')])?.ill).toBe(false);
  expect(after([0, fails('probe')], [10, fails('probe')], [20, fails('probe')])?.ill).toBe(true);
});

test('a flood that fails in one moment makes no channel ill', () => {
  expect(after([0, fails('send', 500)], [2, fails('send', 500)])?.ill).toBe(false);
});

test('a channel by which everything fails is ill, although its provider says that it is there', () => {
  const trouble = after([0, fails('send')], [10, works('probe')], [15, fails('send')], [30, fails('send')]);
  expect(trouble).toMatchObject({ ill: true, failures: 3, reason: 'HTTP 500' });
});

test('one message that gets through proves a channel well', () => {
  const ill: [number, ChannelSign][] = [
    [0, fails('probe')],
    [30, fails('send', 5)],
  ];
  expect(after(...ill)?.ill).toBe(true);
  expect(after(...ill, [31, works('send')])).toBeUndefined();
});

test('a probe proves a channel well once no message has failed for 40 seconds', () => {
  const signs: [number, ChannelSign][] = [
    [0, fails('send')],
    [30, fails('send', 3)],
  ];
  expect(after(...signs, [69, works('probe')])?.ill).toBe(true);
  expect(after(...signs, [70, works('probe')])).toBeUndefined();
  expect(after([0, fails('probe')], [30, fails('probe', 2)], [40, works('probe')])).toBeUndefined();
});

test('why a channel is ill is told as it was when it became so', () => {
  const trouble = after(
    [0, fails('probe', 2, 'HTTP 500')],
    [20, fails('probe', 1, 'HTTP 503')],
    [30, fails('probe', 1, 'no answer in time')],
  );
  expect(trouble).toMatchObject({ ill: true, reason: 'HTTP 503', failures: 4 });
});

test('a channel in trouble is probed more often', () => {
  expect(probeSeconds(undefined)).toBe(30);
  expect(probeSeconds(after([0, fails('send')]))).toBe(10);
});

test('whatever happens, a channel is ill only if nothing has worked for 20 seconds and three tries', () => {
  const from = fc.constantFrom('send' as const, 'probe' as const);
  const sign = fc.oneof(
    from.map(works),
    from.map((one) => fails(one)),
  );
  const signs = fc.array(fc.tuple(fc.integer({ min: 0, max: 15 }), sign), { maxLength: 40 });
  fc.assert(
    fc.property(signs, (list) => {
      let second = 0;
      let trouble: ChannelTrouble | undefined;
      let failing: number[] = [];
      for (const [pause, one] of list) {
        second += pause;
        trouble = judgeChannel(trouble, one, at(second));
        if (!one.works) failing.push(second);
        else if (trouble === undefined) failing = [];
        if (!trouble?.ill) continue;
        expect(failing.length).toBeGreaterThanOrEqual(3);
        expect((failing.at(-1) ?? 0) - (failing[0] ?? 0)).toBeGreaterThanOrEqual(20);
      }
    }),
  );
});
