import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOn } from '../harness/console/axe.ts';
import { type Desk, launch, sitDown, type Theme } from '../harness/console/browser.ts';
import { openPlant, type Plant } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

const widths = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

/** One page of each kind: the start, commands, long tables, tabs, diagrams, a decision. */
const kinds = [
  '',
  'first-alarm',
  'configuration',
  'samples',
  'architecture',
  'decisions/0001-postgresql-is-the-only-store',
];

/** All pages with `HELP_PAGES=all`, as in the nightly run, but for the decisions, of which one is like the other. */
function examinedPages(): readonly string[] {
  if (process.env['HELP_PAGES'] !== 'all') return sampleOf(kinds, 2);
  const site = fileURLToPath(new URL('../../packages/help/dist', import.meta.url));
  const pages = globSync('**/index.html', { cwd: site }).map((path) => dirname(path).replace(/^\.$/, ''));
  return [...pages.filter((name) => !name.startsWith('decisions/')), ...kinds.slice(-1)];
}

let plant: Plant;
let browser: Browser;
beforeAll(async () => {
  [plant, browser] = await Promise.all([openPlant('/alertws'), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Sight = { readonly width: keyof typeof widths; readonly theme: Theme };

/** A reader in front of the documentation, who must not meet a fault but those that are expected. */
async function withReader(
  { width, theme }: Sight,
  story: (desk: Desk) => Promise<void>,
  expected: readonly string[] = [],
): Promise<void> {
  const size = width === 'narrow' ? 'phone' : 'desk';
  const desk = await sitDown(browser, plant, { size, theme });
  try {
    await desk.page.setViewportSize(widths[width]);
    await desk.context.addInitScript((chosen) => {
      if (location.protocol !== 'about:') localStorage.setItem('starlight-theme', chosen);
    }, theme);
    await story(desk);
    expect(desk.faults).toEqual(expected.map((text) => expect.stringContaining(text)));
  } finally {
    await desk.close();
  }
}

const addressOf = (name: string) => `${plant.baseUrl}/help/${name === '' ? '' : `${name}/`}`;

/** Shows the page in a theme and a width, where nothing may stick out. */
async function showIn(page: Page, { width, theme }: Sight): Promise<void> {
  await page.setViewportSize(widths[width]);
  await page.evaluate((chosen) => {
    document.documentElement.dataset['theme'] = chosen;
    for (const change of document.getAnimations()) change.finish();
  }, theme);
  // The page makes code that must be scrolled focusable when it is idle.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('pre')].every(
      (code) => code.scrollWidth <= code.clientWidth || code.tabIndex === 0,
    ),
  );
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, `pixels that stick out, ${width}`).toBeLessThanOrEqual(0);
}

describe('a page', () => {
  /** The accessibility is examined in the first and the last of them, so in both themes and both widths: it takes seconds. */
  const sights: readonly Sight[] = [
    { width: 'wide', theme: 'light' },
    { width: 'wide', theme: 'dark' },
    { width: 'narrow', theme: 'light' },
    { width: 'narrow', theme: 'dark' },
  ];
  let desk: Desk;
  beforeAll(async () => {
    desk = await sitDown(browser, plant, {});
  });
  afterAll(() => desk?.close());

  test.for(examinedPages())('"%s" is accessible, loads nothing from outside and fits', async (name) => {
    const { page } = desk;
    await page.goto(addressOf(name), { waitUntil: 'networkidle' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const sight of sights) {
      await showIn(page, sight);
      if (sight === sights.at(0) || sight === sights.at(-1))
        expect(await violationsOn(page), `${sight.width}, ${sight.theme}`).toEqual([]);
      await desk.screenshot(`help-${name.replaceAll('/', '-') || 'start'}-${sight.width}-${sight.theme}`);
    }
    expect(desk.faults).toEqual([]);
  });
});

test.for(['light', 'dark'] as const)('a diagram is shown in the theme of the page, %s', (theme) =>
  withReader({ width: 'narrow', theme }, async ({ page }) => {
    await page.goto(addressOf('interface'), { waitUntil: 'networkidle' });
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
    const diagram = page.getByRole('img', { name: /^A normal tag \(0\) is raised/ });
    await diagram.scrollIntoViewIfNeeded();
    expect(await diagram.count()).toBe(1);
    await expect
      .poll(() => diagram.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(200);
    expect(await diagram.getAttribute('src')).toContain(`-${theme}.svg`);
  }),
);

test('an unknown address shows a page of the documentation, whose links work', () =>
  withReader(
    { width: 'wide', theme: 'light' },
    async ({ page }) => {
      const answer = await page.goto(addressOf('far/below/nothing'), { waitUntil: 'networkidle' });
      expect(answer?.status()).toBe(404);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Page not found');
      expect(await violationsOn(page)).toEqual([]);
      await page.getByRole('main').getByRole('link', { name: 'start' }).click();
      await page.waitForURL('**/alertws/help/');
    },
    // The browser notes the status of the page itself, and nothing else is missing.
    ['far/below/nothing'],
  ));

test.for(['wide', 'narrow'] as const)('the search finds a page without the outside, %s', (width) =>
  withReader({ width, theme: 'light' }, async ({ page }) => {
    await page.goto(addressOf('glossary'), { waitUntil: 'networkidle' });
    await page.locator('button[data-open-modal]').click();
    await page.getByPlaceholder('Search').fill('gammu');
    const found = page.locator('.pagefind-ui__result-title [href$="/help/sms/"]');
    await found.waitFor();
    await found.click();
    await page.waitForURL(`**/alertws/help/sms/**`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('SMS');
  }),
);

test('a sample is shown in the language of the reader, on each call', () =>
  withReader({ width: 'wide', theme: 'light' }, async ({ page }) => {
    await page.goto(addressOf('samples'), { waitUntil: 'networkidle' });
    await page.getByRole('tab', { name: 'Python' }).first().click();
    await expect
      .poll(() => page.locator('[role=tabpanel]:visible pre[data-language=python]').count())
      .toBe(12);
    await page.reload({ waitUntil: 'networkidle' });
    expect(await page.locator('[role=tabpanel]:visible pre[data-language=python]').count()).toBe(12);
  }));

test('the reader chooses the theme, which stays', () =>
  withReader({ width: 'wide', theme: 'light' }, async ({ page, context }) => {
    await page.goto(addressOf('sip'), { waitUntil: 'networkidle' });
    await page.getByLabel('Select theme').first().selectOption('dark');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    expect(await context.cookies()).toEqual([]);
  }));
