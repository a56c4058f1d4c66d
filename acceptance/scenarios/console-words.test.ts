import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, launch, sitDown, themes } from '../harness/console/browser.ts';
import { buildWaterworks, raiseNight } from '../harness/console/waterworks.ts';
import { openPlant, type Plant } from '../harness/plant.ts';

let plant: Plant;
let browser: Browser;

beforeAll(async () => {
  plant = await openPlant('');
  await raiseNight(plant, await buildWaterworks(plant));
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

async function withDesk(story: (desk: Desk) => Promise<void>, options = {}): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn();
    await story(desk);
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
}

async function openSettings({ page }: Desk): Promise<void> {
  await page.locator('.who-am-i').click();
  await page.locator('.menu button').first().click();
  await page.getByRole('dialog').waitFor();
}

const heightOfRow = ({ page }: Desk) =>
  page
    .locator('.row[data-alarm]')
    .first()
    .evaluate((row) => row.getBoundingClientRect().height);
const rootOf = ({ page }: Desk) =>
  page.evaluate(() => {
    const { lang, dataset } = document.documentElement;
    return { lang, isSteady: dataset['steady'] !== undefined, theme: dataset['theme'] };
  });

test.for(themes)('the settings of a user can be read by everybody, %s', (theme) =>
  withDesk(
    async (desk) => {
      await openSettings(desk);
      expect(await desk.page.getByRole('dialog').getByRole('group').count()).toBe(8);
      await desk.screenshot('settings');
      await desk.axe();
    },
    { theme },
  ),
);

test('an operator finds language, row height and steadiness at the next desk, but not its theme', async () => {
  const light = { theme: 'light' };
  await withDesk(async (desk) => {
    const { page } = desk;
    await openSettings(desk);
    for (const choice of ['Deutsch', 'Roomy, 36', 'Steady', 'Dark'])
      await page.getByRole('button', { name: choice, exact: true }).click();
    expect(await rootOf(desk)).toEqual({ lang: 'en', isSteady: false, theme: 'light' });
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect.poll(() => rootOf(desk)).toEqual({ lang: 'de', isSteady: true, theme: 'dark' });
    await page.getByRole('button', { name: 'Quittieren' }).first().waitFor();
  }, light);
  await withDesk(async (desk) => {
    await expect.poll(() => rootOf(desk)).toEqual({ lang: 'de', isSteady: true, theme: 'light' });
    await expect.poll(() => heightOfRow(desk)).toBe(36);
    await desk.screenshot('live-de');
    await desk.axe();
    await openSettings(desk);
    for (const choice of ['English', 'Mittel, 28', 'Blinken', 'Einstellungen sichern'])
      await desk.page.getByRole('button', { name: choice, exact: true }).click();
    await expect.poll(() => rootOf(desk)).toEqual({ lang: 'en', isSteady: false, theme: 'light' });
  }, light);
});

test('an operator saves a filter as a view, opens it at another desk, and deletes it', async () => {
  await withDesk(async (desk) => {
    const { page } = desk;
    await expect.poll(() => page.getByRole('button', { name: 'Save view' }).isDisabled()).toBe(true);
    await page.getByLabel('Search', { exact: true }).fill('pump');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByLabel('Name of the view').fill('Pumps');
    await desk.axe();
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('link', { name: /^Pumps/ }).waitFor();
  });
  await withDesk(async (desk) => {
    const { page } = desk;
    const tab = page.getByRole('link', { name: /^Pumps/ });
    await tab.click();
    await expect.poll(() => page.locator('.view[aria-current]').allTextContents()).toEqual(['Pumps 1']);
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('pump');
    expect(await tab.locator('i').textContent()).toBe(String(await page.locator('.row[data-alarm]').count()));
    await desk.screenshot('views');
    await page.getByRole('button', { name: 'Delete view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
    await expect.poll(() => tab.count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
  });
});
