import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Plant } from '../plant.ts';
import { firstAdmin } from '../server.ts';
import { violationsOn } from './axe.ts';
import { isQuick, launch, type Size, sizes, type Theme, themes } from './chromium.ts';

const screenshots = fileURLToPath(new URL('../../../test-results/console', import.meta.url));

export { launch, type Size, type Theme, themes };

export type Desk = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What a page must not do: errors, violations of the policy, requests that leave the box. */
  readonly faults: readonly string[];
  /** Signs in at the address of a page, which is shown afterwards: the list of alarms if no other is named. */
  signIn(user?: { username: string; password: string }, path?: string): Promise<void>;
  /** Fails on each violation of the rules of accessibility. */
  axe(): Promise<void>;
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
};

/** Notes what a tab must not do. */
function watch(page: Page, origin: string, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin) faults.push(`outside: ${url}`);
  });
}

/** A browser at a desk, which watches the page for faults. */
export async function sitDown(
  browser: Browser,
  { baseUrl }: Pick<Plant, 'baseUrl'>,
  {
    size = 'desk',
    theme = themes[0] ?? 'light',
    locale = 'en-GB',
  }: { size?: Size; theme?: Theme; locale?: string } = {},
): Promise<Desk> {
  const context = await browser.newContext({
    viewport: sizes[size],
    reducedMotion: 'reduce',
    locale,
  });
  const faults: string[] = [];
  await context.exposeFunction('reportViolation', (text: string) => faults.push(text));
  await context.addInitScript((chosen) => {
    // An empty page, such as the first of a new tab, has no storage.
    if (location.protocol !== 'about:') localStorage.setItem('tocsin-theme', chosen);
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { reportViolation } = globalThis as unknown as { reportViolation(text: string): void };
      reportViolation(`policy: ${violatedDirective} ${blockedURI}`);
    });
  }, theme);
  context.on('page', (opened) => watch(opened, new URL(baseUrl).origin, faults));
  const page = await context.newPage();
  return {
    page,
    context,
    faults,
    signIn: async ({ username, password } = firstAdmin, path = '/') => {
      await page.goto(`${baseUrl}${path}`);
      // By their names, which are the same in every language.
      await page.locator('input[name=username]').fill(username);
      await page.locator('input[name=password]').fill(password);
      await page.locator('button[type=submit]').click();
      if (path === '/') await page.locator('[role="grid"], .allquiet').first().waitFor();
      else await page.locator('input[name=password]').waitFor({ state: 'detached' });
    },
    axe: async () => expect(await violationsOn(page)).toEqual([]),
    screenshot: async (name) => {
      if (isQuick) return;
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}-${size}-${theme}.png`) });
    },
    close: () => context.close(),
  };
}
