import { expect, test } from 'vitest';
import { storiesOf } from './escalation-stories.ts';
import {
  claim,
  raised,
  soundAttempt,
  soundClaims,
  soundEscalation,
  soundLedger,
  soundLine,
  soundRun,
} from './evidence.fixture.ts';
import type { AlarmRow, AttemptRow, EscalationRow, Evidence } from './evidence.ts';
import type { HistoryReport } from './history-report.ts';
import { faultsOf } from './judge-run.ts';

const judge = (evidence: Evidence) => faultsOf(evidence, storiesOf(evidence));
const [alarm] = soundRun.alarms as [AlarmRow];
const [occurrence] = alarm.occurrences as [AlarmRow['occurrences'][number]];
const [sent] = soundRun.clients as [Evidence['clients'][number]];
const [entry, openEntry] = soundLedger.histories as [
  HistoryReport['histories'][number],
  HistoryReport['histories'][number],
];
const [stored, openStored] = soundLedger.stored as [
  HistoryReport['stored'][number],
  HistoryReport['stored'][number],
];
const [failure, openFailure] = soundLedger.statistics as [
  HistoryReport['statistics'][number],
  HistoryReport['statistics'][number],
];
const [intervention] = soundLedger.interventions as [HistoryReport['interventions'][number]];

const withAlarm = (changes: Partial<AlarmRow>): Partial<Evidence> => ({ alarms: [{ ...alarm, ...changes }] });
const withEscalation = (changes: Partial<EscalationRow>): Partial<Evidence> => ({
  escalations: [{ ...soundEscalation, ...changes }],
});
const withAttempt = (changes: Partial<AttemptRow>): Partial<Evidence> => ({
  attempts: [{ ...soundAttempt, ...changes }],
});
const withLedger = (changes: Partial<HistoryReport>): Partial<Evidence> => ({
  historyReports: [{ ...soundLedger, ...changes }],
});
const withEntry = (changes: Partial<HistoryReport['histories'][number]>) =>
  withLedger({ histories: [{ ...entry, ...changes }, openEntry] });
const without = <Value extends object>(value: Value, name: keyof Value): Value => {
  const { [name]: _, ...rest } = value;
  return rest as Value;
};

test('a run in which all was well has no faults', () => {
  expect(judge(soundRun)).toEqual([]);
});

const other = 'dispatcher 2, start 1';
const later = raised + 20_000;

test.each<[string, RegExp, Partial<Evidence>]>([
  ['an alarm was answered 200 and is gone', /^I1: chaos\/1\/0 was answered 7/, { alarms: [] }],
  ['an alarm is not what was sent', /^I1: alarm 7 is not what was sent/, withAlarm({ priority: 3 })],
  ['an alarm was refused and is there', /^I2: .* was refused/, { clients: [{ ...sent, outcome: 'fail' }] }],
  [
    'an alarm was written twice',
    /^I2: alarm 7 was sent once and repeated 0 times, and has 1 occurrences, 1 repeats/,
    withAlarm({ occurrences: [{ ...occurrence, repeats: 1 }] }),
  ],
  ['an alarm has no escalation', /^I3: alarm 7 has no escalation/, { escalations: [] }],
  [
    'the escalation came later than its alarm',
    /^I3: .* another transaction/,
    withEscalation({ opened: raised + 1 }),
  ],
  [
    'a repeat was lost',
    /^I2: alarm 7 was sent once and repeated 1 times, and has 1 occurrences, 0 repeats/,
    { clients: [sent, { ...sent, op: 'repeat' }] },
  ],
  [
    'a fencing token fell',
    /^I7: attempt 71 of tenant 1 was claimed with number 0 after 1/,
    { claims: [...soundClaims, claim({ previousFencingToken: 1, fencingToken: 0, at: later })] },
  ],
  [
    'a fencing token was skipped behind our back',
    /^I7: attempt 71 of tenant 1 has a claim that nobody saw, before number 4/,
    { claims: [...soundClaims, claim({ previousFencingToken: 4, fencingToken: 5, at: later })] },
  ],
  [
    'a dispatcher took what another still had',
    /^I7: attempt 71 of tenant 1 was claimed by dispatcher 2, start 1 while dispatcher 1, start 1 had it for another 500 ms/,
    {
      claims: [
        ...soundClaims,
        claim({
          process: other,
          previousFencingToken: 1,
          fencingToken: 2,
          leaseBefore: later + 500,
          at: later,
        }),
      ],
    },
  ],
  [
    'a dispatcher that had lost an attempt stored what came of it',
    /^I7: attempt 71 of tenant 1 got "accepted" from dispatcher 1, start 1, and number 2 is with dispatcher 2, start 1/,
    {
      claims: [
        ...soundClaims.slice(0, 4),
        claim({
          process: other,
          previousFencingToken: 1,
          fencingToken: 2,
          leaseBefore: later - 1,
          at: later,
        }),
        claim({ previousFencingToken: 2, fencingToken: 2, result: 'accepted', at: later + 1 }),
      ],
    },
  ],
  [
    'a dispatcher stored the state of an escalation that it never took',
    /^I7: escalation 70 of tenant 1 got "a state" from dispatcher 1, start 1, and number 0 is with nobody/,
    { claims: [claim({ kind: 'escalation', id: 70, result: 'a state' })] },
  ],
  ['the state is not what the times say', /^I9: alarm 7 is in state 1/, withAlarm({ state: 1 })],
  ['somebody has it and nobody acknowledged', /^I9: alarm 7 was taken by ""/, withAlarm({ ackUser: '' })],
  [
    'an alarm was acknowledged by nobody',
    /^I9: tenant 1, all time: history 700 was acknowledged once, by null/,
    withLedger({ stored: [{ ...stored, ackUserId: null }, openStored] }),
  ],
  [
    'an alarm ended before it began',
    /^I9: .* history 700 ended before it began/,
    withLedger({ stored: [{ ...stored, reset: raised - 1 }, openStored] }),
  ],
  ['a history is missing', /^I9: .* occurrence 800 has no history/, withLedger({ histories: [entry] })],
  [
    'a history entry is listed twice',
    /^I9: .* occurrence 700 is listed twice/,
    withLedger({ histories: [entry, entry, openEntry] }),
  ],
  [
    'a history is invented',
    /^I9: .* history 900 has no occurrence/,
    withLedger({ histories: [entry, openEntry, { ...openEntry, id: 900 }] }),
  ],
  [
    'a history has another time than is stored',
    /^I9: .* history 700 says/,
    withEntry({ ackTime: '2026-06-01T12:00:06+02:00' }),
  ],
  [
    'a history hides the acknowledgment',
    /^I9: .* history 700 says/,
    withLedger({ histories: [without(entry, 'ackTime'), openEntry] }),
  ],
  [
    'a duration is not the difference of its times',
    /^I9: .* history 700 lasted 00:01:06/,
    withEntry({ alarmDuration: '00:01:06' }),
  ],
  [
    'a duration is left out',
    /^I9: .* history 700 lasted 00:01:05,00:00:05,-/,
    withLedger({ histories: [without(entry, 'interventionDuration'), openEntry] }),
  ],
  [
    'a statistic counts a failure too many',
    /^I9: .* statistic 7 2 00:01:05 00:01:05 is wrong/,
    withLedger({ statistics: [{ ...failure, failureNumber: 2 }, openFailure] }),
  ],
  [
    'a statistic has lost two seconds of what is still active',
    /^I9: .* statistic 8 1 00:01:28 00:01:28 is wrong/,
    withLedger({
      statistics: [failure, { ...openFailure, failureTotalTime: '00:01:28', failureMeanTime: '00:01:28' }],
    }),
  ],
  ['a statistic is missing', /^I9: .* statistic 8 .* is missing/, withLedger({ statistics: [failure] })],
  [
    'an intervention was added up wrong',
    /^I9: .* intervention 3 1 00:00:05 00:00:59 is wrong/,
    withLedger({ interventions: [{ ...intervention, interventionMeanTime: '00:00:59' }] }),
  ],
  ['an intervention is missing', /^I9: .* intervention 3 .* is missing/, withLedger({ interventions: [] })],
  [
    'the journal says something twice',
    /^I11: the journal says 2 times that 7 was raised/,
    { journal: soundRun.journal.map((one) => ({ ...one, entries: one.kind === 'raised' ? 2 : 1 })) },
  ],
  [
    'the journal does not know of the reset',
    /^I11: the journal says 0 times that 7 was reset/,
    { journal: soundRun.journal.filter(({ kind }) => kind !== 'reset') },
  ],
  [
    'the journal names somebody else',
    /^I11: alarm 7 was taken by "User 3", and the journal says "admin"/,
    { journal: soundRun.journal.map((one) => ({ ...one, actor: 'admin' })) },
  ],
  [
    'an escalation is still open after the run',
    /^rest: escalation 70/,
    withEscalation({ closed: null, closedReason: null }),
  ],
  [
    'somebody took an alarm with a wrong code',
    /^I9: alarm 7 was taken by "User \+1", who gave no code/,
    {
      ...withAlarm({ ackUser: 'User +1' }),
      company: [soundLine, { ...soundLine, event: 'pressed', detail: '000000' }],
    },
  ],
  ['a telephone still rings after the run', /^rest: attempt 71/, withAttempt({ ended: null })],
  ['nobody was killed', /^chaos: there was no kill/, { windows: soundRun.windows.slice(0, 1) }],
])('it is found when %s', (_, fault, changes) => {
  expect(judge({ ...soundRun, ...changes })).toContainEqual(expect.stringMatching(fault));
});

test('a provider may report the result of an attempt that another process holds', () => {
  const report = claim({
    process: 'api 0, start 2',
    previousFencingToken: 1,
    fencingToken: 1,
    result: 'answered',
    at: later,
  });
  expect(judge({ ...soundRun, claims: [...soundClaims, report] })).toEqual([]);
});

test('a process that takes over an abandoned attempt may store its result', () => {
  const lost = {
    process: other,
    previousFencingToken: 1,
    fencingToken: 2,
    leaseBefore: later - 1,
    at: later,
  };
  const claims = [
    ...soundClaims.slice(0, 4),
    claim(lost),
    claim({ process: other, previousFencingToken: 2, fencingToken: 2, result: 'unknown', at: later + 5 }),
  ];
  expect(judge({ ...soundRun, claims })).toEqual([]);
});
