import type { Browser, Page } from '../../../acceptance/harness/console/chromium.ts';

export type Frames = {
  /** Milliseconds between frames. */
  readonly deltas: readonly number[];
  readonly mostRows: number;
  /** How often another row, or the same one elsewhere, was under the pointer. */
  readonly pointerMoves: number;
};

type Probe = {
  deltas: number[];
  mostRows: number;
  pointerMoves: number;
  point: { x: number; y: number } | undefined;
};
type WithProbe = { probe: Probe };

/** Looks at the page in each frame. */
export async function startProbe(page: Page): Promise<void> {
  await page.evaluate(() => {
    const probe: Probe = { deltas: [], mostRows: 0, pointerMoves: 0, point: undefined };
    (globalThis as unknown as WithProbe).probe = probe;
    let [last, place] = [performance.now(), ''];
    const look = (now: number) => {
      probe.deltas.push(now - last);
      last = now;
      probe.mostRows = Math.max(probe.mostRows, document.querySelectorAll('.row[data-alarm]').length);
      const { point } = probe;
      const row = point && document.elementFromPoint(point.x, point.y)?.closest<HTMLElement>('[data-alarm]');
      const present = row ? `${row.dataset['alarm']} at ${row.getBoundingClientRect().top}` : '';
      if (place !== '' && point && present !== place) probe.pointerMoves += 1;
      place = present;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** From now on the row at this point must stay; without a point the pointer is not watched. */
export async function watchPointer(page: Page, point?: { x: number; y: number }): Promise<void> {
  if (point) await page.mouse.move(point.x, point.y);
  await page.evaluate((watched) => {
    (globalThis as unknown as WithProbe).probe.point = watched;
  }, point);
}

export const framesOf = (page: Page): Promise<Frames> =>
  page.evaluate(() => (globalThis as unknown as WithProbe).probe);

/** Bytes of the heap of the page after a collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** Seconds of CPU that the pages of the browser have taken so far. Unlike times of frames they do not depend on other load. */
export async function cpuOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

type WithTime = { acknowledged: Promise<number> };

/** Presses the key that acknowledges on the next new alarm of the list, and measures until its row has changed. */
export async function acknowledgeNext(page: Page): Promise<number> {
  for (let steps = 0; steps < 200; steps++) {
    await page.keyboard.press('ArrowDown');
    if ((await page.locator('.row.focus.is-new').count()) > 0) break;
  }
  await timeNextKey(page);
  await page.keyboard.press('a');
  return page.evaluate(() => (globalThis as unknown as WithTime).acknowledged);
}

/** Measures from the next key until the row with the focus is acknowledged. */
async function timeNextKey(page: Page): Promise<void> {
  await page.evaluate(() => {
    const id = document.querySelector('.row.focus')?.id ?? '';
    const timed = Promise.withResolvers<number>();
    const look = (pressedAt: number) => {
      const classes = document.getElementById(id)?.classList;
      // The storm may end the fault meanwhile: then the alarm is over as soon as it is acknowledged.
      if (classes?.contains('is-ack') || classes?.contains('is-over'))
        timed.resolve(performance.now() - pressedAt);
    };
    const onKey = () => {
      const pressedAt = performance.now();
      const observer = new MutationObserver(() => look(pressedAt));
      observer.observe(document.body, { subtree: true, attributeFilter: ['class'] });
      void timed.promise.finally(() => observer.disconnect());
    };
    addEventListener('keydown', onKey, { capture: true, once: true });
    setTimeout(() => timed.reject(new Error(`${id} was not acknowledged within 10 s`)), 10_000);
    (globalThis as unknown as WithTime).acknowledged = timed.promise;
  });
}
