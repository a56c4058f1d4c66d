import type { CallHistory, CallInProgress, ConsolePriority } from '@tocsin/contract';
import type { AlarmRow, RowState } from '../alarms/alarm-row.ts';
import { shownPriority } from '../alarms/alarm-row.ts';

/** A call that one person can answer. It is kept in the browser, so it holds texts and numbers only. */
export type OwnCall = {
  readonly attemptId: number;
  /** 0 for a call that somebody has started by hand. */
  readonly alarmId: number;
  /** The begin of the occurrence; empty without an alarm. */
  readonly alarmTime: string;
  readonly priority: ConsolePriority;
  readonly state: RowState;
  readonly message: string;
  readonly value: string;
  readonly place: string;
  readonly comment: string;
  /** Times are milliseconds since 1970. */
  readonly raisedAt: number;
  readonly dueAt: number | undefined;
  readonly medium: string;
  readonly calledAt: number;
  /** Whether the attempt goes on; else the person was called before, and nobody has taken the alarm. */
  readonly isRunning: boolean;
  /** Others who are being called for it at this moment. */
  readonly others: readonly string[];
  readonly nextAt: number | undefined;
};

export type CallSources = {
  readonly userId: number;
  readonly calls: Iterable<CallInProgress>;
  readonly rows: ReadonlyMap<number, AlarmRow>;
  /** Attempts to reach this person, the newest first. */
  readonly attempts: readonly CallHistory[];
};

type Attempt = Pick<CallHistory, 'id' | 'medium' | 'startTime' | 'message'>;

/** The calls that wait for an answer of this person: those that run, then those that they have missed. */
export function ownCalls({ userId, calls, rows, attempts }: CallSources): OwnCall[] {
  const open = [...calls].filter(({ occasion }) => occasion === 'raised' || occasion === 'requested');
  const running = open.flatMap((call) => {
    const attempt = call.attempts.findLast((one) => one.userId === userId && one.status !== 'Queued');
    if (!attempt) return [];
    const row = rows.get(call.alarmId);
    return [toOwnCall({ ...attempt, message: call.message }, { call, row, userId, isRunning: true })];
  });
  const missed = missedAttempts(attempts, rows)
    .filter(({ alarmId }) => !running.some((one) => one.alarmId === alarmId))
    .map((attempt) => {
      const call = open.find(({ alarmId }) => alarmId === attempt.alarmId);
      return toOwnCall(attempt, { call, row: rows.get(attempt.alarmId), userId, isRunning: false });
    });
  return [...running, ...missed].toSorted(byUrgency);
}

function byUrgency(one: OwnCall, other: OwnCall): number {
  return (
    Number(other.isRunning) - Number(one.isRunning) ||
    one.priority - other.priority ||
    other.calledAt - one.calledAt
  );
}

/** The last attempt for each alarm that nobody has taken. Whoever has refused is not asked again before the next call. */
function missedAttempts(
  attempts: readonly CallHistory[],
  rows: ReadonlyMap<number, AlarmRow>,
): readonly CallHistory[] {
  const latest = new Map<number, CallHistory>();
  for (const attempt of attempts) if (!latest.has(attempt.alarmId)) latest.set(attempt.alarmId, attempt);
  return [...latest.values()].filter(({ alarmId, status, startTime }) => {
    const row = rows.get(alarmId);
    const isOpen = row?.state === 'new' || row?.state === 'rtn';
    const isOver = status === 'Rejected' || status === 'Queued' || status === 'Cancelled';
    return isOpen && !isOver && Date.parse(startTime) >= row.raisedAt;
  });
}

type Context = {
  readonly call: CallInProgress | undefined;
  readonly row: AlarmRow | undefined;
  readonly userId: number;
  readonly isRunning: boolean;
};

type Facts = Omit<OwnCall, 'attemptId' | 'medium' | 'calledAt' | 'isRunning' | 'others' | 'nextAt'>;

function toOwnCall(attempt: Attempt, { call, row, userId, isRunning }: Context): OwnCall {
  const calledAt = Date.parse(attempt.startTime);
  const others = (call?.attempts ?? []).filter((one) => one.userId !== userId && one.status !== 'Queued');
  return {
    ...(row ? factsOfAlarm(row) : factsOfCall(attempt, call)),
    attemptId: attempt.id,
    medium: attempt.medium,
    calledAt,
    isRunning,
    others: [...new Set(others.map(({ user }) => user))],
    nextAt: call?.nextTime === undefined ? undefined : Date.parse(call.nextTime),
  };
}

function factsOfAlarm({ alarm, priority, state, raisedAt, dueAt, context }: AlarmRow): Facts {
  const places = context ? [context.area, context.station] : [];
  return {
    alarmId: alarm.id,
    alarmTime: alarm.alarmTime,
    priority,
    state,
    message: alarm.message || alarm.name,
    value: alarm.value,
    place: places.filter((part) => part !== '').join(', '),
    comment: alarm.comment,
    raisedAt,
    dueAt,
  };
}

/** Of a call by hand, or of an alarm that the page has not read yet. */
function factsOfCall({ message, startTime }: Attempt, call: CallInProgress | undefined): Facts {
  return {
    alarmId: call?.alarmId ?? 0,
    alarmTime: '',
    priority: shownPriority(call?.priority ?? 1),
    state: 'new',
    message,
    value: '',
    place: '',
    comment: '',
    raisedAt: Date.parse(startTime),
    dueAt: undefined,
  };
}
