import { expect, test } from 'vitest';
import type { Medium, NoticeKind, Person } from '../calling/call-plan.ts';
import { type Attempt, type AttemptOutcome, queueAttempt, settle } from '../calling/delivery.ts';
import { openEscalation } from '../calling/escalation.ts';
import type { EscalationState, Facts } from '../calling/escalation-state.ts';
import { advanceNotice } from './advance-notice.ts';
import { createNoticePlan, noticeDelays } from './notice-plan.ts';

const phone: Medium = { kind: 'Voice', address: '+331' };
const text: Medium = { kind: 'Sms', address: '+336' };
const ann: Person = { userId: 1, name: 'Ann', language: '', media: [phone, text] };
const start = new Date('2026-03-01T10:00:00Z');
const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000);

type Settings = { medium?: Medium; kind?: NoticeKind; facts?: Partial<Facts>; delaySeconds?: number };

/** A notice whose tries all have the given outcomes, one after the other. Returns the tries and how it ended. */
function play(
  outcomes: readonly AttemptOutcome[],
  { medium = phone, kind = 'test', facts = {}, delaySeconds = 0 }: Settings = {},
) {
  const person = { userId: 1, name: 'Ann', language: '' };
  const plan = createNoticePlan({ kind, person, medium, text: '', delaySeconds, endsAfterSeconds: 600 });
  let state: EscalationState = openEscalation(plan, start);
  const attempts: Attempt[] = [];
  const times: number[] = [];
  for (let second = 0; second < 2_000; second += 1) {
    const now = at(second);
    const known = {
      alarm: undefined,
      onDuty: new Map(),
      rotation: new Map(),
      people: new Map([[1, ann]]),
      ...facts,
    };
    const made = advanceNotice(plan, state, { ...known, attempts }, now);
    state = made.state;
    if (state.closed !== null) return { closed: state.closed, times, hangUp: made.hangUp, attempts };
    for (const draft of made.attempts) {
      times.push(second);
      const queued = queueAttempt(draft, attempts.length + 1, now);
      const outcome = outcomes[attempts.length];
      const settled = outcome && settle({ ...queued, sentAt: now, status: 'calling' }, { outcome }, now);
      attempts.push(settled?.kind === 'settled' ? settled.attempt : queued);
    }
  }
  return { closed: state.closed, times, hangUp: [], attempts };
}

test('a text that the provider has accepted is not sent again', () => {
  expect(play([{ kind: 'accepted' }], { medium: text })).toMatchObject({ closed: 'reached', times: [0] });
});

test('a telephone that nobody answers rings twice, and then the notice ends', () => {
  const { closed, times } = play([{ kind: 'noAnswer' }, { kind: 'busy' }, { kind: 'busy' }]);
  expect({ closed, times }).toEqual({ closed: 'missed', times: [0, 15] });
});

test('a wrong number is called once', () => {
  expect(play([{ kind: 'failed', permanent: true, reason: 'no such number' }])).toMatchObject({
    closed: 'missed',
    times: [0],
  });
});

test('a person who listens is not hung up on', () => {
  const { closed, times, hangUp } = play([{ kind: 'answered' }]);
  expect({ closed, times, hangUp }, 'only after the longest talk').toEqual({
    closed: 'reached',
    times: [0],
    hangUp: [1],
  });
});

test('a channel that fails is passed over at once, and does not count while another one is left', () => {
  const fault: AttemptOutcome = { kind: 'failed', permanent: false, channelFault: true, reason: 'HTTP 500' };
  const routes = new Map([['Voice' as const, [1, 2]]]);
  const { closed, times } = play([fault, { kind: 'answered' }], { facts: { routes } });
  expect(times, 'a second is a step of this test').toEqual([0, 1]);
  expect(closed).toBe('reached');
  expect(play(Array.from({ length: 20 }, () => fault)).times.length).toBeLessThanOrEqual(10);
});

test('a notice that waits in the queue is withdrawn at its end', () => {
  expect(play([])).toMatchObject({ closed: 'missed', times: [0], hangUp: [1] });
});

test('a test goes only to an address that the person still has, a code also to a new one', () => {
  const other: Medium = { kind: 'Sms', address: '+337' };
  expect(play([{ kind: 'accepted' }], { medium: other }).times).toEqual([]);
  expect(play([{ kind: 'accepted' }], { medium: other, kind: 'code' })).toMatchObject({
    closed: 'reached',
    attempts: [{ medium: other }],
  });
});

test('nothing is sent to a person who is disabled', () => {
  const facts = { people: new Map() };
  expect(play([{ kind: 'accepted' }], { medium: text, kind: 'code', facts }).times).toEqual([]);
});

test('two telephones of a person do not ring at the same time', () => {
  expect(noticeDelays([phone, text, { kind: 'Voice', address: '+332' }])).toEqual([0, 0, 90]);
  expect(play([{ kind: 'noAnswer' }], { delaySeconds: 90 }).times[0]).toBe(90);
});
