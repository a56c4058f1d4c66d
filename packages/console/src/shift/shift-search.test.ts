import { expect, test } from 'vitest';
import { longestMs, periodOf, readShiftSearch } from './shift-search.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-15T05:52:11Z');
const minute = Date.parse('2026-11-15T05:52:00Z');
const never = { signed: undefined, leftAt: undefined };

test('somebody who was never here sees the last eight hours', () => {
  expect(periodOf({}, never, now)).toEqual({ from: minute - 8 * hour, to: undefined, since: 'hours' });
});

test('somebody who has signed out at this desk sees what came after', () => {
  const leftAt = now - 15 * hour;
  expect(periodOf({}, { ...never, leftAt }, now)).toMatchObject({ from: leftAt, since: 'left' });
});

test('the signature under a hand-over counts more than the sign-out', () => {
  const signed = { side: 'tookOver', at: now - 7 * hour } as const;
  const seen = { signed, leftAt: now - hour };
  expect(periodOf({}, seen, now)).toMatchObject({ from: signed.at, since: 'tookOver' });
});

test('the address counts more than both', () => {
  const seen = { signed: { side: 'handedOver', at: now - hour } as const, leftAt: now - hour };
  expect(periodOf({ hours: 24 }, seen, now).from).toBe(minute - 24 * hour);
  const chosen = { from: '2026-11-14T21:04:00Z', to: '2026-11-15T05:00:00Z' };
  expect(periodOf(chosen, seen, now)).toEqual({
    from: Date.parse(chosen.from),
    to: Date.parse(chosen.to),
    since: 'chosen',
  });
});

test('a period that the server would refuse becomes one that it answers', () => {
  const from = (text: string) => periodOf({ from: text }, never, now).from;
  expect(from('2020-01-01T00:00:00Z')).toBe(minute - longestMs);
  expect(from('2027-01-01T00:00:00Z')).toBe(minute - 60_000);
  expect(periodOf({ to: '2027-01-01T00:00:00Z' }, never, now).to).toBeUndefined();
});

test('what an address says that is not understood chooses nothing', () => {
  expect(readShiftSearch({ from: 'yesterday', hours: 7, stationId: 'x' })).toEqual({});
  expect(readShiftSearch({ hours: '12', stationId: '3' })).toEqual({ hours: 12, stationId: 3 });
});
