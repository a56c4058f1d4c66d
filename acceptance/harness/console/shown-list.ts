import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Alarm } from '@tocsin/contract';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { granted } from '../http/granted.ts';
import type { HttpClient } from '../http/http-client.ts';

/** `17 new`: an alarm and its state. */
type Line = string;

const stateOf = ({ state, masked }: Alarm) =>
  masked ? 'mask' : (['over', 'ack', 'rtn', 'new'][state & 3] ?? 'over');

/** The alarms of `GET /alarms`, all pages, in the order of their numbers. */
export async function listedBy(client: HttpClient): Promise<Line[]> {
  const all: Alarm[] = [];
  for (;;) {
    const query = `inactiveMasked=1&sort=%2Bid&limit=1000&offset=${all.length}`;
    const { items } = granted<{ items: Alarm[] }>(await client.get(`/api/v1/alarms?${query}`));
    all.push(...items);
    if (items.length < 1_000) return all.map((alarm) => `${alarm.id} ${stateOf(alarm)}`);
  }
}

const countOf = async (page: Page): Promise<number> =>
  Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;

/** The rows of the list by their place, read by scrolling from the first to the last. */
async function rowsOf(page: Page): Promise<Line[]> {
  const rows = await page.evaluate(async () => {
    const grid = document.querySelector('[role="grid"]');
    const found = new Map<number, string>();
    if (!grid) return [];
    for (let top = 0; ; top += grid.clientHeight - 60) {
      grid.scrollTop = top;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      for (const row of grid.querySelectorAll<HTMLElement>('[data-alarm]')) {
        const state = /is-(\w+)/.exec(row.className)?.[1] ?? '';
        found.set(Number(row.ariaRowIndex), `${row.dataset['alarm']} ${state}`);
      }
      if (top + grid.clientHeight >= grid.scrollHeight) break;
    }
    grid.scrollTop = 0;
    return [...found].toSorted(([one], [other]) => one - other).map(([, line]) => line);
  });
  return rows.toSorted((one, other) => Number.parseInt(one) - Number.parseInt(other));
}

/**
 * Waits until the list on the screen is that of the server: the same alarms in the same states, none missing and none twice.
 * Returns how long that took.
 */
export async function untilShown(page: Page, client: HttpClient, withinMs: number): Promise<number> {
  const since = performance.now();
  for (;;) {
    const listed = await listedBy(client);
    const count = await countOf(page);
    const ms = performance.now() - since;
    // Reading takes its time, which is not that of the console.
    const shown = count === listed.length || ms > withinMs ? await rowsOf(page) : [];
    if (ms > withinMs || isDeepStrictEqual(shown, listed)) {
      expect(shown).toEqual(listed);
      expect(listed.length).toBeGreaterThan(0);
      return Math.round(ms);
    }
    await sleep(50);
  }
}
