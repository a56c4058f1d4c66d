import { type Browser, type Page, sizes } from '../../../acceptance/harness/console/chromium.ts';
import { firstAdmin } from '../../../acceptance/harness/server.ts';

export type FirstLoad = {
  /** Milliseconds from the navigation until a row has taken the focus by key. */
  readonly interactiveMs: number;
  /** Bytes on the wire: files of the console, and answers of the server. */
  readonly fileBytes: number;
  readonly dataBytes: number;
};

export type MeasuredDesk = { readonly page: Page; readonly firstLoad: FirstLoad };

/** Signs in, and keeps only what the browser remembers of it: the next page begins with an empty cache. */
async function signedInState(browser: Browser, baseUrl: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${baseUrl}/`);
  await page.getByLabel('User name').fill(firstAdmin.username);
  await page.getByLabel('Password').fill(firstAdmin.password);
  await page.getByRole('button', { name: 'Sign in and arm the sound' }).click();
  await page.locator('[role="grid"]').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Opens the live list in a browser that has seen nothing of it. */
export async function openMeasuredDesk(browser: Browser, baseUrl: string): Promise<MeasuredDesk> {
  const storageState = await signedInState(browser, baseUrl);
  const context = await browser.newContext({ viewport: sizes.desk, locale: 'en-GB', storageState });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const isData = new Map<string, boolean>();
  const bytes = { file: 0, data: 0 };
  session.on('Network.responseReceived', ({ requestId, response }) =>
    isData.set(requestId, response.url.includes('/api/')),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes[isData.get(requestId) === true ? 'data' : 'file'] += encodedDataLength;
  });
  await session.send('Network.enable');
  await page.goto(`${baseUrl}/`, { waitUntil: 'commit' });
  await page.locator('.row[data-alarm]').first().waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('.row.focus').waitFor();
  const interactiveMs = await page.evaluate(() => performance.now());
  await page.waitForTimeout(2_000);
  await session.detach();
  return { page, firstLoad: { interactiveMs, fileBytes: bytes.file, dataBytes: bytes.data } };
}
