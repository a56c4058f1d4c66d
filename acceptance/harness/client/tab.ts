import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type Api,
  createApi,
  createLiveFeed,
  createSession,
  type LiveFeed,
  type Session,
} from '@tocsin/client';
import type { Alarm } from '@tocsin/contract';
import { expect } from 'vitest';
import { firstAdmin } from '../server.ts';
import { type Browser, openBrowser } from './browser.ts';

/** A tab of the console. */
export type Tab = {
  readonly browser: Browser;
  readonly session: Session;
  readonly api: Api;
  readonly feed: LiveFeed;
  /** Positions in the journal of the changes that it was told, in the order of telling. */
  readonly seqs: readonly number[];
  /** Each state of the connection that it showed, with the time. */
  readonly states: readonly { state: string; atMs: number }[];
  /** Lets the clock of the machine jump. */
  sleepFor(ms: number): void;
  close(): void;
};

export function openTab(baseUrl: string, browser = openBrowser()): Tab {
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const { fetch } = browser;
  const session = createSession({ baseUrl, fetch, now });
  const api = createApi(session, { baseUrl, fetch });
  const feed = createLiveFeed(session, api, { now });
  const seqs: number[] = [];
  const states: { state: string; atMs: number }[] = [];
  feed.onAlarmChange(({ seq }) => seqs.push(seq));
  feed.subscribe(() => {
    const { connection: state } = feed.getSnapshot();
    if (states.at(-1)?.state !== state) states.push({ state, atMs: performance.now() });
  });
  return {
    browser,
    session,
    api,
    feed,
    seqs,
    states,
    sleepFor: (ms) => {
      offsetMs += ms;
    },
    close: () => feed.stop(),
  };
}

/** A tab of the first administrator that shows the present alarms. */
export async function openLiveTab(baseUrl: string): Promise<Tab> {
  const tab = openTab(baseUrl);
  const { username, password } = firstAdmin;
  await tab.session.logIn(username, password);
  tab.feed.start();
  await untilState(tab, 'live');
  return tab;
}

export async function untilState({ feed }: Tab, state: string, timeout = 30_000): Promise<void> {
  await expect.poll(() => feed.getSnapshot().connection, { timeout, interval: 20 }).toBe(state);
}

/** The list of the server, read page by page while nothing changes. */
async function readList({ api }: Tab): Promise<Alarm[]> {
  const all: Alarm[] = [];
  for (;;) {
    const query = { inactiveMasked: 1, sort: '+id', limit: 1_000, offset: all.length };
    const { data } = await api.get<{ items: Alarm[] }>('/alarms', query);
    all.push(...data.items);
    if (data.items.length < 1_000) return all;
  }
}

export const shownBy = ({ feed }: Tab): Alarm[] =>
  [...feed.getSnapshot().alarms.values()].toSorted((one, other) => one.id - other.id);

/**
 * Waits until the tab shows the list of the server, and returns how long that took. The list is read again for each
 * comparison, because masks end meanwhile.
 */
export async function untilEqual(tab: Tab, withinMs: number): Promise<number> {
  const since = performance.now();
  for (;;) {
    const list = await readList(tab);
    const ms = performance.now() - since;
    const shown = shownBy(tab);
    if (ms > withinMs || isDeepStrictEqual(shown, list)) {
      const said = tab.states.map(({ state, atMs }) => `${state} ${Math.round(atMs - since)}`).join(', ');
      expect(shown, `the connection was ${said}; the last change ${tab.seqs.at(-1)}`).toEqual(list);
      expect(list.length).toBeGreaterThan(0);
      return ms;
    }
    await sleep(20);
  }
}
