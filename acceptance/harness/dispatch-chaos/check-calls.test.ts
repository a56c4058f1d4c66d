import { expect, test } from 'vitest';
import { at, line, masked, orderOf, tried, withTries } from './attempts.fixture.ts';
import { storiesOf } from './escalation-stories.ts';
import {
  raised,
  soundAttempt,
  soundEnd,
  soundEscalation,
  soundGroup,
  soundLine,
  soundPolicy,
  soundRun,
} from './evidence.fixture.ts';
import type { EscalationRow, Evidence } from './evidence.ts';
import { faultsOf } from './judge-run.ts';

const judge = (evidence: Evidence) => faultsOf(evidence, storiesOf(evidence));
const [sent] = soundRun.clients as [Evidence['clients'][number]];
const withEscalation = (changes: Partial<EscalationRow>): Partial<Evidence> => ({
  escalations: [{ ...soundEscalation, ...changes }],
});

test.each<[string, RegExp, Partial<Evidence>]>([
  [
    'nobody was called and nobody acted',
    /^I4: escalation 70 of tenant 1 was first called \d+ s late/,
    { ...withEscalation({ closed: null }), company: [] },
  ],
  [
    'the first call came after two minutes, in four seconds of which the company was faulty',
    /^I4: escalation 70 of tenant 1 was first called 116 s late/,
    { ...withEscalation({ closed: at(130), closingCommitted: at(130) }), company: [line(120)] },
  ],
  [
    'an escalation was left alone for 200 s, in four of which the company was faulty',
    /^I5: escalation 70 was left alone for 196 s/,
    withEscalation({ closed: at(200.3) }),
  ],
  [
    'attempts are stored one after the other, and no company has heard of them',
    /^I5: escalation 70 was left alone for 50 s/,
    { ...withTries([tried(71, 0), tried(72, 10), tried(73, 20)], 50), company: [] },
  ],
  [
    'an escalation was left alone for 35 s and nothing was wrong',
    /^I5: escalation 70 was left alone for 35 s/,
    { ...withTries([tried(71, 0)], 35.1), windows: [] },
  ],
  [
    'the first call was asked for after half a minute and nothing was wrong',
    /^I4: escalation 70 of tenant 1 was first asked for 30 s late, and nothing was wrong/,
    { ...withTries([tried(71, 30)]), windows: [] },
  ],
  [
    'nobody is called after a mask',
    /^I4: escalation 70 of tenant 1 was first called 70 s late/,
    { ...withTries([tried(71, 0)], 80.1), clients: [sent, ...masked(4, 10)] },
  ],
  [
    'an escalation is closed because its alarm was masked',
    /^I3: escalation 70 of tenant 1 was closed as masked/,
    { ...withEscalation({ closedReason: 'masked' }), clients: [sent, ...masked(4, 10)] },
  ],
  [
    'somebody is called under a mask',
    /^I6: attempt 72 of escalation 70 was made 5\.0 s after it was masked/,
    {
      ...withTries([tried(71, 0), tried(72, 9, { userId: 4, step: 2 })], 30),
      clients: [sent, ...masked(4, 20)],
    },
  ],
  [
    'a telephone rings on after the alarm was acknowledged',
    /^I6: attempt 1 71 rang for ever after nobody was needed/,
    { company: [soundLine], windows: [] },
  ],
  [
    'an alarm was acknowledged and its escalation goes on',
    /^I6: attempt 72 of escalation 70 was made 3\.1 s after it was acted on/,
    {
      ...withTries([tried(71, 0), tried(72, 8, { userId: 4, step: 2 })]),
      ...withEscalation({ closed: null, closingCommitted: null, closedReason: null }),
      clients: [sent, { ...sent, op: 'acknowledge', invoked: at(4.9), ended: at(5) }],
    },
  ],
  [
    'a person is passed over',
    /^I5: escalation 70 of tenant 1 called 9 of group 6 in step 2, and 4 of group 5 were next/,
    withTries([tried(71, 0), tried(72, 9, { step: 2, userId: 9, groupId: 6 })]),
  ],
  [
    'nobody of last resort is called',
    /^I5: escalation 70 of tenant 1 called 3 of group 5 in step 3, and 9 of group 6 were next/,
    withTries([tried(71, 0), tried(72, 9, { step: 2, userId: 4 }), tried(73, 18, { step: 3 })]),
  ],
  [
    'those who relieve are not called',
    /^I5: escalation 70 of tenant 1 called 9 of group 6 in step 3, and 8 of group 4 were next/,
    {
      ...withTries([
        tried(71, 0),
        tried(72, 9, { step: 2, userId: 4 }),
        tried(73, 18, { step: 3, userId: 9, groupId: 6 }),
      ]),
      policy: {
        ...soundPolicy,
        groups: [
          ...soundPolicy.groups.slice(1),
          { ...soundGroup, reliefGroupId: 4 },
          { ...soundGroup, id: 4, shifts: [{ from: 0, userIds: [8] }] },
        ],
      },
    },
  ],
  [
    'after a mask the calling does not begin with the first people',
    /^I5: escalation 70 of tenant 1 called 4 of group 5 in step 2, and 3 of group 5 were next/,
    {
      ...withTries([tried(71, 0), tried(72, 21, { step: 2, userId: 4 })]),
      windows: [],
      clients: [sent, ...masked(4, 20)],
    },
  ],
  [
    'the second try is left out',
    /^I5: escalation 70 of tenant 1 tried user 3 1 times of 2 in step 1/,
    { ...withTries([tried(71, 0), tried(72, 2, { step: 2, userId: 4 })]), windows: [] },
  ],
  [
    'somebody is called who is not on duty',
    /^I13: escalation 70 of tenant 1 called user 3 of group 5, who was not on duty/,
    {
      policy: {
        ...soundPolicy,
        groups: [
          {
            ...soundGroup,
            shifts: [
              { from: 0, userIds: [3] },
              { from: raised - 5_000, userIds: [4] },
            ],
          },
        ],
      },
    },
  ],
  [
    'a call is said to have been refused, and no company took it',
    /^I7: attempt 72 is said to be noAnswer, and nobody took it/,
    { attempts: [soundAttempt, tried(72, 2, { medium: 'Sms', try: 2 })] },
  ],
  [
    'a call went to the telephone of another',
    /^I7: attempt 71 went to \+4 calls, and \+1 calls was due/,
    { company: [{ ...soundLine, to: '+4' }, soundEnd] },
  ],
  [
    'everybody is said to have been tried after one try',
    /^I5: escalation 70 was exhausted after 1 tries by 1 media/,
    withEscalation({ exhausted: raised + 4_000 }),
  ],
  [
    'an exhausted escalation raises no system alarm',
    /^I5: no system alarm says that escalation 70 is exhausted/,
    withEscalation({ exhausted: raised + 4_000 }),
  ],
  [
    'somebody was called after it was acknowledged',
    /^I6: attempt 71 of escalation 70 was made 3\.0 s after/,
    { company: [soundLine, { ...soundLine, at: new Date(raised + 8_100).toISOString() }] },
  ],
  [
    'an attempt was ordered twice',
    /^I7: attempt 1 71 was ordered twice/,
    { company: [soundLine, soundLine] },
  ],
  [
    'somebody was tried again although the first try had not failed',
    /^I7: 1 70 0 1 3 was tried again after acknowledged/,
    { attempts: [soundAttempt, { ...soundAttempt, id: 72, try: 2 }] },
  ],
])('it is found when %s', (_, fault, changes) => {
  expect(judge({ ...soundRun, ...changes })).toContainEqual(expect.stringMatching(fault));
});

test('a call made before an acknowledgment was committed is no fault', () => {
  const escalations = [{ ...soundEscalation, closingCommitted: raised + 9_000 }];
  const second = tried(72, 8, { userId: 4, step: 2 });
  const company = [soundLine, soundEnd, ...orderOf(second)];
  const attempts = [soundAttempt, second];
  expect(judge({ ...soundRun, escalations, company, attempts })).toEqual([]);
});

test('a masked alarm is called for again after the mask, from the start', () => {
  const tries = [tried(71, 0), tried(72, 8, { userId: 4, step: 2 }), tried(73, 21, { step: 3 })];
  expect(judge({ ...soundRun, ...withTries(tries, 30), clients: [sent, ...masked(12, 20)] })).toEqual([]);
});

test('a mask may last longer than anybody is left alone', () => {
  const tries = [tried(71, 0), tried(72, 121, { step: 2 })];
  expect(judge({ ...soundRun, ...withTries(tries, 130), clients: [sent, ...masked(5, 120)] })).toEqual([]);
});

test('everybody is called as often as the groups say, those of last resort too, and then all of them again', () => {
  const users = [3, 4, 9, 3, 4, 9];
  const tries = users.map((userId, index) =>
    tried(71 + index, index * 9, { step: index + 1, userId, groupId: userId === 9 ? 6 : 5 }),
  );
  expect(judge({ ...soundRun, ...withTries(tries, 55) })).toEqual([]);
});

test('where every try of a cycle failed, those of last resort may be called before it is repeated', () => {
  const groups = soundPolicy.groups.map((group) => ({ ...group, cycles: 2, attempts: 1 }));
  const users = [3, 4, 9];
  const tries = users.map((userId, index) =>
    tried(71 + index, index * 2, {
      step: index + 1,
      userId,
      groupId: userId === 9 ? 6 : 5,
      outcome: userId === 9 ? 'noAnswer' : 'failed',
    }),
  );
  const run = { ...soundRun, ...withTries(tries, 10), policy: { ...soundPolicy, groups } };
  expect(judge(run)).toEqual([]);
  const heard = run.attempts.map((attempt) => ({ ...attempt, outcome: 'noAnswer' }));
  expect(judge({ ...run, attempts: heard })).toEqual([
    'I5: escalation 70 of tenant 1 called 9 of group 6 in step 3, and 3 of group 5 were next',
  ]);
});

test('a person whose telephone still rings from an earlier step is not called again', () => {
  const tries = [
    tried(71, 0, { ended: at(40) }),
    tried(72, 8, { step: 2, userId: 4 }),
    tried(73, 16, { step: 3, userId: 9, groupId: 6 }),
    // Step 4 belongs to the first person.
    tried(74, 32, { step: 5, userId: 4 }),
  ];
  expect(judge({ ...soundRun, ...withTries(tries, 38) })).toEqual([]);
  const silent = tries.map((attempt) => Object.assign({}, attempt, { ended: attempt.created + 1_000 }));
  expect(judge({ ...soundRun, ...withTries(silent, 38), windows: [] })).toContain(
    'I5: escalation 70 of tenant 1 called 4 of group 5 in step 5, and 3 of group 5 were next',
  );
});

test('at the hand-over those who have come on duty are called', () => {
  const shifts = [
    { from: 0, userIds: [3] },
    { from: at(5), userIds: [4] },
  ];
  const policy = { ...soundPolicy, groups: [{ ...soundGroup, shifts }] };
  const tries = [tried(71, 0), tried(72, 9, { step: 2, userId: 4 })];
  expect(judge({ ...soundRun, ...withTries(tries, 15), policy })).toEqual([]);
});
