import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outcomes } from '../testing/answers.ts';
import { sms, voice } from '../testing/call-plans.ts';
import { type Attempt, type AttemptOutcome, cancel, retrySecondsAfter, settle } from './delivery.ts';

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
  fencingToken: 3,
  createdAt: new Date('2026-04-29T20:00:00Z'),
};

const liveKinds = ['accepted', 'ringing', 'answered', 'acknowledged', 'declined'];

const after = (attempt: Attempt, ...reports: AttemptOutcome[]): Attempt =>
  reports.reduce((known, outcome) => {
    const settlement = settle(known, { outcome }, now);
    return settlement.kind === 'settled' ? settlement.attempt : known;
  }, attempt);

test('an accepted phone call goes on ringing, an accepted text is done', () => {
  expect(after(calling, { kind: 'accepted' })).toEqual({ ...calling, status: 'accepted' });
  expect(after({ ...calling, medium: sms(1) }, { kind: 'accepted' }).endedAt).toEqual(now);
});

test('a dispatcher that lost an attempt to another cannot settle it any more', () => {
  const busy: AttemptOutcome = { kind: 'busy' };
  expect(settle(calling, { outcome: busy, fencingToken: 2 }, now)).toEqual({ kind: 'stale' });
  expect(settle(calling, { outcome: busy, fencingToken: 3 }, now).kind).toBe('settled');
  expect(settle(calling, { outcome: busy }, now).kind).toBe('settled');
});

test('the provider is asked once about an unknown outcome', () => {
  const unknown: AttemptOutcome = { kind: 'unknown', reason: 'timed out' };
  const first = settle(calling, { outcome: unknown }, now);
  expect(first).toEqual({
    kind: 'settled',
    shouldQuery: true,
    attempt: { ...calling, status: 'unknown', reason: 'timed out', endedAt: now },
  });
  expect(settle(after(calling, unknown), { outcome: unknown }, later)).toEqual({ kind: 'unchanged' });
});

test('an unknown outcome is replaced by a later report of the provider', () => {
  const unknown: AttemptOutcome = { kind: 'unknown', reason: 'timed out' };
  expect(after(calling, unknown, { kind: 'delivered' }).status).toBe('delivered');
  expect(after(calling, unknown, { kind: 'failed', permanent: false, reason: 'never seen' }).status).toBe(
    'failed',
  );
});

test('a ringing call whose dispatcher died is lost, and the provider is asked for the outcome', () => {
  const ringing = after(calling, { kind: 'accepted' });
  const settlement = settle(
    ringing,
    { outcome: { kind: 'unknown', reason: 'sender gone' }, fencingToken: 4 },
    later,
  );
  const lost = { ...ringing, status: 'unknown', reason: 'sender gone', endedAt: later };
  expect(settlement).toEqual({ kind: 'settled', shouldQuery: true, attempt: lost });
});

test('a late receipt does not change an acknowledged attempt', () => {
  const acknowledged = after(calling, { kind: 'acknowledged' }, { kind: 'ended', reason: '' });
  fc.assert(
    fc.property(outcomes, (outcome) => {
      expect(after(acknowledged, outcome)).toEqual(acknowledged);
    }),
  );
});

test('a call that was hung up stays cancelled, unless the person had confirmed it', () => {
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

test('repeated reports do not change the status, and an acknowledgment always wins', () => {
  fc.assert(
    fc.property(fc.array(outcomes, { maxLength: 6 }), (reports) => {
      const once = after(calling, ...reports);
      expect(after(once, ...reports).status).toBe(once.status);
      if (reports.some(({ kind }) => kind === 'acknowledged')) expect(once.status).toBe('acknowledged');
      expect(once.endedAt === undefined).toBe(reports.every(({ kind }) => liveKinds.includes(kind)));
    }),
  );
});

test('failed tries are repeated after 15 seconds, and then every 30', () => {
  expect([1, 2, 3, 9].map(retrySecondsAfter)).toEqual([15, 30, 30, 30]);
});

test('a call goes on while the person listens, and ends when it is hung up', () => {
  const listening = after(calling, { kind: 'ringing' }, { kind: 'answered' });
  expect(listening).toMatchObject({ status: 'answered', answeredAt: now });
  expect(listening.endedAt).toBeUndefined();
  const taken = after(listening, { kind: 'acknowledged' });
  expect(taken.endedAt).toBeUndefined();
  expect(after(taken, { kind: 'ended', reason: '' })).toMatchObject({ status: 'acknowledged', endedAt: now });
});

test('a call that is hung up before anybody picks up was not answered', () => {
  expect(after(calling, { kind: 'ringing' }, { kind: 'ended', reason: 'gone' })).toMatchObject({
    status: 'noAnswer',
    reason: 'gone',
    endedAt: now,
  });
});

test('a call that rings when its alarm is taken by somebody else is cancelled, not unanswered', () => {
  const ringing = { ...after(calling, { kind: 'ringing' }), isWithdrawn: true };
  expect(after(ringing, { kind: 'ended', reason: 'withdrawn' })).toEqual({
    ...ringing,
    status: 'cancelled',
    reason: '',
    endedAt: now,
  });
  const listening = { ...after(calling, { kind: 'answered' }), isWithdrawn: true };
  expect(after(listening, { kind: 'ended', reason: '' })).toMatchObject({ status: 'answered' });
  expect(after(ringing, { kind: 'ended', reason: '', wasAnswered: true })).toMatchObject({
    status: 'answered',
  });
});

test('an attempt without a free line goes back to the queue as if nothing had been tried', () => {
  const sent = { ...calling, sentAt: now };
  expect(after(sent, { kind: 'notNow', reason: 'all lines are busy' })).toEqual({
    ...calling,
    status: 'queued',
    channelId: 0,
  });
});

test('what a person has taken or refused does not go back to the queue', () => {
  for (const kind of ['acknowledged', 'declined'] as const) {
    const decided = after(calling, { kind });
    expect(after(decided, { kind: 'notNow', reason: '' })).toEqual(decided);
  }
});

test('hanging up a call that was taken leaves it taken', () => {
  expect(cancel(after(calling, { kind: 'acknowledged' }), later)).toMatchObject({
    status: 'acknowledged',
    endedAt: later,
  });
});
