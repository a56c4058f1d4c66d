import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, themes } from '../harness/console/browser.ts';
import { buildWaterworks, nightAlarms, raiseNight, type Waterworks } from '../harness/console/waterworks.ts';
import { granted, openPlant, type Plant } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let busy: Plant;
let quiet: Plant;
let works: Waterworks;
let browser: Browser;

beforeAll(async () => {
  busy = await openPlant('');
  works = await buildWaterworks(busy);
  granted(await busy.client.post('/api/v1/taggroups', { name: 'Clear water', stationId: works.stationId }));
  await raiseNight(busy, works);
  quiet = await openPlant('');
  await buildWaterworks(quiet);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await busy?.close();
  await quiet?.close();
});

type Options = NonNullable<Parameters<typeof sitDown>[2]>;

async function withDesk(plant: Plant, story: (desk: Desk) => Promise<void>, options: Options = {}) {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn();
    await story(desk);
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
}

const open = (desk: Desk, plant: Plant, path: string) => desk.page.goto(`${plant.baseUrl}${path}`);
const sizes: readonly Size[] = ['desk', 'wide', 'phone'];
const looks = sampleOf(
  themes.flatMap((theme) => sizes.map((size) => ({ theme, size }))),
  1,
);

test.for(looks)('areas, wall, flood and quiet pages, $theme, $size', (look) =>
  withDesk(
    busy,
    async (desk) => {
      for (const [path, mark] of [
        ['/areas', '.atiles .wt'],
        ['/wall', '.wtiles .wt'],
        ['/flood', '.floodgrid .lane[data-area]'],
        ['/quiet', '.qgrid .card'],
      ] as const) {
        await open(desk, busy, path);
        await desk.page.locator(mark).first().waitFor();
        await desk.page.waitForTimeout(500);
        expect(await desk.page.locator('main h1').count()).toBe(1);
        await desk.screenshot(path.slice(1));
        await desk.axe();
      }
    },
    look,
  ),
);

test.for(themes)('a plant without alarms, %s', (theme) =>
  withDesk(
    quiet,
    async (desk) => {
      await desk.page.getByRole('heading', { name: 'Ways to call people' }).waitFor();
      expect(await desk.page.locator('.row[data-alarm]').count()).toBe(0);
      await desk.screenshot('live-quiet');
      await desk.axe();
    },
    { theme },
  ),
);

const tileNames = (desk: Desk) => desk.page.locator('.wt h2').allTextContents();

describe('the areas', () => {
  test('are in the order of their names, and a quiet one says so', () =>
    withDesk(busy, async (desk) => {
      await open(desk, busy, '/areas');
      await expect.poll(() => tileNames(desk)).toHaveLength(9);
      const names = await tileNames(desk);
      expect(names).toEqual(names.toSorted());
      const calm = desk.page.locator('.wt', { hasText: 'Clear water' });
      expect(await calm.textContent()).toContain('no alarm');
    }));

  test('lead to the list of one area', () =>
    withDesk(busy, async (desk) => {
      await open(desk, busy, '/areas');
      await desk.page.locator('.wt', { hasText: 'High lift' }).click();
      await expect.poll(() => desk.page.locator('.row[data-alarm]').count()).toBe(2);
      expect(new URL(desk.page.url()).searchParams.get('areaId')).toBe(
        String(works.areaIds.get('High lift')),
      );
    }));
});

describe('the wall', () => {
  test('has priority 1 on top, nothing to press, and no text below 40 px', () =>
    withDesk(
      busy,
      async (desk) => {
        await open(desk, busy, '/wall');
        await expect.poll(() => tileNames(desk)).toHaveLength(9);
        await expect
          .poll(() => desk.page.locator('.wp1 .wm b').allTextContents())
          .toEqual(['Chlorine residual low-low', 'P302 tripped, no standby']);
        expect(await desk.page.locator('button, a, input').count()).toBe(0);
        expect(await smallestText(desk)).toBeGreaterThanOrEqual(40);
      },
      { size: 'wide' },
    ));

  test('shows a new alarm in the tile of its area, and no tile moves', () =>
    withDesk(
      busy,
      async (desk) => {
        await open(desk, busy, '/wall');
        await expect.poll(() => tileNames(desk)).toHaveLength(9);
        const before = await tileNames(desk);
        const tile = desk.page.locator('.wt', { hasText: 'Telemetry' });
        await expect.poll(() => tile.locator('.wn').textContent()).toBe('1');
        const place = await tile.boundingBox();
        const path = 'Tel.HAU.COMM';
        const body = {
          stationId: works.stationId,
          path,
          priority: 2,
          tagGroupId: works.areaIds.get('Telemetry'),
        };
        granted(
          await busy.client.post('/api/v1/alarms', { ...body, alarmMessage: 'Link lost', raised: true }),
        );
        await expect.poll(() => tile.locator('.wn').textContent()).toBe('2');
        expect(await tileNames(desk)).toEqual(before);
        expect(await tile.boundingBox()).toEqual(place);
      },
      { size: 'wide' },
    ));
});

/** The numbers inside symbols repeat the shape beside them, and the name for screen readers is not seen. */
function smallestText({ page }: Desk): Promise<number> {
  return page.evaluate(() => {
    const isText = (element: Element) =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      );
    const shown = [...document.querySelectorAll('.wallp *:not(svg *, .vh)')].filter(isText);
    return Math.min(...shown.map((element) => Number.parseFloat(getComputedStyle(element).fontSize)));
  });
}

describe('in a flood', () => {
  test('the button stands out, the key F opens the view, and Esc leads back', () =>
    withDesk(busy, async ({ page }) => {
      await page.locator('.views .btn.primary', { hasText: 'Flood' }).waitFor();
      await page.getByRole('grid', { name: 'Active alarms' }).focus();
      await page.keyboard.press('f');
      await page.getByRole('heading', { name: /^Flood: \d+ alarms in 7 areas/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.filters').waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
    }));

  test('the alarm that came first is outlined and named', () =>
    withDesk(busy, async (desk) => {
      await open(desk, busy, '/flood');
      const first = desk.page.locator('.firstout');
      await first.waitFor();
      expect(await first.count()).toBe(1);
      expect(await first.getAttribute('title')).toBe('First out: Chlorine residual low-low');
      expect(await desk.page.locator('.row', { has: desk.page.locator('.flag') }).count()).toBe(1);
      expect(await desk.page.locator('.floodhead').textContent()).toContain(
        'First out Chlorine residual low-low',
      );
    }));

  test('an area that is chosen, also with the keyboard, filters the list below', () =>
    withDesk(busy, async (desk) => {
      const { page } = desk;
      await open(desk, busy, '/flood');
      const messages = page.locator('.row[data-alarm] .c-msg');
      await page.locator('[data-area="High lift"]').click();
      await expect
        .poll(() => messages.allTextContents())
        .toEqual(['P302 tripped, no standby', 'Outlet pressure low']);
      await page.locator('[data-area="Filters"]').focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => messages.count()).toBe(2);
      expect(await page.locator('.lane.sel').getAttribute('data-area')).toBe('Filters');
      await page.getByRole('button', { name: 'All areas' }).click();
      const list = page.locator('.listgrid');
      await expect
        .poll(async () => Number(await list.getAttribute('aria-rowcount')) - 1)
        .toBeGreaterThanOrEqual(nightAlarms.length - 1);
    }));
});

describe('without alarms', () => {
  test('the proof takes the place of the empty list until the first alarm', () =>
    withDesk(quiet, async ({ page }) => {
      await page.getByRole('heading', { name: 'No active alarms' }).waitFor();
      expect(await page.locator('.qfacts').textContent()).toContain('Server heard');
      expect(await page.locator('.qgrid').textContent()).toContain('PLC-VAL');
      const alarm = { stationId: 1, path: 'Int.TB001.H', priority: 3, alarmMessage: 'Turbidity high' };
      const id = granted<number>(await quiet.client.post('/api/v1/alarms', { ...alarm, raised: true }));
      await page.locator(`[data-alarm="${id}"]`).waitFor();
      await page.mouse.move(1, 1);
      granted(await quiet.client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
      granted(await quiet.client.post('/api/v1/alarms', { ...alarm, raised: false }));
      await page.getByRole('heading', { name: 'No active alarms' }).waitFor();
      await page.getByRole('link', { name: 'Turbidity high' }).waitFor();
    }));

  test('a filter that hides nothing says so, and is not mistaken for a quiet plant', () =>
    withDesk(quiet, async (desk) => {
      await open(desk, quiet, '/?search=chlorine');
      await desk.page.locator('.filters').waitFor();
      await desk.page.locator('.empty').waitFor();
      expect(await desk.page.locator('.allquiet').count()).toBe(0);
    }));
});
