import type { SecondFactors, SecuritySettings } from '@tocsin/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, sitDown, themes } from '../harness/console/browser.ts';
import { beyondTheScreen } from '../harness/console/narrow.ts';
import { byName, hire, type Person } from '../harness/console/people.ts';
import { createApp, giveApp, plugInKey, shownSecret } from '../harness/console/second-factor.ts';
import { signedInDesk } from '../harness/console/signed-in-desk.ts';
import { granted, openPlant, type Plant, raise, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';
import { connectSql } from '../harness/sql.ts';

let plant: Plant;
let browser: Browser;
let tags = 0;

const rules: SecuritySettings = {
  secondFactorRoles: [],
  confirmDangerous: false,
  confirmationMinutes: 10,
  deskMinutes: 15,
  twoPersonActions: ['masks', 'keys'],
};

beforeAll(async () => {
  plant = await openPlant('');
  const path = '/api/v1/security-settings';
  granted(await plant.client.send('PUT', path, { headers: { 'if-match': '*' }, body: rules }));
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

const withDesk = signedInDesk(() => ({ plant, browser }));

const factorsOf = ({ id }: Person) => read<SecondFactors>(plant.client, `users/${id}/second-factors`);
const alarm = (message: string) =>
  raise(plant.client, { path: `Desk.T${++tags}`, alarmMessage: message, priority: 1 });

/** As if the last proof were an hour old. */
async function growOld({ id }: Person): Promise<void> {
  const sql = await connectSql(plant.databaseUrl);
  await sql.query(`update sessions set confirmed_at = now() - interval '1 hour' where user_id = $1`, [id]);
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test.each(themes)(
  'a person connects an app in their account and keeps the recovery codes (%s)',
  async (theme) => {
    const person = await hire(plant);
    await withDesk(
      person,
      '/account',
      async (desk) => {
        const { page } = desk;
        await part(page, 'Authenticator app').getByRole('button', { name: 'Set up' }).click();
        const app = createApp(await shownSecret(page));
        await desk.axe();
        await desk.screenshot('account-app');
        await page.getByLabel('Code from your authenticator app').fill(await app.next());
        await page.getByLabel('I have kept them').check();
        await page.getByRole('button', { name: 'Go on' }).click();
        await page.getByText('10 codes are left').waitFor();
        await desk.axe();
        await desk.screenshot('account-security');
        expect((await factorsOf(person)).totp).toBeDefined();
      },
      { theme },
    );
  },
);

test('a person names, sees and removes a passkey', async () => {
  const person = await hire(plant);
  await withDesk(person, '/account', async ({ page, context }) => {
    await plugInKey(context, page);
    const list = part(page, 'Passkeys');
    await list.getByRole('button', { name: 'Add' }).click();
    await list.getByLabel('Name of the passkey').fill('Blue key');
    await list.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByLabel('I have kept them').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    expect((await factorsOf(person)).passkeys).toMatchObject([{ name: 'Blue key' }]);
    await page.getByRole('button', { name: 'Remove the passkey Blue key' }).click();
    await expect.poll(async () => (await factorsOf(person)).passkeys).toEqual([]);
  });
});

test('new recovery codes replace the former ones', async () => {
  const person = await hire(plant);
  const { app, recoveryCodes } = await giveApp(plant, person);
  await withDesk(
    person,
    '/account',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Make new codes' }).click();
      await expect.poll(() => page.locator('.recovery code').count()).toBe(10);
      expect(await page.locator('.recovery code').allInnerTexts()).not.toContain(recoveryCodes[0]);
    },
    { app },
  );
});

test.each(themes)('a dangerous action asks again who it is, and is done afterwards (%s)', async (theme) => {
  const person = await hire(plant);
  const { app } = await giveApp(plant, person);
  await withDesk(
    person,
    '/account',
    async (desk) => {
      const { page } = desk;
      await growOld(person);
      await page.getByRole('button', { name: 'Remove the app' }).click();
      await page.getByRole('dialog', { name: 'Is it still you?' }).waitFor();
      await desk.axe();
      await desk.screenshot('confirm');
      expect((await factorsOf(person)).totp).toBeDefined();
      await page.getByLabel('Code from your authenticator app').fill(await app.next());
      await expect.poll(async () => (await factorsOf(person)).totp).toBeUndefined();
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
    { theme, app },
  );
});

test('a password confirms as well; a wrong one is told', async () => {
  const person = await hire(plant);
  const { app } = await giveApp(plant, person);
  await withDesk(
    person,
    '/account',
    async ({ page }) => {
      await growOld(person);
      await page.getByRole('button', { name: 'Make new codes' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'By password' }).click();
      await dialog.getByLabel('Password', { exact: true }).fill('not my password');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Password', { exact: true }).fill(person.password);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect.poll(() => page.locator('.recovery code').count()).toBe(10);
    },
    { app },
  );
});

test('somebody who does not confirm changes nothing, and reads why', async () => {
  const person = await hire(plant);
  const { app } = await giveApp(plant, person);
  await withDesk(
    person,
    '/account',
    async ({ page }) => {
      await growOld(person);
      await page.getByRole('button', { name: 'Remove the app' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('alert').getByText('Not saved:').waitFor();
      expect((await factorsOf(person)).totp).toBeDefined();
    },
    { app },
  );
});

test.each(themes)('an administrator sets the rules for signing in (%s)', async (theme) => {
  const admin = await hire(plant, 'admin');
  await withDesk(
    admin,
    '/settings/signInRules',
    async (desk) => {
      const { page } = desk;
      const minutes = page.getByLabel('A proof is fresh for, in minutes');
      await minutes.waitFor();
      await desk.axe();
      await desk.screenshot('sign-in-rules');
      const next = theme === 'light' ? 12 : 14;
      await minutes.fill(String(next));
      await page.getByRole('button', { name: 'Save 1 change' }).click();
      await page.getByText('Saved.').waitFor();
      const saved = await read<SecuritySettings>(plant.client, 'security-settings');
      expect(saved).toEqual({ ...rules, confirmationMinutes: next });
    },
    { theme },
  );
});

test('a mask of priority 1 waits for a second person, who approves it', async () => {
  const [asker, second] = [await hire(plant), await hire(plant)];
  const id = await alarm('Chlorine low-low');
  const masked = async () => (await read<{ masked: boolean }>(plant.client, `alarms/${id}`)).masked;
  await withDesk(asker, `/alarms/${id}`, async (desk) => {
    const { page } = desk;
    await page.getByRole('button', { name: 'Mask' }).first().click();
    await page.getByLabel('Reason').fill('Probe is being changed');
    await page.getByRole('button', { name: /^Mask for/ }).click();
    await page.getByText('Waits for a second person.').waitFor();
    await desk.screenshot('waits');
    expect(await masked()).toBe(false);
    await page.getByRole('link', { name: 'Approvals' }).click();
    await page.getByText('You asked for it: somebody else decides.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });
  await withDesk(second, '/', async (desk) => {
    const { page } = desk;
    await page.getByRole('link', { name: /^Approve/ }).click();
    await page.getByRole('button', { name: 'Approve' }).first().waitFor();
    await desk.axe();
    await desk.screenshot('approvals');
    await page.getByLabel('Comment, if you like').first().fill('Seen with Anna');
    await page.getByRole('button', { name: 'Approve' }).first().click();
    await page.getByText('Approved').first().waitFor();
    await expect.poll(masked).toBe(true);
  });
});

test('whoever asked can withdraw', async () => {
  const asker = await hire(plant);
  const id = await alarm('Pump tripped');
  const client = plant.someone();
  await client.logIn(asker.username, asker.password);
  expect((await client.post(`/api/v1/alarms/${id}/mask`, { reason: 'by mistake' })).status).toBe(202);
  await withDesk(asker, '/approvals', async ({ page }) => {
    await page.getByRole('button', { name: 'Withdraw' }).first().click();
    await page.getByText('Withdrawn').first().waitFor();
  });
});

test.each(themes)('an administrator helps somebody who cannot sign in (%s)', async (theme) => {
  const [admin, person] = [await hire(plant, 'admin'), await hire(plant)];
  await giveApp(plant, person);
  await withDesk(
    admin,
    `/settings/people?id=${person.id}`,
    async (desk) => {
      const { page } = desk;
      const security = part(page, 'Signing in');
      await security.getByRole('button', { name: 'Make a reset code' }).click();
      await security.locator('.resetcode code').waitFor();
      await security.scrollIntoViewIfNeeded();
      await desk.axe();
      await desk.screenshot('person-security');
      await security.getByRole('button', { name: 'Reset…' }).click();
      await security.getByRole('button', { name: 'Remove all and end their sessions' }).click();
      await security.getByText('none set up').waitFor();
      expect((await factorsOf(person)).totp).toBeUndefined();
    },
    { theme },
  );
});

test('a reset code sets a new password and signs in', async () => {
  const person = await hire(plant);
  const { code } = granted<{ code: string }>(
    await plant.client.post(`/api/v1/users/${person.id}/password-reset`, {}),
  );
  const desk = await sitDown(browser, byName(plant));
  const { page } = desk;
  await page.goto(`${byName(plant).baseUrl}/`);
  await page.getByRole('button', { name: 'I have a reset code' }).click();
  await page.getByLabel('User name').fill(person.username);
  await page.locator('input[name="password"]').fill('nine long valves above');
  await page.getByLabel('Reset code').fill('AAAA-AAAA-AAAA');
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await page.getByRole('alert').waitFor();
  await desk.axe();
  await desk.screenshot('reset-code');
  await page.getByLabel('Reset code').fill(code);
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await page.locator('[role="grid"], .allquiet').first().waitFor();
  expect(desk.faults.filter((fault) => !fault.includes('status of 4'))).toEqual([]);
  await desk.close();
});

test.each(sampleOf(['/account', '/settings/signInRules', '/approvals'], 1))(
  '%s fits a telephone',
  async (path) => {
    const admin = await hire(plant, 'admin');
    await withDesk(
      admin,
      path,
      async (desk) => {
        await desk.page.locator('main h1').first().waitFor();
        await desk.page.waitForLoadState('networkidle');
        expect(await beyondTheScreen(desk.page)).toEqual([]);
        await desk.axe();
        await desk.screenshot(`security${path.replaceAll('/', '-')}`);
      },
      { size: 'phone' },
    );
  },
);
