import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Attempt, cancel, type Outcome, retrySecondsAfter, settle } from './delivery.ts';
import { outcomes } from './testing/answers.ts';
import { sms, voice } from './testing/call-plans.ts';

const now = new Date('2026-04-29T20:00:10Z');
const later = new Date('2026-04-29T20:00:40Z');

const calling: Attempt = {
  id: 7,
  target: 0,
  step: 1,
  try: 1,
  userId: 1,
  medium: voice(1),
  channelId: 2,
  status: 'calling',
  permanent: false,
  reason: '',
  fence: 3,
  createdAt: new Date('2026-04-29T20:00:00Z'),
};

const after = (attempt: Attempt, ...reports: Outcome[]): Attempt =>
  reports.reduce((known, outcome) => {
    const settlement = settle(known, { outcome }, now);
    return settlement.kind === 'settled' ? settlement.attempt : known;
  }, attempt);

test('a phone that the provider rings goes on ringing; a text is out of our hands', () => {
  expect(after(calling, { kind: 'accepted' })).toEqual({ ...calling, status: 'accepted' });
  expect(after({ ...calling, medium: sms(1) }, { kind: 'accepted' }).endedAt).toEqual(now);
});

test('who has lost an attempt to another cannot settle it any more', () => {
  const busy: Outcome = { kind: 'busy' };
  expect(settle(calling, { outcome: busy, fence: 2 }, now)).toEqual({ kind: 'stale' });
  expect(settle(calling, { outcome: busy, fence: 3 }, now).kind).toBe('settled');
  expect(settle(calling, { outcome: busy }, now).kind).toBe('settled');
});

test('the provider is asked about what is unknown, once', () => {
  const unknown: Outcome = { kind: 'unknown', reason: 'timed out' };
  const first = settle(calling, { outcome: unknown }, now);
  expect(first).toEqual({
    kind: 'settled',
    ask: true,
    attempt: { ...calling, status: 'unknown', reason: 'timed out', endedAt: now },
  });
  expect(settle(after(calling, unknown), { outcome: unknown }, later)).toEqual({ kind: 'unchanged' });
});

test('what was unknown becomes what the provider then tells', () => {
  const unknown: Outcome = { kind: 'unknown', reason: 'timed out' };
  expect(after(calling, unknown, { kind: 'delivered' }).status).toBe('delivered');
  expect(after(calling, unknown, { kind: 'failed', permanent: false, reason: 'never seen' }).status).toBe(
    'failed',
  );
});

test('a call that rings while its sender dies is over, and asked about', () => {
  const ringing = after(calling, { kind: 'accepted' });
  const settlement = settle(
    ringing,
    { outcome: { kind: 'unknown', reason: 'sender gone' }, fence: 4 },
    later,
  );
  expect(settlement).toEqual({ kind: 'settled', ask: true, attempt: { ...ringing, endedAt: later } });
});

test('a receipt that comes late cannot undo what is known already', () => {
  const acknowledged = after(calling, { kind: 'acknowledged' });
  fc.assert(
    fc.property(outcomes, (outcome) => {
      expect(after(acknowledged, outcome)).toEqual(acknowledged);
    }),
  );
});

test('a call that was hung up stays so, unless the person had confirmed it', () => {
  const hungUp = cancel(calling, now);
  expect(hungUp).toEqual({ ...calling, status: 'cancelled', endedAt: now });
  fc.assert(
    fc.property(outcomes, (outcome) => {
      const { status } = after(hungUp, outcome);
      expect(status).toBe(outcome.kind === 'acknowledged' ? 'acknowledged' : 'cancelled');
    }),
  );
  expect(cancel(after(calling, { kind: 'busy' }), later).status).toBe('busy');
});

test('in whatever order reports come, and how often, the attempt ends up knowing the same', () => {
  fc.assert(
    fc.property(fc.array(outcomes, { maxLength: 6 }), (reports) => {
      const once = after(calling, ...reports);
      expect(after(once, ...reports).status).toBe(once.status);
      if (reports.some(({ kind }) => kind === 'acknowledged')) expect(once.status).toBe('acknowledged');
      expect(once.endedAt === undefined).toBe(reports.every(({ kind }) => kind === 'accepted'));
    }),
  );
});

test('what fails is tried again after 15 seconds, and then every 30', () => {
  expect([1, 2, 3, 9].map(retrySecondsAfter)).toEqual([15, 30, 30, 30]);
});
