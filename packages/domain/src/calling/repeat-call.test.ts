import { expect, test } from 'vitest';
import { person, sms, stage, voice } from '../testing/call-plans.ts';
import type { Medium } from './call-plan.ts';
import { type Attempt, queueAttempt } from './delivery.ts';
import { nextAction } from './escalation-person.ts';
import { applyMediaRules } from './media-rules.ts';
import { describeQuietTime, type EarlierCall, quietTimeOf, type RepeatCandidate } from './repeat-call.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 2, 7, seconds));
const call: RepeatCandidate = {
  tagId: 7,
  occurrenceId: 2,
  userId: 1,
  priority: 2,
  medium: { kind: 'Voice' },
};
const heard: EarlierCall = { tagId: 7, occurrenceId: 1, userId: 1, priority: 2, heardAt: at(0) };
const messaged: EarlierCall = { ...heard, heardAt: undefined, messageAt: at(0) };
const quiet = (
  candidate: Partial<RepeatCandidate>,
  earlier: EarlierCall[],
  { seconds = 300, now = at(120) } = {},
) => quietTimeOf({ ...call, ...candidate }, earlier, seconds, now);

test('whoever heard of a tag two minutes ago is called about its next occurrence in three minutes', () => {
  expect(quiet({}, [heard])).toEqual({ by: 'call', reachedAt: at(0), until: at(300) });
  expect(quiet({ medium: { kind: 'Sms' } }, [heard])).toMatchObject({ until: at(300) });
  expect(quiet({}, [heard], { now: at(299) })).toMatchObject({ until: at(300) });
  expect(quiet({}, [heard], { now: at(300) })).toBeUndefined();
});

test.each<[string, Partial<RepeatCandidate>, EarlierCall[]]>([
  ['an alarm of priority 1', { priority: 1 }, [{ ...heard, priority: 1 }]],
  ['an alarm of a higher priority than the one they heard', { priority: 2 }, [{ ...heard, priority: 3 }]],
  ['a further try for the same occurrence', { occurrenceId: 1 }, [heard]],
  ['another tag', { tagId: 8 }, [heard]],
  ['another person', { userId: 2 }, [heard]],
  ['somebody who was not reached', {}, [{ ...heard, heardAt: undefined }]],
  ['somebody who was never called', {}, []],
])('%s does not wait', (_name, candidate, earlier) => {
  expect(quiet(candidate, earlier)).toBeUndefined();
});

test('a quiet time of 0 seconds lets nobody wait', () => {
  expect(quiet({}, [heard], { seconds: 0, now: at(0) })).toBeUndefined();
});

test('a message that may be unread delays the next message, but no telephone call', () => {
  expect(quiet({ medium: { kind: 'Sms' } }, [messaged])).toEqual({
    by: 'message',
    reachedAt: at(0),
    until: at(300),
  });
  expect(quiet({}, [messaged])).toBeUndefined();
});

test('the last call of at least the same priority counts', () => {
  const earlier = [heard, { ...heard, heardAt: at(60) }, { ...heard, priority: 3, heardAt: at(90) }];
  expect(quiet({}, earlier)).toMatchObject({ until: at(360) });
  expect(quiet({ priority: 3 }, earlier)).toMatchObject({ until: at(390) });
});

test('the reason names the time by the clock of the station', () => {
  const wait = { by: 'call', reachedAt: at(0), until: at(300) } as const;
  expect(describeQuietTime(wait, at(120), 'Europe/Paris')).toBe(
    'called about this tag 2 minutes ago, waits until 03:12',
  );
  expect(describeQuietTime({ ...wait, by: 'message' }, at(1), 'Asia/Kolkata')).toBe(
    'sent a message about this tag 1 second ago, waits until 07:42',
  );
  expect(describeQuietTime(wait, at(75), 'UTC')).toContain('1 minute ago');
});

const waiting = (medium: Medium): Attempt => ({
  ...queueAttempt(
    { target: 0, groupId: 1, step: 1, try: 1, userId: 1, medium, avoidChannels: [] },
    1,
    at(60),
  ),
  quietUntil: at(300),
});

/** The next action for a person with a phone and SMS, who has one attempt in the queue. */
const actionWith = (attempt: Attempt, now: Date) =>
  nextAction(
    {
      until: 'acknowledged',
      stage: stage({ ackTimeoutSeconds: 60, attempts: 2 }),
      person: applyMediaRules(person(1), 3, now.getTime()),
      tries: [attempt],
      running: [attempt],
      state: { usedMedia: [] },
      routes: undefined,
      down: new Set(),
    },
    now.getTime(),
  );

test('while a call waits for the quiet time, the person is not told by another medium', () => {
  expect(actionWith(waiting(voice(1)), at(120))).toEqual({ kind: 'wait', untilMs: at(300).getTime() });
  const overdue = actionWith(waiting(voice(1)), at(300));
  expect(overdue, 'the call goes first').toEqual({ kind: 'wait', untilMs: at(330).getTime() });
});

test('while a message waits for the quiet time, the telephone rings as usual', () => {
  expect(actionWith(waiting(sms(1)), at(89))).toMatchObject({ kind: 'wait', untilMs: at(90).getTime() });
  expect(actionWith(waiting(sms(1)), at(90))).toMatchObject({ kind: 'call', medium: voice(1) });
});
