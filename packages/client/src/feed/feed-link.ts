import type { Alarm, AlarmChange, CallChange, CallInProgress, Sound } from '@tocsin/contract';
import type { Api } from '../http/api.ts';
import { readAll } from '../http/read-all.ts';
import { type HubLink, openHubLink } from '../hub/hub-link.ts';
import type { LiveStore } from './live-store.ts';

/** The position of the feed in the journal of the tenant; it outlives the connections. */
export type Position = {
  /** Of the shown list; undefined before the first one. */
  seq: number | undefined;
  /** Of the last change that listeners were told. A list that was read again may be older. */
  toldSeq: number;
};

export type FeedParts = {
  readonly api: Api;
  readonly store: LiveStore;
  readonly position: Position;
  onHeard(): void;
  onAlarmChange(change: AlarmChange): void;
  onSound(sound: Sound): void;
};

export type FeedLink = Pick<HubLink, 'closed' | 'ping' | 'drop'> & {
  /** Brings the lists up to date. `readList` reads all alarms again instead of the changes since the last position. */
  synchronize(options: SynchronizeOptions): Promise<void>;
};

export type SynchronizeOptions = {
  readonly readList: boolean;
  readonly signal: AbortSignal;
  /** Called before a list takes the place of the shown one: from now on only this connection may change it. */
  onReplace(): void;
};

/** A connection whose changes go into the store, in the order of the journal and each once. */
export async function openFeedLink(parts: FeedParts, token: string): Promise<FeedLink> {
  const { api, store, position } = parts;
  /** Changes that wait for the list that they belong to. */
  let waitingAlarms: AlarmChange[] | undefined;
  let waitingCalls: CallChange[] | undefined = [];

  const applyAlarm = (change: AlarmChange) => applyInOrder(parts, change);
  const link = await openHubLink(
    { baseUrl: api.baseUrl, token },
    {
      onAlarmChange: (change) => (waitingAlarms ? void waitingAlarms.push(change) : applyAlarm(change)),
      onCallChange: (change) => (waitingCalls ? void waitingCalls.push(change) : store.applyCall(change)),
      onSound: parts.onSound,
      onHeard: parts.onHeard,
    },
  );

  const readAlarms = async ({ signal, onReplace }: SynchronizeOptions) => {
    waitingAlarms = [];
    const { toldSeq } = position;
    const { seq } = await link.resume(null);
    // Only a journal that was replaced, for example by a backup, ends before what it has told.
    if (seq < toldSeq) position.toldSeq = seq;
    const alarms = await readAll<Alarm>(api, '/alarms', { inactiveMasked: 1 }, signal);
    onReplace();
    store.replaceAlarms(alarms);
    position.seq = seq;
    const waiting = waitingAlarms;
    waitingAlarms = undefined;
    for (const change of waiting) applyAlarm(change);
  };
  const readCalls = async ({ signal }: SynchronizeOptions) =>
    link.hasCalls ? readAll<CallInProgress>(api, '/calls', {}, signal) : new Map<number, CallInProgress>();
  const synchronize = async (options: SynchronizeOptions) => {
    const { seq } = position;
    // First, because a failure after the former connection was dropped would leave the page without one.
    const calls = await readCalls(options);
    if (seq === undefined || options.readList) await readAlarms(options);
    else {
      const resumed = await link.resume(seq);
      if (resumed.gap) await readAlarms(options);
      else {
        options.onReplace();
        position.seq = Math.max(position.seq ?? 0, resumed.seq);
      }
    }
    store.replaceCalls(calls);
    for (const change of waitingCalls ?? []) store.applyCall(change);
    waitingCalls = undefined;
  };
  return { closed: link.closed, ping: link.ping, drop: link.drop, synchronize };
}

/** Two connections may tell the same change while one takes the place of the other. */
function applyInOrder({ store, position, onAlarmChange }: FeedParts, change: AlarmChange): void {
  if (position.seq !== undefined && change.seq <= position.seq) return;
  position.seq = change.seq;
  store.applyAlarm(change);
  if (change.seq <= position.toldSeq) return;
  position.toldSeq = change.seq;
  onAlarmChange(change);
}
