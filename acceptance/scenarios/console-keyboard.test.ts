import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, sitDown } from '../harness/console/browser.ts';
import {
  expectFocusSeen,
  findByKeyboard,
  focusSeen,
  signInByKeyboard,
  tabTo,
} from '../harness/console/keyboard.ts';
import { buildWaterworks, raiseNight, type Waterworks } from '../harness/console/waterworks.ts';
import {
  addPhones,
  create,
  granted,
  openPlant,
  type Page as PageOf,
  type Plant,
  raise,
  read,
} from '../harness/plant.ts';

let plant: Plant;
let works: Waterworks;
let browser: Browser;
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  plant = await openPlant('');
  works = await buildWaterworks(plant);
  ids = await raiseNight(plant, works);
  await addPhones(plant.client);
  const media = [{ kind: 'Voice', address: '+33100004217' }];
  await create(plant.client, 'users', { username: 'anna', name: 'Anna Keller', role: 'operator', media });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

/** A desk whose mouse must not be used. */
async function withKeyboard(story: (desk: Desk) => Promise<void>): Promise<void> {
  const desk = await sitDown(browser, plant);
  try {
    await desk.context.addInitScript(() => {
      addEventListener('pointerdown', () => document.documentElement.setAttribute('data-mouse', ''), true);
    });
    await signInByKeyboard(desk.page, plant.baseUrl);
    await story(desk);
    expect(await desk.page.locator('html[data-mouse]').count(), 'no mouse was used').toBe(0);
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
}

type Stored = { state: number; masked: boolean; comment: string; ackUser: string; maskReason?: string };
const stored = (path: string) => read<Stored>(plant.client, `alarms/${ids.get(path)}`);
const inList = ({ page }: Desk) => page.evaluate(() => document.activeElement?.matches('[role="grid"]'));

describe('without a mouse an operator', () => {
  test('finds an alarm by a word of its message and acknowledges it, and the row keeps the focus', () =>
    withKeyboard(async (desk) => {
      await findByKeyboard(desk.page, 'store door');
      await desk.page.keyboard.press('a');
      await expect.poll(async () => (await stored('Sec.D14.OPEN')).state).toBe(1);
      await expect.poll(() => desk.page.locator('.row.focus').getAttribute('class')).toContain('is-ack');
      await expectFocusSeen(desk.page, 'the acknowledgment');
    }));

  test('finds alarms by tag, station and comment as well', () =>
    withKeyboard(async ({ page }) => {
      const count = () => page.locator('.row[data-alarm]').count();
      await findByKeyboard(page, 'Bel.LT210');
      await page.keyboard.press('/');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('valmont');
      await expect.poll(count).toBeGreaterThan(10);
      granted(
        await plant.client.post(`/api/v1/alarms/${ids.get('Tel.BEL.COMM')}/comment`, { comment: 'rodent' }),
      );
      await page.keyboard.press('Control+a');
      await page.keyboard.type('rodent');
      await expect.poll(count).toBe(1);
    }));

  test('masks an alarm for a reason and ends the mask', () =>
    withKeyboard(async (desk) => {
      const { page } = desk;
      await findByKeyboard(page, 'falling fast');
      await page.keyboard.press('s');
      await page.keyboard.type('level sensor exchanged');
      await expectFocusSeen(page, 'typing the reason');
      await page.keyboard.press('Enter');
      await expect.poll(() => stored('Bel.LT210.ROC')).toMatchObject({ masked: true });
      expect((await stored('Bel.LT210.ROC')).maskReason).toBe('level sensor exchanged');
      await expect.poll(() => inList(desk)).toBe(true);
      await expectFocusSeen(page, 'the mask');
      await expect.poll(() => page.locator('.row.focus').getAttribute('class')).toContain('is-mask');
      await page.keyboard.press('u');
      await expect.poll(() => stored('Bel.LT210.ROC')).toMatchObject({ masked: false });
      await expectFocusSeen(page, 'the end of the mask');
    }));

  test('comments on an alarm', () =>
    withKeyboard(async (desk) => {
      const { page } = desk;
      await findByKeyboard(page, 'calibration due');
      await page.keyboard.press('c');
      await page.keyboard.type('Ordered for Monday');
      await tabTo(page, '.dialog .btn.primary');
      await page.keyboard.press('Enter');
      await expect.poll(() => stored('Chlor.CL203.CAL')).toMatchObject({ comment: 'Ordered for Monday' });
      await expect.poll(() => inList(desk)).toBe(true);
      await expectFocusSeen(page, 'the comment');
    }));

  test('calls somebody about an alarm', () =>
    withKeyboard(async (desk) => {
      const { page } = desk;
      await findByKeyboard(page, 'raw water');
      await page.keyboard.press('Shift+K');
      await page.keyboard.type('Anna');
      await page.getByRole('radio').first().waitFor();
      await tabTo(page, 'input[type="radio"]');
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Call Anna Keller' }).waitFor();
      await tabTo(page, '.dialog .btn.primary');
      await page.keyboard.press('Enter');
      const calls = () => read<PageOf<{ message: string }>>(plant.client, 'calls');
      await expect.poll(async () => (await calls()).items.length).toBe(1);
      expect((await calls()).items[0]?.message).toContain('Raw water turbidity');
      await expect.poll(() => inList(desk)).toBe(true);
      await expectFocusSeen(page, 'the call');
    }));

  test('resets an alarm after a question', () =>
    withKeyboard(async (desk) => {
      const { page } = desk;
      await findByKeyboard(page, 'head loss');
      await page.keyboard.press('r');
      await page.getByText('You say that the fault is gone.').waitFor();
      await expectFocusSeen(page, 'the question');
      await page.keyboard.press('Enter');
      await expect.poll(() => stored('Filt.DP404.H')).toMatchObject({ state: 0 });
      await expect.poll(() => inList(desk)).toBe(true);
      await expectFocusSeen(page, 'the reset');
    }));

  test('takes all alarms on the screen at once, after reading how many of each priority', () =>
    withKeyboard(async (desk) => {
      const { page } = desk;
      await tabTo(page, '[role="grid"]');
      await page.keyboard.press('/');
      await page.keyboard.type('telemetry');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.row[data-alarm]').count()).toBe(1);
      await page.keyboard.press('Shift+A');
      await page.getByRole('dialog').getByText('Acknowledge 1 alarm on the screen?').waitFor();
      expect(await page.locator('.counts').textContent()).toBe('21High');
      await desk.axe();
      expect((await stored('Tel.BEL.COMM')).state, 'nothing is done before the answer').toBe(3);
      await page.keyboard.press('Enter');
      await expect.poll(() => stored('Tel.BEL.COMM')).toMatchObject({ state: 1 });
      await expectFocusSeen(page, 'the acknowledgments');
    }));

  test('sees the focus at every stop of the page, from the first to the last', () =>
    withKeyboard(async ({ page }) => {
      const lost: string[] = [];
      for (let stop = 0; stop < 45; stop++) {
        await page.keyboard.press('Tab');
        const active = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 90) ?? '');
        if (!active.startsWith('<body') && (await focusSeen(page)) === undefined) lost.push(active);
      }
      expect(lost).toEqual([]);
    }));

  test('takes an alarm in the band, and the focus goes to the list when the button is gone', () =>
    withKeyboard(async ({ page }) => {
      await tabTo(page, '.band .btn.primary');
      await page.keyboard.press('Enter');
      await expect.poll(() => stored('Chlor.CL201.LL')).toMatchObject({ state: 1 });
      await expect.poll(() => page.locator('.band .btn.primary').count()).toBe(0);
      await expectFocusSeen(page, 'the acknowledgment in the band');
    }));
});

describe('the keys', () => {
  test('are all shown by ?, and Escape leads back to where the focus was', () =>
    withKeyboard(async (desk) => {
      const { page } = desk;
      await tabTo(page, '[role="grid"]');
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
      expect(await page.locator('.keylist dd').count()).toBe(25);
      await desk.axe();
      await desk.screenshot('keys');
      await page.keyboard.press('Escape');
      await expect.poll(() => inList(desk)).toBe(true);
    }));

  test('G and A lead to the alarms from another page, and nothing is acknowledged', () =>
    withKeyboard(async ({ page }) => {
      await page.goto(`${plant.baseUrl}/areas`);
      await page.locator('.atiles .wt').first().waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('a');
      await page.locator('[role="grid"]').waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
    }));

  test('need Alt after a user has switched single keys off', async () => {
    const settings = (singleKeys: boolean) =>
      plant.client.send('PUT', '/api/v1/me/console-settings', { body: { singleKeys }, headers: {} });
    granted(await settings(false));
    try {
      await withKeyboard(async ({ page }) => {
        await expect.poll(() => page.locator('.actionbar kbd').last().textContent()).toBe('Alt A');
        await tabTo(page, '[role="grid"]');
        await page.keyboard.press('Home');
        const row = page.locator('.row.focus');
        const first = await row.getAttribute('data-alarm');
        await page.keyboard.press('j');
        await page.keyboard.press('s');
        expect(await row.getAttribute('data-alarm'), 'a letter alone does nothing').toBe(first);
        expect(await page.getByRole('dialog').count()).toBe(0);
        await page.keyboard.press('Alt+s');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
      });
    } finally {
      granted(await settings(true));
    }
  });

  test('Z freezes the list: new alarms wait, those of priority 1 are in the band, Z lets them in', () =>
    withKeyboard(async ({ page }) => {
      await tabTo(page, '[role="grid"]');
      await page.keyboard.press('z');
      await page.getByText('Frozen.').waitFor();
      await tabTo(page, '.filters input', { back: true });
      const places = () => page.locator('.row[data-alarm]').evaluateAll(rowsInOrder);
      const before = await places();
      const body = { stationId: works.stationId, raised: true };
      await raise(plant.client, {
        ...body,
        path: 'Int.P101.TRIP',
        priority: 2,
        alarmMessage: 'P101 tripped',
      });
      await raise(plant.client, { ...body, path: 'Chlor.GAS', priority: 1, alarmMessage: 'Chlorine gas' });
      await page.getByText('2 new alarms wait.').waitFor();
      expect(await places()).toEqual(before);
      expect(await page.locator('.band').textContent()).toContain('Chlorine gas');
      await tabTo(page, '[role="grid"]');
      await page.keyboard.press('z');
      await expect.poll(() => page.locator('.held').count()).toBe(1);
      await page.keyboard.press('n');
      await expect.poll(async () => (await places()).length).toBe(before.length + 2);
    }));
});

/** The alarms in the order in which they stand. */
const rowsInOrder = (rows: Element[]) =>
  rows
    .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
    .map((row) => row.getAttribute('data-alarm'));

describe('a screen reader', () => {
  test('hears one sentence for alarms that come together, not one per row', () =>
    withKeyboard(async ({ page }: { page: Page }) => {
      const region = page.locator('[data-announcer]');
      expect(await region.textContent(), 'what was there before is no news').toBe('');
      const said: string[] = [];
      await page.exposeFunction('hear', (text: string) => said.push(text));
      await region.evaluate((element) => {
        const { hear } = globalThis as unknown as { hear(text: string): void };
        new MutationObserver(() => hear(element.textContent ?? '')).observe(element, {
          childList: true,
          characterData: true,
          subtree: true,
        });
      });
      const flood = Array.from({ length: 12 }, (_, n) =>
        raise(plant.client, { path: `Flood.${n}`, priority: n === 0 ? 2 : 3, alarmMessage: `Flood ${n}` }),
      );
      await Promise.all(flood);
      await expect.poll(() => said.length, { timeout: 15_000 }).toBeGreaterThan(0);
      await expect
        .poll(() => said.reduce((sum, text) => sum + Number(/^(\d+) new/.exec(text)?.[1] ?? 1), 0), {
          timeout: 15_000,
        })
        .toBe(12);
      expect(said.length).toBeLessThanOrEqual(3);
      expect(said.join(' ')).toContain('Medium');
      expect(await page.locator('[aria-live]').count(), 'one region speaks').toBe(1);
    }));
});
