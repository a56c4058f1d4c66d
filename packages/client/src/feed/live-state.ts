import type { Alarm, AlarmChange, CallChange, CallInProgress } from '@tocsin/contract';

/**
 * `connecting` before the first list has been read, `live` while the server is heard, `late` when a sign of life is overdue,
 * `lost` when the data may be old.
 */
export type ConnectionState = 'connecting' | 'live' | 'late' | 'lost';

/** The latest event of a call that the hub has told. */
export type CallAttempt = {
  readonly kind: CallChange['kind'];
  readonly attempt: NonNullable<CallChange['attempt']>;
  /** Milliseconds since 1970. */
  readonly heardAt: number;
};

/** What the console shows. The same object is returned until something has changed, and its maps are never changed. */
export type LiveState = {
  readonly connection: ConnectionState;
  /** Milliseconds since 1970. */
  readonly lastHeard: number | undefined;
  /** When the server was last heard before the connection was lost; undefined while it is not lost. */
  readonly lostSince: number | undefined;
  /** The alarms of `GET /alarms?inactiveMasked=1`, by id. */
  readonly alarms: ReadonlyMap<number, Alarm>;
  /** The calls in progress, by id; empty for a token that may not read calls. */
  readonly calls: ReadonlyMap<number, CallInProgress>;
  /** The latest attempt of each call, by the id of the call. */
  readonly attempts: ReadonlyMap<number, CallAttempt>;
  /** Rises with each change. */
  readonly version: number;
};

export const emptyState: LiveState = {
  connection: 'connecting',
  lastHeard: undefined,
  lostSince: undefined,
  alarms: new Map(),
  calls: new Map(),
  attempts: new Map(),
  version: 0,
};

/** A state of 0 is neither in alarm, nor to be acknowledged, nor masked: the list of the server does not have it. */
export function applyAlarmChange(alarms: Map<number, Alarm>, { alarm }: Pick<AlarmChange, 'alarm'>): void {
  if (alarm.state === 0) alarms.delete(alarm.id);
  else alarms.set(alarm.id, alarm);
}

type Calls = { readonly calls: Map<number, CallInProgress>; readonly attempts: Map<number, CallAttempt> };

export function applyCallChange(
  { calls, attempts }: Calls,
  { kind, call, attempt }: CallChange,
  heardAt: number,
): void {
  if (kind === 'closed' || call.closedTime !== undefined) {
    calls.delete(call.id);
    attempts.delete(call.id);
    return;
  }
  calls.set(call.id, call);
  if (attempt) attempts.set(call.id, { kind, attempt, heardAt });
}
