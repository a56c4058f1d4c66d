import type { Browser } from 'playwright-core';

/** The processes of a browser, which sleep and wake together. */
export type Laptop = { sleep(): void; wake(): void };

/**
 * Suspends all processes of a browser, as the lid of a laptop does: timers, network and pages stand still, and the clock on
 * the wall goes on.
 */
export async function openLaptop(browser: Browser): Promise<Laptop> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT') => {
    for (const { id } of processInfo) process.kill(id, signal);
  };
  return { sleep: () => signalAll('SIGSTOP'), wake: () => signalAll('SIGCONT') };
}
