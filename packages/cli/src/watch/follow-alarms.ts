import { setTimeout as sleep } from 'node:timers/promises';
import { createLiveFeed, type LiveState, ProblemError } from '@tocsin/client';
import type { Alarm, AlarmChange } from '@tocsin/contract';
import type { Connection } from '../connection/connect.ts';

/** What happens while the alarms are followed. */
export type Follower = {
  /** The alarms when the first list was read. */
  onBegin(alarms: readonly Alarm[]): void;
  onChange(change: AlarmChange): void;
  /** After each change of the list or the connection. */
  onState(state: LiveState): void;
};

/** How often a lost connection is asked for its reason. */
const checkEveryMs = 5_000;

export type FollowOptions = { readonly signal: AbortSignal; now(): number };

/** Follows the alarms until the signal. Throws if the server does not accept the token any more. */
export async function followAlarms(
  { api, session }: Connection,
  follower: Follower,
  { signal, now }: FollowOptions,
): Promise<void> {
  const feed = createLiveFeed(session, api, { now });
  const ended = Promise.withResolvers<void>();
  let waiting: AlarmChange[] | undefined = [];
  let connection: LiveState['connection'] = 'connecting';
  const begin = (state: LiveState) => {
    follower.onBegin([...state.alarms.values()]);
    for (const change of waiting ?? []) follower.onChange(change);
    waiting = undefined;
  };
  /** Only a refusal ends the watch: a server that is away comes back. */
  const checkToken = async () => {
    while (feed.getSnapshot().connection === 'lost' && !signal.aborted) {
      await api.get('/meta').catch((error: unknown) => {
        const isRefused = error instanceof ProblemError && (error.status === 401 || error.status === 403);
        if (isRefused) ended.reject(error);
      });
      await sleep(checkEveryMs, undefined, { ref: false });
    }
  };
  feed.onAlarmChange((change) => (waiting ? void waiting.push(change) : follower.onChange(change)));
  feed.subscribe(() => {
    const state = feed.getSnapshot();
    if (waiting && state.connection === 'live') begin(state);
    const wasLost = connection === 'lost';
    connection = state.connection;
    if (connection === 'lost' && !wasLost) void checkToken();
    follower.onState(state);
  });
  signal.addEventListener('abort', () => ended.resolve());
  feed.start();
  try {
    await ended.promise;
  } finally {
    feed.stop();
  }
}
