import type { Alarm, AlarmContext, ConsolePriority } from '@tocsin/contract';

export type RowState = 'new' | 'ack' | 'rtn' | 'mask' | 'over';

/** An alarm as the list shows it. */
export type AlarmRow = {
  readonly alarm: Alarm;
  readonly priority: ConsolePriority;
  readonly state: RowState;
  readonly raisedAt: number;
  /** Since when it is in this state. */
  readonly since: number;
  /** The end of the time to respond, by the guidance. */
  readonly dueAt: number | undefined;
  readonly context: AlarmContext | undefined;
};

/** As in the contract; its schemas would make the first page larger by a fifth. */
export const priorities: readonly ConsolePriority[] = [1, 2, 3, 4];

const active = 1;
const unacknowledged = 2;

/** What an alarm is called on the screen: a tag may have no message. */
export const titleOf = ({ message, path }: Pick<Alarm, 'message' | 'path'>): string =>
  message === '' ? path : message;

/** 0 is as urgent as 1; all that are less urgent than 4 are shown as 4. */
export function shownPriority(priority: number): ConsolePriority {
  return Math.min(Math.max(priority, 1), 4) as ConsolePriority;
}

function rowState({ state, masked }: Pick<Alarm, 'state' | 'masked'>): RowState {
  if (masked) return 'mask';
  if ((state & unacknowledged) !== 0) return (state & active) !== 0 ? 'new' : 'rtn';
  return (state & active) !== 0 ? 'ack' : 'over';
}

/** `lastChange` is UTC without an offset. */
const utc = (text: string) => Date.parse(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);

export function toRow(alarm: Alarm, context: AlarmContext | undefined): AlarmRow {
  const raisedAt = Date.parse(alarm.alarmTime);
  const seconds = context?.respondSeconds;
  return {
    alarm,
    priority: shownPriority(alarm.priority),
    state: rowState(alarm),
    raisedAt,
    since: utc(alarm.lastChange),
    dueAt: seconds ? raisedAt + seconds * 1_000 : undefined,
    context,
  };
}

const rank: Record<RowState, number> = { new: 0, rtn: 1, ack: 2, mask: 3, over: 4 };

/** Priority first; then what waits for somebody, by the least time left; then the newest. The order is stable in time. */
export function compareRows(a: AlarmRow, b: AlarmRow): number {
  return (
    a.priority - b.priority ||
    rank[a.state] - rank[b.state] ||
    (a.dueAt ?? Number.MAX_SAFE_INTEGER) - (b.dueAt ?? Number.MAX_SAFE_INTEGER) ||
    b.raisedAt - a.raisedAt ||
    b.alarm.id - a.alarm.id
  );
}

/** An alarm that is not acknowledged sounds and is announced. */
export const isWaiting = ({ state }: Pick<AlarmRow, 'state'>): boolean => state === 'new' || state === 'rtn';
