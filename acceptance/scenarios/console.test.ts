import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOn } from '../harness/console/axe.ts';
import { type Desk, launch, sitDown, themes } from '../harness/console/browser.ts';
import { buildWaterworks, nightAlarms, raiseNight, type Waterworks } from '../harness/console/waterworks.ts';
import { granted, openPlant, type Plant } from '../harness/plant.ts';

let plant: Plant;
let works: Waterworks;
let browser: Browser;
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  plant = await openPlant('');
  works = await buildWaterworks(plant);
  ids = await raiseNight(plant, works);
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

const rowOf = (desk: Desk, path: string) => desk.page.locator(`[data-alarm="${ids.get(path)}"]`);

test.for(themes)('the live list, %s', (theme) =>
  withDesk(
    async (desk) => {
      const { page } = desk;
      await expect.poll(() => page.locator('.row[data-alarm]').count()).toBe(nightAlarms.length - 1);
      await rowOf(desk, 'Chlor.CL201.LL').click();
      await page.getByText('Start dosing pump P222').waitFor();
      await desk.screenshot('live');
      await desk.axe();
    },
    { theme },
  ),
);

test('a barrier on a page is found: a picture without words, and text that is too pale', () =>
  withDesk(async ({ page }) => {
    await page.evaluate(() => {
      const sample = document.createElement('p');
      sample.textContent = 'Pale';
      sample.style.cssText =
        'position: fixed; inset: 0 auto auto 0; z-index: 9999; color: #eee; background: #fff';
      sample.append(document.createElement('img'));
      document.querySelector('main')?.append(sample);
    });
    const found = await violationsOn(page);
    expect(found).toContainEqual(expect.stringMatching(/^image-alt: .*<img>/));
    expect(found).toContainEqual(expect.stringMatching(/^color-contrast: .*Pale/));
    expect(await violationsOn(page, ['color-contrast'])).toEqual([
      expect.stringMatching(/^color-contrast: .*Pale/),
    ]);
  }));

describe('an operator', () => {
  test('finds an alarm, acknowledges it with one key, and the row changes', () =>
    withDesk(async (desk) => {
      const { page } = desk;
      const row = rowOf(desk, 'Sec.D14.OPEN');
      await row.click();
      await page.getByRole('grid').focus();
      await page.keyboard.press('a');
      await expect.poll(() => row.getAttribute('class')).toContain('is-ack');
      const { state } = granted<{ state: number }>(
        await plant.client.get(`/api/v1/alarms/${ids.get('Sec.D14.OPEN')}`),
      );
      expect(state).toBe(1);
    }));
});
