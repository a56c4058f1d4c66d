import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { themes } from '../harness/console/browser.ts';
import { deleteOpen, openSettings, panelOf, people, type SettingsDesk } from '../harness/console/settings.ts';
import { readOnPhone } from '../harness/console/settings-on-phone.ts';
import { addSitePlan } from '../harness/console/site-plan.ts';
import { create, granted, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let settings: SettingsDesk;

const withPage: SettingsDesk['at'] = (...story) => settings.at(...story);

beforeAll(async () => {
  settings = await openSettings();
});
afterAll(() => settings?.close());

const named: SettingsDesk['named'] = (path, name) => settings.named(path, name);

describe('stations', () => {
  test.for(themes)('can be read by everybody, %s', (theme) =>
    withPage(
      'stations?id=1',
      async (desk) => {
        await desk.page.getByRole('heading', { name: 'Valmont works' }).waitFor();
        await desk.page.getByText('This station has no site plan yet.').waitFor();
        await desk.axe();
        await desk.screenshot('settings-station');
      },
      { theme },
    ),
  );

  test('an engineer makes one, finds it by its name, changes and deletes it', () =>
    withPage(
      'stations',
      async (desk) => {
        const { page } = desk;
        await page.getByRole('button', { name: 'New station' }).click();
        const panel = panelOf(desk);
        const create = panel.getByRole('button', { name: 'Create' });
        expect(await create.isDisabled()).toBe(true);
        await panel.getByLabel('Name', { exact: true }).fill('Hauterive');
        await panel.getByLabel('Time zone').fill('Europe/Zurich');
        await create.click();
        await page.getByRole('heading', { name: 'Hauterive' }).waitFor();
        expect(await named('stations', 'Hauterive')).toMatchObject({
          localizedName: 'Hauterive',
          timeZone: 'Europe/Zurich',
        });
        await page.getByRole('searchbox', { name: 'Search: Stations' }).fill('haute');
        await page.getByText('exactly 1').waitFor();
        await panel.getByLabel('Name on screens').fill('Reservoir Hauterive');
        expect(await panel.getByText('changed, not saved').count()).toBe(1);
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.getByText('Saved.').waitFor();
        await page.locator('.cftable').getByText('Reservoir Hauterive').waitFor();
        await deleteOpen(desk, 'Hauterive');
        await page.getByText('Nothing has “haute” in its name.').waitFor();
        expect(await named('stations', 'Hauterive')).toBeUndefined();
      },
      { user: people.hugo },
    ));

  test('a time zone that does not exist is refused at its field, and nothing is lost', () =>
    withPage(
      'stations?id=new',
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('Atlantis');
        await panel.getByLabel('Time zone').fill('Europe/Atlantis');
        await panel.getByRole('button', { name: 'Create' }).click();
        await panel.locator('.fault').getByText('is not an IANA time zone').waitFor();
        expect(await panel.getByLabel('Name', { exact: true }).inputValue()).toBe('Atlantis');
        await desk.axe();
      },
      { refused: '400' },
    ));

  test('of two people who change different fields, both changes are kept', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'stations', { name: 'Bellecombe', timeZone: 'Europe/Paris' });
    await withPage(
      `stations?id=${id}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name on screens').fill('Bellecombe reservoir');
        await settings.change(`stations/${id}`, { timeZone: 'Europe/Zurich' });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        const conflict = panel.locator('.conflict');
        await conflict.getByText(/Somebody else saved at/).waitFor();
        await conflict.getByText('Bellecombe reservoir').waitFor();
        await desk.axe();
        await conflict.getByRole('button', { name: 'Save my changes over theirs' }).click();
        await panel.getByText('Saved.').waitFor();
        expect(await read(client, `stations/${id}`)).toMatchObject({
          localizedName: 'Bellecombe reservoir',
          timeZone: 'Europe/Zurich',
        });
      },
      { refused: '412' },
    );
  });

  test('whoever gives up their change goes on with the other', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'stations', { name: 'Intake', timeZone: 'UTC' });
    await withPage(
      `stations?id=${id}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('Intake of mine');
        await settings.change(`stations/${id}`, { name: 'Intake of theirs' });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.getByRole('button', { name: 'Go on with theirs' }).click();
        await expect
          .poll(() => panel.getByLabel('Name', { exact: true }).inputValue())
          .toBe('Intake of theirs');
        expect(await read(client, `stations/${id}`)).toMatchObject({ name: 'Intake of theirs' });
      },
      { refused: '412' },
    );
  });

  test('one that is in use names all that belongs to it, and cannot be deleted', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'stations', { name: 'Quarry' });
    await create(client, 'dataservers', { name: 'PLC-QUA', stationId: id });
    await create(client, 'users', { username: 'quinn', name: 'Quinn Ade', stationIds: [id] });
    await withPage(`stations?id=${id}`, async (desk) => {
      const { page } = desk;
      await page.getByRole('button', { name: 'Delete…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('It cannot be deleted while these use it.').waitFor();
      expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
        'PLC-QUAbelongs to itdata server',
        'Quinn Adeis limited to itperson',
      ]);
      expect(await dialog.getByRole('button', { name: 'Delete Quarry' }).isDisabled()).toBe(true);
      await desk.axe();
      await desk.screenshot('settings-delete');
      await dialog.getByRole('link', { name: 'PLC-QUA' }).click();
      await page.getByRole('heading', { name: 'PLC-QUA' }).waitFor();
    });
  });

  test('its site plans are shown with their places', async () => {
    const { browser, plant, works } = settings;
    await addSitePlan(browser, plant, works, [{ x: 0.5, y: 0.5, label: 'tank', beaconId: 'b1' }]);
    await withPage('stations?id=1', async ({ page }) => {
      const plans = page.getByRole('region', { name: 'Site plans' });
      await plans.getByText('1 place', { exact: true }).waitFor();
      await plans.getByRole('img').waitFor();
    });
  });

  test('an operator reads them, and is told which permission a change needs', () =>
    withPage(
      'stations?id=1',
      async (desk) => {
        const { page } = desk;
        await page.getByText('your role needs the permission plant:write').first().waitFor();
        expect(await page.getByRole('button', { name: 'New station' }).isDisabled()).toBe(true);
        expect(await panelOf(desk).getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
        expect(await page.getByRole('button', { name: 'Delete…' }).count()).toBe(0);
        await desk.axe();
      },
      { user: people.marc },
    ));

  test('the keyboard alone makes a station', () =>
    withPage('stations', async ({ page }) => {
      await page.getByRole('button', { name: 'New station' }).focus();
      await page.keyboard.press('Enter');
      const name = page.locator('.cfpanel').getByLabel('Name', { exact: true });
      await name.waitFor();
      await name.focus();
      await page.keyboard.type('Keyed');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Keyed' }).waitFor();
    }));

  test('leaving a form that is not saved asks first', () =>
    withPage('stations?id=1', async (desk) => {
      const { page } = desk;
      const panel = panelOf(desk);
      await panel.getByLabel('Name on screens').fill('Something else');
      await page.getByRole('link', { name: 'Data servers' }).click();
      await panel.getByText('Your changes are not saved.').waitFor();
      await panel.getByRole('button', { name: 'Go on editing' }).click();
      await panel.getByText('Your changes are not saved.').waitFor({ state: 'detached' });
      expect(await panel.getByLabel('Name on screens').inputValue()).toBe('Something else');
      await page.getByRole('link', { name: 'Data servers' }).click();
      await panel.getByRole('button', { name: 'Discard them' }).click();
      await page.getByRole('heading', { name: 'Data servers' }).waitFor();
      expect(await read(settings.plant.client, 'stations/1')).toMatchObject({
        localizedName: 'Valmont works',
      });
    }));

  test('an integrator finds the request of a form, and sees no secret in it', () =>
    withPage('stations?id=1', async (desk) => {
      const { page } = desk;
      await panelOf(desk).getByRole('button', { name: 'API call: Valmont works' }).click();
      await page.getByRole('dialog').getByText('PUT /api/v1/stations/1').waitFor();
      expect(await page.getByRole('dialog').locator('pre').textContent()).toContain(
        '"timeZone":"Europe/Paris"',
      );
    }));
});

describe('data servers', () => {
  test('an engineer makes one for a station, changes and deletes it', () =>
    withPage(
      'dataservers?id=new',
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('SCADA-2');
        await panel.getByLabel('Station', { exact: true }).selectOption('Valmont works');
        await panel.getByRole('button', { name: 'Create' }).click();
        await desk.page.getByRole('heading', { name: 'SCADA-2' }).waitFor();
        expect(await named('dataservers', 'SCADA-2')).toMatchObject({ stationId: 1 });
        await panel.getByLabel('Station', { exact: true }).selectOption('all stations');
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.getByText('Saved.').waitFor();
        expect(await named('dataservers', 'SCADA-2')).toMatchObject({ stationId: 0 });
        await deleteOpen(desk, 'SCADA-2');
        expect(await named('dataservers', 'SCADA-2')).toBeUndefined();
      },
      { user: people.hugo },
    ));

  test('a key that is limited to one is named before it is deleted', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'dataservers', { name: 'PLC-OLD' });
    granted(await client.post('/api/v1/apikeys', { name: 'Old PLC', dataServerIds: [id] }));
    await withPage(`dataservers?id=${id}`, async (desk) => {
      await desk.page.getByRole('button', { name: 'Delete…' }).click();
      const dialog = desk.page.getByRole('dialog');
      await dialog.getByText('These are affected when it is deleted:').waitFor();
      await dialog.getByText('Old PLC').waitFor();
      await desk.page.keyboard.press('Escape');
      await deleteOpen(desk, 'PLC-OLD');
    });
  });

  test('a change by somebody else is told and resolved', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'dataservers', { name: 'PLC-A' });
    await withPage(
      `dataservers?id=${id}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('PLC-B');
        await settings.change(`dataservers/${id}`, { name: 'PLC-C', localizedName: 'PLC-C' });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.locator('.conflict').getByText('PLC-C').first().waitFor();
        await panel.getByRole('button', { name: 'Save my changes over theirs' }).click();
        await panel.getByText('Saved.').waitFor();
        expect(await read(client, `dataservers/${id}`)).toMatchObject({
          name: 'PLC-B',
          localizedName: 'PLC-C',
        });
      },
      { refused: '412' },
    );
  });
});

test.for(sampleOf(['stations?id=1', 'dataservers?id=1', 'stations'], 1))(
  'on a phone %s is read without scrolling sideways, also in German',
  (path) => readOnPhone(settings, path, people.hugo),
);
