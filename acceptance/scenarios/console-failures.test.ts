import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, launch, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { buildWaterworks, type Waterworks } from '../harness/console/waterworks.ts';
import { openPlant, type Plant, raise, read } from '../harness/plant.ts';

let plant: Plant;
let works: Waterworks;
let browser: Browser;

beforeAll(async () => {
  plant = await openPlant('', { ROLES: 'api,hub,dispatch' });
  works = await buildWaterworks(plant);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

async function withDesk(story: (desk: Desk) => Promise<void>, theme: Theme = 'light') {
  const desk = await sitDown(browser, plant, { theme });
  try {
    await story(desk);
    // Chromium reports each request that fails; nothing else may go wrong.
    expect(desk.faults.filter((fault) => !fault.includes('net::ERR_'))).toEqual([]);
  } finally {
    await desk.close();
  }
}

test.each(themes)(
  'a desk whose server does not answer yet says so, and goes on by itself (%s)',
  async (theme) => {
    await withDesk(async (desk) => {
      const { page } = desk;
      await page.route('**/api/v1/setup', (route) => route.abort());
      await page.goto(`${plant.baseUrl}/`);
      await page.getByRole('alert').getByText('The server does not answer').waitFor();
      await desk.axe();
      await desk.screenshot('no-server');
      await page.unroute('**/api/v1/setup');
      await page.getByLabel('User name').waitFor();
    }, theme);
  },
);

test('a desk that was signed in comes back to its list when the server answers again', async () => {
  await withDesk(async (desk) => {
    const { page } = desk;
    await desk.signIn();
    await page.route('**/api/v1/auth/**', (route) => route.abort());
    await page.reload();
    await page.getByText('The server does not answer').waitFor();
    await page.unroute('**/api/v1/auth/**');
    await page.locator('[role="grid"], .allquiet').first().waitFor();
  });
});

test.each(themes)(
  'a page whose data cannot be read says so, and shows it when it can (%s)',
  async (theme) => {
    await withDesk(async (desk) => {
      const { page } = desk;
      await desk.signIn();
      // It can be read once somebody has clicked: the page also tries by itself.
      await page.route('**/api/v1/areas*', async (route) => {
        const isAsked = await page.evaluate(() => 'asked' in document.body.dataset);
        await (isAsked ? route.continue() : route.abort());
      });
      await page.getByRole('link', { name: 'Areas' }).click();
      const alert = page.getByRole('alert').filter({ hasText: 'could not be read' });
      await alert.waitFor();
      await desk.axe();
      await desk.screenshot('failed-read');
      await page.evaluate(() => {
        const note = () => {
          document.body.dataset['asked'] = '';
        };
        addEventListener('click', note, { capture: true });
      });
      await alert.getByRole('button', { name: 'Try now' }).click();
      await page.locator('main').getByText('Intake').first().waitFor();
      await alert.waitFor({ state: 'detached' });
    }, theme);
  },
);

test('what could not be read is read again without a click', async () => {
  await withDesk(async (desk) => {
    const { page } = desk;
    await desk.signIn();
    await page.route('**/api/v1/areas*', (route) => route.abort());
    await page.getByRole('link', { name: 'Areas' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'could not be read' });
    await alert.waitFor();
    await page.unroute('**/api/v1/areas*');
    await alert.waitFor({ state: 'detached', timeout: 25_000 });
    await page.locator('main').getByText('Intake').first().waitFor();
  });
});

test('without a connection the keys of an alarm page do nothing', async () => {
  const id = await raise(plant.client, {
    stationId: works.stationId,
    path: 'Offline.Pump',
    priority: 2,
    alarmMessage: 'Pump stopped',
  });
  await withDesk(async (desk) => {
    const { page, context } = desk;
    await desk.signIn();
    await page.locator(`.row[data-alarm="${id}"]`).dblclick();
    await page.getByRole('heading', { name: 'Pump stopped' }).first().waitFor();
    await context.setOffline(true);
    await page.getByText('No connection').first().waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('c');
    await page.waitForTimeout(300);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.setOffline(false);
    await page.getByText('Live', { exact: true }).first().waitFor();
    const alarm = await read<{ state: number }>(plant.client, `alarms/${id}`);
    expect(alarm.state & 2).toBe(2);
  });
});

test('the account has a name before it is known who is signed in', async () => {
  await withDesk(async (desk) => {
    const { page } = desk;
    await desk.signIn();
    const answers = Promise.withResolvers<void>();
    await page.route('**/api/v1/meta*', async (route) => {
      await answers.promise;
      await route.continue();
    });
    await page.reload();
    const account = page.locator('.who-am-i');
    await account.waitFor();
    expect(await account.getAttribute('aria-label')).toBe('My account');
    await desk.axe();
    answers.resolve();
    await page.getByRole('button', { name: /admin/i }).waitFor();
    expect(await account.getAttribute('aria-label')).toBeNull();
  });
});
