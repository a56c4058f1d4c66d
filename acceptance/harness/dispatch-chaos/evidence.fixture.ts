import type { LogLine } from '../phone-company/protocol.ts';
import type { CallPolicy, GroupPolicy } from './call-policy.ts';
import type { ClaimRow } from './claim-watch.ts';
import type { AttemptRow, EscalationRow, Evidence } from './evidence.ts';
import type { HistoryReport } from './history-report.ts';

/** When alarm 7 was raised. */
export const raised = Date.UTC(2026, 5, 1, 10, 0, 0, 300);
const after = (seconds: number) => raised + seconds * 1_000;

export const soundEscalation: EscalationRow = {
  tenantId: 1,
  id: 70,
  tagId: 7,
  occurrenceId: 700,
  opened: raised,
  firstDue: raised,
  closed: after(5),
  closingCommitted: after(5.1),
  closedReason: 'acknowledged',
  lease: null,
  exhausted: null,
};

export const soundAttempt: AttemptRow = {
  tenantId: 1,
  id: 71,
  escalationId: 70,
  groupId: 5,
  target: 0,
  step: 1,
  try: 1,
  userId: 3,
  medium: 'Voice',
  outcome: 'acknowledged',
  reason: '',
  sentAs: 71,
  lateRace: false,
  created: after(0.1),
  sent: after(0.2),
  ended: after(5),
};

export const soundLine: LogLine = {
  seq: 1,
  at: new Date(after(0.3)).toISOString(),
  event: 'accepted',
  folder: 'calls',
  attemptId: 'abc-1-71',
  to: '+1',
  reference: 'PC1',
  text: '',
  prompt: '',
  detail: '',
};

/** The person picks up. */
export const soundEnd: LogLine = {
  ...soundLine,
  seq: 2,
  at: new Date(after(4)).toISOString(),
  event: 'answered',
};

/** One after the other, as long as nobody hands over. */
export const soundGroup: GroupPolicy = {
  tenantId: 1,
  id: 5,
  mode: 'Sequential',
  shifts: [{ from: 0, userIds: [3, 4] }],
  ackTimeoutSeconds: 8,
  attempts: 2,
  cycles: 1,
  reliefGroupId: 0,
};

/** Group 5 calls users 3 and 4, and then group 6 of last resort, which is user 9. */
export const soundPolicy: CallPolicy = {
  groups: [soundGroup, { ...soundGroup, id: 6, shifts: [{ from: 0, userIds: [9] }] }],
  fallbackIds: new Map([[1, 6]]),
  numbers: new Map([
    ['1 3', '+1'],
    ['1 4', '+4'],
    ['1 9', '+9'],
  ]),
};

const first = 'dispatcher 1, start 1';

/** Claimed, called and settled by one dispatcher. */
export const soundClaims: ClaimRow[] = [
  claim({ kind: 'escalation', id: 70, fencingToken: 1, at: after(0.05) }),
  claim({
    kind: 'escalation',
    id: 70,
    previousFencingToken: 1,
    fencingToken: 1,
    leaseBefore: after(10),
    result: 'a state',
    at: after(0.1),
  }),
  claim({ kind: 'attempt', id: 71, fencingToken: 1, at: after(0.15) }),
  claim({
    previousFencingToken: 1,
    fencingToken: 1,
    leaseBefore: after(10),
    result: 'calling',
    at: after(0.2),
  }),
  claim({
    previousFencingToken: 1,
    fencingToken: 1,
    leaseBefore: after(10),
    result: 'accepted',
    at: after(0.4),
  }),
];

/** A change of attempt 71 by default. */
export function claim(changes: Partial<ClaimRow>): ClaimRow {
  return {
    kind: 'attempt',
    tenantId: 1,
    id: 71,
    process: first,
    at: after(1),
    previousFencingToken: 0,
    fencingToken: 0,
    leaseBefore: null,
    result: '',
    ...changes,
  };
}

/** Tag 7 was acknowledged by user 3 after 5 s and reset after 65 s; tag 8 is still active. It was asked for after 100 s. */
export const soundLedger: HistoryReport = {
  tenantId: 1,
  period: 'all time',
  until: { earliest: after(99.5), latest: after(100) },
  histories: [
    {
      id: 700,
      tagId: 7,
      alarmTime: '2026-06-01T12:00:00+02:00',
      ackTime: '2026-06-01T12:00:05+02:00',
      resetTime: '2026-06-01T12:01:05+02:00',
      alarmDuration: '00:01:05',
      reactionDuration: '00:00:05',
      interventionDuration: '00:01:00',
    },
    { id: 800, tagId: 8, alarmTime: '2026-06-01T12:00:10+02:00' },
  ],
  statistics: [
    { id: 7, failureNumber: 1, failureTotalTime: '00:01:05', failureMeanTime: '00:01:05' },
    { id: 8, failureNumber: 1, failureTotalTime: '00:01:30', failureMeanTime: '00:01:30' },
  ],
  interventions: [
    { id: 3, interventionNumber: 1, reactionMeanTime: '00:00:05', interventionMeanTime: '00:01:00' },
  ],
  stored: [
    { id: 700, tagId: 7, raised, acknowledged: after(5), reset: after(65), ackUserId: 3 },
    { id: 800, tagId: 8, raised: after(10), acknowledged: null, reset: null, ackUserId: null },
  ],
};

/** A run in which an alarm was raised, called for, and acknowledged, and all was well. */
export const soundRun: Evidence = {
  alarms: [
    {
      tenantId: 1,
      tagId: 7,
      path: 'chaos/1/0',
      message: 'Alarm 0 of 1',
      priority: 2,
      state: 0,
      ackUser: 'User 3',
      occurrences: [{ id: 700, raised, acknowledged: after(5), reset: after(65), repeats: 0 }],
    },
  ],
  escalations: [soundEscalation],
  attempts: [soundAttempt],
  journal: [
    { tenantId: 1, occurrenceId: 700, kind: 'raised', entries: 1, actor: 'admin' },
    { tenantId: 1, occurrenceId: 700, kind: 'acknowledged', entries: 1, actor: 'User 3' },
    { tenantId: 1, occurrenceId: 700, kind: 'reset', entries: 1, actor: 'admin' },
  ],
  claims: soundClaims,
  historyReports: [soundLedger],
  systemPaths: new Set(),
  clients: [
    {
      seed: 1,
      tenantId: 1,
      op: 'raise',
      key: 'chaos/1/0',
      message: 'Alarm 0 of 1',
      priority: 2,
      invoked: raised - 50,
      ended: raised + 50,
      outcome: 'ok',
      alarmId: 7,
      groupId: 5,
      seconds: 0,
    },
  ],
  company: [soundLine, soundEnd],
  policy: soundPolicy,
  windows: [
    {
      kind: 'stop-dispatcher',
      what: 'dispatcher 0 stopped 12 s',
      from: after(20),
      to: after(32),
      total: false,
    },
    { kind: 'kill-dispatcher', what: 'dispatcher 2 killed', from: after(22), to: after(24), total: false },
    { kind: 'company-fault', what: 'faulty company', from: after(30), to: after(34), total: true },
  ],
};
