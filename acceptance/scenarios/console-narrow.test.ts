import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, sitDown, themes } from '../harness/console/browser.ts';
import { beyondTheScreen, overlapsInTopBar, smallTargets } from '../harness/console/narrow.ts';
import { buildWaterworks, nightAlarms, raiseNight, type Waterworks } from '../harness/console/waterworks.ts';
import { create, granted, openPlant, type Plant, raise, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let plant: Plant;
let works: Waterworks;
let browser: Browser;
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  plant = await openPlant('');
  works = await buildWaterworks(plant);
  ids = await raiseNight(plant, works);
  await create(plant.client, 'users', { username: 'anna', name: 'Anna Keller', role: 'operator' });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Options = NonNullable<Parameters<typeof sitDown>[2]>;

async function withDesk(story: (desk: Desk) => Promise<void>, options: Options): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn();
    await story(desk);
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
}
const withPhone = (story: (desk: Desk) => Promise<void>, options: Options = {}) =>
  withDesk(story, { ...options, size: 'phone' });

const rowOf = ({ page }: Desk, path: string) => page.locator(`[data-alarm="${ids.get(path)}"]`);
const settings = (body: object) =>
  plant.client.send('PUT', '/api/v1/me/console-settings', { body, headers: {} });

const pages = [
  ['/', '.row[data-alarm]'],
  ['/areas', '.atiles .wt'],
  ['/flood', '.floodgrid .lane[data-area]'],
  ['/quiet', '.qgrid .card'],
] as const;

/** What does not fit the screen, lies over something else, or is too small for a finger. */
async function misfits({ page }: Desk): Promise<readonly string[]> {
  return [...(await beyondTheScreen(page)), ...(await overlapsInTopBar(page)), ...(await smallTargets(page))];
}

test.for(themes)('on a phone every page fits, has targets for a finger and no barrier, %s', (theme) =>
  withPhone(
    async (desk) => {
      for (const [path, mark] of pages) {
        await desk.page.goto(`${plant.baseUrl}${path}`);
        await desk.page.locator(mark).first().waitFor();
        await desk.page.waitForTimeout(300);
        await desk.screenshot(`narrow${path.replace('/', '-')}`);
        expect(await misfits(desk), path).toEqual([]);
        await desk.axe();
      }
    },
    { theme },
  ),
);

describe('on a phone', () => {
  test('an alarm is a card of two lines with priority, state, message and time', () =>
    withPhone(async (desk) => {
      const row = rowOf(desk, 'Sec.D14.OPEN');
      await row.waitFor();
      const box = await row.boundingBox();
      expect(box).toMatchObject({ width: 390, height: 64 });
      const line = async (cell: string) => Math.round((await row.locator(cell).boundingBox())?.y ?? 0);
      expect(await line('.c-st')).toBeGreaterThan(await line('.c-msg'));
      for (const text of ['High', 'New', 'Chlorine store door open'])
        expect(await row.getByText(text, { exact: true }).isVisible(), text).toBe(true);
      expect(await row.locator('.c-t').textContent()).toMatch(/\d:\d\d/);
    }));

  test('a card opens what to do over the list, with the actions below it', () =>
    withPhone(async (desk) => {
      const { page } = desk;
      await rowOf(desk, 'Chlor.CL203.CAL').click();
      await page.getByText('Start dosing pump P222').waitFor();
      const panel = await page.locator('.panel').boundingBox();
      const bar = await page.locator('.actionbar').boundingBox();
      expect(Math.round((panel?.y ?? 0) + (panel?.height ?? 0))).toBeLessThanOrEqual(
        Math.round(bar?.y ?? 0) + 1,
      );
      await desk.screenshot('narrow-panel');
      expect(await misfits(desk), 'panel').toEqual([]);
      await desk.axe();
      await page.getByRole('button', { name: 'Close panel' }).click();
      await rowOf(desk, 'Chlor.CL203.CAL').waitFor();
      expect(await page.locator('.actionbar').isVisible(), 'nothing is selected').toBe(false);
    }));

  test('an alarm of priority 1 is taken in the band', () =>
    withPhone(async (desk) => {
      await desk.page.locator('.band').getByRole('button', { name: 'Acknowledge' }).click();
      const state = () => read<{ state: number }>(plant.client, `alarms/${ids.get('Chlor.CL201.LL')}`);
      await expect.poll(state).toMatchObject({ state: 1 });
    }));

  test('filters fold away, and say when they hide alarms', () =>
    withPhone(async (desk) => {
      const { page } = desk;
      const fold = page.getByRole('button', { name: 'Filters', exact: true });
      await fold.click();
      await page.getByLabel('State').selectOption('rtn');
      await expect.poll(() => page.locator('.row[data-alarm]').count()).toBe(3);
      await desk.screenshot('narrow-filters');
      expect(await misfits(desk), 'filters').toEqual([]);
      await desk.axe();
      await page.getByRole('button', { name: 'Filters on' }).click();
      expect(await page.getByLabel('State').isVisible()).toBe(false);
    }));

  test('a filter is saved as a view and opened again', () =>
    withPhone(async (desk) => {
      const { page } = desk;
      await page.getByLabel('Search', { exact: true }).fill('pump');
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByLabel('Name of the view').fill('Pumps');
      expect(await misfits(desk), 'save view').toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
      await page.locator('.view', { hasText: 'Active' }).click();
      await page.getByRole('link', { name: /^Pumps/ }).click();
      await expect.poll(() => page.locator('.row[data-alarm]').count()).toBe(1);
      await page.getByRole('button', { name: 'Delete view' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
      await expect.poll(() => page.getByRole('link', { name: /^Pumps/ }).count()).toBe(0);
    }));

  test.for(sampleOf(['Mask…', 'Comment', 'Call…', 'Reset…'], 2))(
    'the dialog %s fits below the band',
    (name) =>
      withPhone(async (desk) => {
        const { page } = desk;
        await rowOf(desk, 'Int.TB001.H').click();
        await page.locator('.actionbar').getByRole('button', { name, exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await page.waitForTimeout(300);
        const band = await page.locator('.band').boundingBox();
        const dialog = await page.locator('.dialog').boundingBox();
        expect(dialog?.y ?? 0).toBeGreaterThanOrEqual((band?.y ?? 0) + (band?.height ?? 0) - 1);
        await desk.screenshot(`narrow-${name.replace(/\W/g, '').toLowerCase()}`);
        expect(await beyondTheScreen(page)).toEqual([]);
        expect((await smallTargets(page)).filter((target) => !target.startsWith('INPUT'))).toEqual([]);
        await desk.axe();
      }),
  );

  test('settings and keys are in the menu of the user', () =>
    withPhone(async (desk) => {
      const { page } = desk;
      for (const name of ['Settings', 'Keys']) {
        await page.locator('.who-am-i').click();
        await page.locator('.menu').getByRole('button', { name }).click();
        await page.getByRole('dialog').waitFor();
        await desk.screenshot(`narrow-${name.toLowerCase()}`);
        expect(await misfits(desk), name).toEqual([]);
        await desk.axe();
        await page.keyboard.press('Escape');
      }
    }));

  test.for(sampleOf(['de', 'fr', 'es'], 1))('nothing is cut off in %s', async (language) => {
    granted(await settings({ language }));
    try {
      await withPhone(async (desk) => {
        await expect.poll(() => desk.page.evaluate(() => document.documentElement.lang)).toBe(language);
        await desk.screenshot(`narrow-${language}`);
        expect(await beyondTheScreen(desk.page)).toEqual([]);
        await rowOf(desk, 'Int.TB001.H').click();
        await desk.page.locator('.panel').waitFor();
        await desk.screenshot(`narrow-panel-${language}`);
        expect(await beyondTheScreen(desk.page)).toEqual([]);
        const cut = await desk.page
          .locator('.actionbar .btn span')
          .evaluateAll((labels) =>
            labels
              .filter((label) => label.scrollWidth > label.clientWidth + 1)
              .map((label) => label.textContent),
          );
        expect(cut).toEqual([]);
      });
    } finally {
      granted(await settings({}));
    }
  });
});

describe('at a desk', () => {
  test('rows of 24 px show their texts whole', async () => {
    granted(await settings({ density: 24 }));
    try {
      await withDesk(
        async (desk) => {
          const row = rowOf(desk, 'Int.TB001.H');
          await expect.poll(async () => (await row.boundingBox())?.height).toBe(24);
          const cut = await desk.page
            .locator('.row[data-alarm] [role="gridcell"]')
            .evaluateAll((cells) => cells.filter((cell) => cell.scrollHeight > cell.clientHeight + 1).length);
          await desk.screenshot('dense');
          expect(cut).toBe(0);
          await desk.axe();
        },
        { size: 'desk' },
      );
    } finally {
      granted(await settings({}));
    }
  });

  test.for(sampleOf(['desk', 'phone'] as const, 1))(
    'from right to left no page is wider than the screen, %s',
    (size) =>
      withDesk(
        async (desk) => {
          const { page } = desk;
          await page.addInitScript(() => {
            document.addEventListener('DOMContentLoaded', () =>
              document.documentElement.setAttribute('dir', 'rtl'),
            );
          });
          for (const [path, mark] of pages) {
            await page.goto(`${plant.baseUrl}${path}`);
            await page.locator(mark).first().waitFor();
            await desk.screenshot(`rtl${path.replace('/', '-')}`);
            expect(await beyondTheScreen(page), path).toEqual([]);
          }
          await page.goto(`${plant.baseUrl}/`);
          const row = rowOf(desk, 'Int.TB001.H');
          const tick = await row.locator('.c-sel').boundingBox();
          const message = await row.locator('.c-msg').boundingBox();
          expect(tick?.x ?? 0, 'the row begins at the right').toBeGreaterThan(message?.x ?? 0);
        },
        { size },
      ),
  );

  test('the list of a flood holds new alarms back while somebody reads it', () =>
    withDesk(
      async ({ page }) => {
        await page.goto(`${plant.baseUrl}/flood`);
        await page.locator('.row[data-alarm]').first().hover();
        const count = async () => Number(await page.locator('.listgrid').getAttribute('aria-rowcount')) - 1;
        await expect.poll(count).toBeGreaterThanOrEqual(nightAlarms.length - 1);
        const before = await count();
        const body = { stationId: works.stationId, priority: 2, raised: true };
        await raise(plant.client, { ...body, path: 'Pow.F7', alarmMessage: 'Feeder 7 tripped' });
        await page.getByText('1 new').waitFor();
        expect(await count()).toBe(before);
        // Nobody reads any more.
        await page.mouse.move(1, 1);
        await expect.poll(count).toBe(before + 1);
      },
      { size: 'desk' },
    ));
});
