import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { buildWaterworks, raiseNight, type Waterworks } from '../harness/console/waterworks.ts';
import { create, granted, openPlant, type Plant, raise } from '../harness/plant.ts';

let plant: Plant;
let works: Waterworks;
let browser: Browser;
let ids: ReadonlyMap<string, number>;
let calledId: number;

/** Anna and Ben are on call for an alarm of the laboratory. */
async function raiseCalledAlarm(): Promise<number> {
  const hire = (name: string) =>
    create(plant.client, 'users', {
      username: name.toLowerCase(),
      name,
      role: 'operator',
      media: [{ kind: 'Voice', address: '+33100004217' }],
    });
  const userIds = [await hire('Anna'), await hire('Ben')];
  const groupId = await create(plant.client, 'callgroups', {
    name: 'Process on-call',
    userIds,
    ackTimeout: 180,
    attempts: 1,
  });
  return raise(plant.client, {
    path: 'Lab.FRIDGE.H',
    stationId: works.stationId,
    priority: 2,
    alarmMessage: 'Sample fridge too warm',
    tagGroupId: works.areaIds.get('Laboratory'),
    alarmActions: [{ type: 'CallGroup', id: groupId }],
    location: { zone: 'laboratory, ground floor', beaconList: [{ id: 'b7', name: 'Fridge room' }] },
  });
}

beforeAll(async () => {
  plant = await openPlant('');
  works = await buildWaterworks(plant);
  ids = await raiseNight(plant, works);
  calledId = await raiseCalledAlarm();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

async function withAlarm(
  id: number | undefined,
  story: (desk: Desk) => Promise<void>,
  options: { size?: Size; theme?: Theme } = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(undefined, `/alarms/${id}`);
    await story(desk);
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
}

const chlorine = () => ids.get('Chlor.CL201.LL');

test.for(themes)('the page of an alarm, %s', (theme) =>
  withAlarm(
    chlorine(),
    async (desk) => {
      await desk.page.getByRole('heading', { name: 'Chlorine residual low-low' }).waitFor();
      await desk.page.getByText('Start dosing pump P222').waitFor();
      await desk.page.getByText('version 1, from Chlorination').waitFor();
      await desk.page.getByRole('link', { name: 'Chlorine store door open' }).waitFor();
      await desk.screenshot('alarm');
      await desk.axe();
    },
    { theme },
  ),
);

describe('an operator who has opened an alarm', () => {
  test('sees which alarms of the area came with it, and goes to one of them', () =>
    withAlarm(chlorine(), async ({ page }) => {
      await page.getByRole('link', { name: 'Chlorine store door open' }).click();
      await page.getByRole('heading', { level: 1, name: 'Chlorine store door open' }).waitFor();
      expect(page.url()).toBe(`${plant.baseUrl}/alarms/${ids.get('Sec.D14.OPEN')}`);
    }));

  test('sees who follows if nobody acknowledges, and where it is', () =>
    withAlarm(calledId, async ({ page }) => {
      await page.getByText('now; below is what follows').waitFor();
      const following = page.locator('.tlscroll .plan .tx');
      expect((await following.allTextContents()).slice(0, 2)).toEqual(['Anna, phone', 'Ben, phone']);
      await page.getByText('Fridge room').waitFor();
    }));

  test('reads what people hear on the telephone, also in another language', () =>
    withAlarm(calledId, async ({ page }) => {
      const said = page.locator('.said');
      await said.getByText('Sample fridge too warm').waitFor();
      await said.getByText('No telephone line is set up yet').waitFor();
      const english = await said.locator('p').first().textContent();
      await said.getByLabel('Language of the call').selectOption('de');
      await expect.poll(() => said.locator('p').first().textContent()).not.toBe(english);
      await said.locator('p[lang="de"]').getByText('Sample fridge too warm').waitFor();
    }));

  test('rehearses the alarm on Sunday at three, and nobody is called', () =>
    withAlarm(calledId, async (desk) => {
      const { page } = desk;
      await page.getByRole('button', { name: 'What if…' }).click();
      await page.getByRole('dialog').getByRole('combobox').selectOption({ label: 'Sunday' });
      await page.locator('input[type=time]').fill('03:00');
      const first = page.locator('.ladderbox .plan').first();
      await expect.poll(() => first.textContent()).toMatch(/^03:00:00Anna, phone/);
      await desk.axe();
      const { paging } = granted<{ paging: { total: number } }>(
        await plant.client.get('/api/v1/call/histories'),
      );
      expect(paging.total).toBe(0);
    }));

  test('comments and acknowledges by keys, and the timeline tells both', () =>
    withAlarm(calledId, async ({ page }) => {
      await page.getByRole('button', { name: 'Comment', exact: true, disabled: false }).waitFor();
      await page.keyboard.press('c');
      await page.getByRole('textbox').fill('Door was open');
      await page.getByRole('button', { name: 'Add comment' }).click();
      await page.locator('.timeline').getByText('“Door was open”').waitFor();
      await page.locator('main').focus();
      await page.keyboard.press('a');
      await page.locator('.timeline .ev b', { hasText: 'Acknowledged' }).waitFor();
      expect(await page.getByText('now; below is what follows').count()).toBe(0);
    }));
});

test('a phone shows the page of an alarm without scrolling sideways', () =>
  withAlarm(
    chlorine(),
    async (desk) => {
      await desk.page.getByText('Start dosing pump P222').waitFor();
      await desk.screenshot('alarm');
      const main = desk.page.locator('main');
      expect(await main.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    },
    { size: 'phone' },
  ));
