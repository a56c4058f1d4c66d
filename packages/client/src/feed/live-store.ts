import type { Alarm, AlarmChange, CallChange, CallInProgress } from '@tocsin/contract';
import { createListeners, type Unsubscribe } from '../common/listeners.ts';
import type { Clock } from '../common/system-clock.ts';
import {
  applyAlarmChange,
  applyCallChange,
  type ConnectionState,
  emptyState,
  type LiveState,
} from './live-state.ts';

/** The working copy of the live state. Listeners are told at most every 50 ms. */
export type LiveStore = {
  getSnapshot(): LiveState;
  /** The present state of the connection, which listeners may not know yet. */
  connection(): ConnectionState;
  subscribe(listener: () => void): Unsubscribe;
  applyAlarm(change: AlarmChange): void;
  applyCall(change: CallChange): void;
  replaceAlarms(alarms: Map<number, Alarm>): void;
  replaceCalls(calls: Map<number, CallInProgress>): void;
  setConnection(connection: ConnectionState, lostSince?: number): void;
  setLastHeard(lastHeard: number): void;
  /** Forgets everything, for another user. */
  clear(): void;
};

const tellEveryMs = 50;

export function createLiveStore(now: Clock): LiveStore {
  const changed = createListeners();
  let working = thaw(emptyState);
  let snapshot = emptyState;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;

  const publish = () => {
    clearTimeout(timer);
    timer = undefined;
    toldAt = now();
    snapshot = freeze(working, snapshot);
    changed.tell();
  };
  /** The first change after a pause is told at once, and those that follow it together. */
  const touch = () => {
    if (timer !== undefined) return;
    const sinceTold = now() - toldAt;
    const waitMs = sinceTold >= 0 && sinceTold < tellEveryMs ? tellEveryMs - sinceTold : 0;
    timer = setTimeout(publish, waitMs);
  };

  return {
    getSnapshot: () => snapshot,
    connection: () => working.connection,
    subscribe: changed.add,
    applyAlarm: (change) => {
      applyAlarmChange(working.alarms.forChange(), change);
      touch();
    },
    applyCall: (change) => {
      const maps = { calls: working.calls.forChange(), attempts: working.attempts.forChange() };
      applyCallChange(maps, change, now());
      touch();
    },
    replaceAlarms: (alarms) => {
      working.alarms.replace(alarms);
      touch();
    },
    replaceCalls: (calls) => {
      working.calls.replace(calls);
      const attempts = [...working.attempts.value].filter(([id]) => calls.has(id));
      working.attempts.replace(new Map(attempts));
      touch();
    },
    setConnection: (connection, lostSince) => {
      if (working.connection === connection && working.lostSince === lostSince) return;
      Object.assign(working, { connection, lostSince });
      touch();
    },
    setLastHeard: (lastHeard) => {
      working.lastHeard = lastHeard;
      touch();
    },
    clear: () => {
      working = thaw(emptyState);
      touch();
    },
  };
}

/** A map that is copied before the first change after it was shown to others. */
type SharedMap<Item> = {
  readonly value: ReadonlyMap<number, Item>;
  forChange(): Map<number, Item>;
  replace(map: Map<number, Item>): void;
  share(): ReadonlyMap<number, Item>;
};

function shareMap<Item>(shown: ReadonlyMap<number, Item>): SharedMap<Item> {
  let value = shown;
  let own: Map<number, Item> | undefined;
  return {
    get value() {
      return value;
    },
    forChange: () => {
      own ??= new Map(value);
      value = own;
      return own;
    },
    replace: (map) => {
      own = map;
      value = map;
    },
    share: () => {
      own = undefined;
      return value;
    },
  };
}

type Working = {
  connection: ConnectionState;
  lastHeard: number | undefined;
  lostSince: number | undefined;
  alarms: SharedMap<Alarm>;
  calls: SharedMap<CallInProgress>;
  attempts: SharedMap<LiveState['attempts'] extends ReadonlyMap<number, infer Item> ? Item : never>;
};

function thaw({ connection, lastHeard, lostSince, alarms, calls, attempts }: LiveState): Working {
  return {
    connection,
    lastHeard,
    lostSince,
    alarms: shareMap(alarms),
    calls: shareMap(calls),
    attempts: shareMap(attempts),
  };
}

function freeze(working: Working, { version }: LiveState): LiveState {
  const { connection, lastHeard, lostSince, alarms, calls, attempts } = working;
  return {
    connection,
    lastHeard,
    lostSince,
    alarms: alarms.share(),
    calls: calls.share(),
    attempts: attempts.share(),
    version: version + 1,
  };
}
