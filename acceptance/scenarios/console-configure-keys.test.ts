import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openItem, openSettings, panelOf, people, type SettingsDesk } from '../harness/console/settings.ts';
import { readOnPhone } from '../harness/console/settings-on-phone.ts';
import { sampleOf } from '../harness/sample.ts';

let settings: SettingsDesk;

const withPage: SettingsDesk['at'] = (...story) => settings.at(...story);

beforeAll(async () => {
  settings = await openSettings();
});
afterAll(() => settings?.close());

describe('API keys', () => {
  test('a key is shown once, works, and is revoked after its name is typed', async () => {
    let key = '';
    await withPage('keys?id=new', async (desk) => {
      const { page } = desk;
      const panel = panelOf(desk);
      await panel.getByLabel('Name', { exact: true }).fill('PLC of the intake');
      await panel.getByLabel('Add to: Stations').selectOption('Valmont works');
      await panel.getByLabel('Beginnings of tag paths, one per line').fill('Int.');
      await panel.getByRole('button', { name: 'Make the key' }).click();
      await panel.getByText('This is the only time that the key is shown.').waitFor();
      await desk.axe();
      key = (await panel.locator('code').textContent()) ?? '';
      await panel.getByRole('button', { name: 'I have kept it' }).click();
      await openItem(desk, 'PLC of the intake');
      await panel.getByText('Int.', { exact: true }).waitFor();
      expect(await page.content()).not.toContain(key);
    });
    const machine = settings.plant.someone(key);
    const raised = await machine.post('/api/v1/alarms', {
      path: 'Int.TB001',
      stationId: 1,
      priority: 3,
      alarmMessage: 'Turbidity',
    });
    expect(raised.status).toBe(200);
    expect((await machine.post('/api/v1/alarms', { path: 'Other.TB001', stationId: 1 })).status).toBe(403);
    await withPage('keys', async (desk) => {
      const { page } = desk;
      await openItem(desk, 'PLC of the intake');
      await page.getByRole('button', { name: 'Revoke…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Alarms that are sent with it do not arrive.').waitFor();
      const revoke = dialog.getByRole('button', { name: 'Revoke PLC of the intake' });
      expect(await revoke.isDisabled()).toBe(true);
      await dialog.getByLabel(/^Type “PLC of the intake”/).fill('PLC of the intake');
      await desk.axe();
      await revoke.click();
      await panelOf(desk)
        .getByText(/^revoked/)
        .waitFor();
    });
    const raise = () =>
      machine.post('/api/v1/alarms', {
        path: 'Int.TB001',
        stationId: 1,
        priority: 3,
        alarmMessage: 'Turbidity',
      });
    // Servers keep what they know of a key for up to five seconds.
    await expect.poll(async () => (await raise()).status).toBe(401);
  });

  test('an auditor reads them, and makes none', () =>
    withPage(
      'keys',
      async (desk) => {
        await desk.page.getByText('your role needs the permission keys:write').first().waitFor();
        expect(await desk.page.getByRole('button', { name: 'New API key' }).isDisabled()).toBe(true);
        await desk.axe();
      },
      { user: people.aude },
    ));

  test('an engineer has no such page, and is told why', () =>
    withPage(
      'keys',
      async ({ page }) => {
        await page.getByText('Your role does not have the permission keys:read').waitFor();
        expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
      },
      { user: people.hugo },
    ));
});

test.for(sampleOf(['keys?id=new', 'keys'], 1))(
  'on a phone %s is read without scrolling sideways, also in German',
  (path) => readOnPhone(settings, path),
);
