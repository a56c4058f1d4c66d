import type { TimelineEntry } from '@tocsin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, themes } from '../harness/console/browser.ts';
import { byName, hire, type Person } from '../harness/console/people.ts';
import { signedInDesk } from '../harness/console/signed-in-desk.ts';
import { granted, openPlant, type Plant, raise, read } from '../harness/plant.ts';

let plant: Plant;
let browser: Browser;

/** Servers read the rights of a session again after a few seconds. */
const rightsHoldMs = 6_000;

beforeAll(async () => {
  plant = await openPlant('');
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

const withDesk = signedInDesk(() => ({ plant, browser }));

async function setPin(person: Person, pin: string): Promise<void> {
  const client = plant.someone();
  await client.logIn(person.username, person.password);
  const { status } = await client.send('PUT', `/api/v1/users/${person.id}/pin`, { body: { pin } });
  expect(status).toBeLessThan(300);
}

test.each(themes)(
  'at a shared desk whoever acts enters a PIN and acts in their own name (%s)',
  async (theme) => {
    const [owner, ada] = [await hire(plant), await hire(plant)];
    await setPin(ada, '4711');
    const id = await raise(plant.client, {
      path: `Desk.${theme}`,
      alarmMessage: `Level high ${theme}`,
      priority: 1,
    });
    await withDesk(
      owner,
      '/account',
      async (desk) => {
        const { page } = desk;
        await page.getByLabel('Name of the desk').fill('Control room 1');
        await page.getByRole('button', { name: 'Make this a shared desk' }).click();
        await page.locator('.who-am-i').getByText('Nobody').waitFor();
        await page.waitForTimeout(rightsHoldMs);
        await page.goto(`${byName(plant).baseUrl}/alarms/${id}`);
        await page.getByRole('button', { name: 'Acknowledge' }).first().click();
        const dialog = page.getByRole('dialog', { name: 'Who acts?' });
        await dialog.getByRole('button', { name: `Anna ${ada.username}` }).waitFor();
        await desk.axe();
        await desk.screenshot('desk-people');
        await dialog.getByRole('button', { name: `Anna ${ada.username}` }).click();
        const pad = page.getByRole('dialog', { name: `PIN of Anna ${ada.username}` });
        await pad.getByLabel('PIN', { exact: true }).fill('0000');
        await pad.getByRole('button', { name: 'Act' }).click();
        await pad.getByRole('alert').getByText('The PIN is wrong').waitFor();
        for (const digit of ['4', '7', '1', '1'])
          await pad.getByRole('button', { name: `Digit ${digit}` }).click();
        await desk.axe();
        await desk.screenshot('desk-pin');
        await pad.getByRole('button', { name: 'Act' }).click();
        await page.locator('.who-am-i').getByText(`Anna ${ada.username}`).waitFor();
        const by = async () =>
          (await read<{ items: TimelineEntry[] }>(plant.client, `alarms/${id}/timeline`)).items;
        await expect.poll(async () => JSON.stringify(await by())).toContain(`Anna ${ada.username}`);
        await desk.screenshot('desk-acting');
        await page.locator('.who-am-i').click();
        await page.getByRole('button', { name: 'Done' }).click();
        await page.locator('.who-am-i').getByText('Nobody').waitFor();
      },
      { theme },
    );
  },
);

test('a badge at its reader is enough to act', async () => {
  const [owner, ada] = [await hire(plant), await hire(plant)];
  granted(await plant.client.send('PUT', `/api/v1/users/${ada.id}/badge`, { body: { badge: '04A2-99-17' } }));
  await withDesk(owner, '/account', async ({ page }) => {
    await page.getByRole('button', { name: 'Make this a shared desk' }).click();
    await page.locator('.who-am-i').click();
    await page.getByRole('button', { name: 'Who acts?' }).click();
    await page.getByLabel('Or show your badge').waitFor();
    await page.keyboard.type('04A2-99-17\n');
    await page.locator('.who-am-i').getByText(`Anna ${ada.username}`).waitFor();
    await page.reload();
    await page.locator('.who-am-i').getByText('Nobody').waitFor();
  });
});
