import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { openPlant, type Plant } from '../harness/plant.ts';

const widths = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

/** One page of each kind: the start, commands, long tables, tabs, a decision. */
const kinds = ['', 'first-alarm', 'configuration', 'samples', 'decisions/0001-postgresql-is-the-only-store'];

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

/** A reader in front of the documentation, who must not meet a fault. */
async function withReader({ width, theme }: Sight, story: (desk: Desk) => Promise<void>): Promise<void> {
  const size = width === 'narrow' ? 'phone' : 'desk';
  const desk = await sitDown(browser, plant, { size, theme });
  try {
    await desk.page.setViewportSize(widths[width]);
    await desk.context.addInitScript((chosen) => {
      if (location.protocol !== 'about:') localStorage.setItem('starlight-theme', chosen);
    }, theme);
    await story(desk);
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
}

const addressOf = (name: string) => `${plant.baseUrl}/help/${name === '' ? '' : `${name}/`}`;

describe.for(
  themes.flatMap((theme) => [{ width: 'wide', theme } as const, { width: 'narrow', theme } as const]),
)('in the theme $theme, $width', (sight) => {
  test.for(kinds)('the page "%s" is accessible, loads nothing from outside and fits', (name) =>
    withReader(sight, async (desk) => {
      const { page } = desk;
      await page.goto(addressOf(name), { waitUntil: 'networkidle' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(sight.theme);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, 'pixels that stick out').toBeLessThanOrEqual(0);
      await desk.axe();
      await desk.screenshot(`help-${name.replaceAll('/', '-') || 'start'}-${sight.width}`);
    }),
  );
});

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
