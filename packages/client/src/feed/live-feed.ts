import type { AlarmChange, Sound } from '@tocsin/contract';
import { createListeners, type Unsubscribe } from '../common/listeners.ts';
import { type Clock, systemClock } from '../common/system-clock.ts';
import type { Api } from '../http/api.ts';
import type { FeedSession } from '../session/session.ts';
import { Connector } from './connector.ts';
import type { LiveState } from './live-state.ts';
import { createLiveStore } from './live-store.ts';

/** The current alarms and calls, kept up to date for as long as it runs. */
export type LiveFeed = {
  start(): void;
  stop(): void;
  /** Tries to connect now instead of within a second. */
  retryNow(): void;
  /** Called after changes, at most every 50 ms. */
  subscribe(listener: () => void): Unsubscribe;
  getSnapshot(): LiveState;
  /** Each change of an alarm, in order, also those that were missed and made up for. */
  onAlarmChange(listener: (change: AlarmChange) => void): Unsubscribe;
  /** Sounds that the server asks for, which are never late. */
  onSound(listener: (sound: Sound) => void): Unsubscribe;
};

export type LiveFeedOptions = {
  readonly now?: Clock;
  /** After this time without a sign of life the connection is lost; after half of it, it is late. */
  readonly staleAfterMs?: number;
};

/** A killed server must be noticed within 5 s. */
const defaultStaleAfterMs = 4_000;

export function createLiveFeed(session: FeedSession, api: Api, options: LiveFeedOptions = {}): LiveFeed {
  const { now = systemClock, staleAfterMs = defaultStaleAfterMs } = options;
  const store = createLiveStore(now);
  const alarmChanges = createListeners<AlarmChange>();
  const sounds = createListeners<Sound>();
  const connector = new Connector({
    session,
    api,
    store,
    now,
    heartbeatMs: staleAfterMs / 2,
    onAlarmChange: alarmChanges.tell,
    onSound: sounds.tell,
  });
  return {
    start: () => connector.start(),
    stop: () => connector.stop(),
    retryNow: () => connector.retryNow(),
    subscribe: store.subscribe,
    getSnapshot: store.getSnapshot,
    onAlarmChange: alarmChanges.add,
    onSound: sounds.add,
  };
}
