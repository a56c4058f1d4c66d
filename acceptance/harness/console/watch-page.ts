import type { BrowserContext, Page } from 'playwright-core';
import type { Desk } from './browser.ts';

/** What the browser itself says about a connection that is gone, or a session that has ended, is no fault of the page. */
const lostConnection = /net::ERR_(?!BLOCKED|FILE)|WebSocket connection to|^console: .*status of (400|401)/;

export const faultsOf = ({ faults }: Desk): string[] => faults.filter((fault) => !lostConnection.test(fault));

export const staleBar = (page: Page) => page.locator('.stalebar');

/** Moves the pointer out of the list, where nobody reads with it. */
export const lookAway = (page: Page): Promise<void> => page.mouse.move(700, 4);

type Seen = { readonly ids: readonly string[]; readonly tops: readonly number[]; readonly frames: number };

/** The alarms at a point of the screen and the upper edges of their rows, in each frame for some time. */
export function watchPoint(page: Page, point: { x: number; y: number }, ms: number): Promise<Seen> {
  return page.evaluate(
    async ({ x, y, until }) => {
      const ids = new Set<string>();
      const tops = new Set<number>();
      let frames = 0;
      const end = performance.now() + until;
      while (performance.now() < end) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-alarm]');
        ids.add(row?.dataset['alarm'] ?? 'none');
        if (row) tops.add(Math.round(row.getBoundingClientRect().top));
        frames += 1;
      }
      return { ids: [...ids], tops: [...tops], frames };
    },
    { ...point, until: ms },
  );
}

type WithBeeps = { beeps: number };

/** Counts the tones of the horn from the next page on, whether they are made or recorded. */
export async function countBeeps(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const counting = globalThis as unknown as WithBeeps;
    counting.beeps = 0;
    for (const { prototype } of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
      const start = prototype.start;
      prototype.start = function count(...times: [number?]) {
        counting.beeps += 1;
        return start.apply(this, times);
      };
    }
  });
}

export const beepsOf = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as WithBeeps).beeps);

type WithStates = { states: string[] };

/** Notes whether the page has shown that it is old, also while the test cannot ask. */
export async function noteStates(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    const noting = globalThis as unknown as WithStates;
    noting.states = [dataset['state'] ?? ''];
    const note = () =>
      noting.states.at(-1) !== dataset['state'] && noting.states.push(dataset['state'] ?? '');
    new MutationObserver(note).observe(document.documentElement, { attributeFilter: ['data-state'] });
  });
}

export const notedStates = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as WithStates).states);
