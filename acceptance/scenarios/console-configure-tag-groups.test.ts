import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOpen, openSettings, panelOf, people, type SettingsDesk } from '../harness/console/settings.ts';
import { readOnPhone } from '../harness/console/settings-on-phone.ts';
import { create, raise, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let settings: SettingsDesk;

const withPage: SettingsDesk['at'] = (...story) => settings.at(...story);

beforeAll(async () => {
  settings = await openSettings();
});
afterAll(() => settings?.close());

const named: SettingsDesk['named'] = (path, name) => settings.named(path, name);

describe('tag groups', () => {
  test('an engineer makes one below another, with a scenario', async () => {
    await create(settings.plant.client, 'scenarios', { name: 'Calm' });
    await withPage(
      'taggroups?id=new',
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('Dosing pumps');
        await panel.getByLabel('Group above').selectOption('Chlorination');
        await panel.getByLabel('Scenario').selectOption('Calm');
        await panel.getByLabel('Acknowledge when the fault is gone').check();
        await panel.getByRole('button', { name: 'Create' }).click();
        await desk.page.getByRole('heading', { name: 'Dosing pumps' }).waitFor();
        expect(await named('taggroups', 'Dosing pumps')).toMatchObject({
          parentId: settings.works.areaIds.get('Chlorination'),
          scenarioId: (await named('scenarios', 'Calm'))?.id,
          autoAcknowledge: true,
        });
        await deleteOpen(desk, 'Dosing pumps');
      },
      { user: people.hugo },
    );
  });

  test('a circle of groups is refused with the reason', async () => {
    const { client } = settings.plant;
    const top = await create(client, 'taggroups', { name: 'Top' });
    await create(client, 'taggroups', { name: 'Below', parentId: top });
    await withPage(
      `taggroups?id=${top}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Group above').selectOption('Below');
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.locator('.wrong').waitFor();
        expect(await read(client, `taggroups/${top}`)).toMatchObject({ parentId: 0 });
      },
      { refused: '400' },
    );
  });

  test('one with tags names them, and stays', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'taggroups', { name: 'Valves' });
    await raise(client, { path: 'Valve.V240', tagGroupId: id, alarmMessage: 'Valve stuck' });
    await withPage(`taggroups?id=${id}`, async (desk) => {
      await desk.page.getByRole('button', { name: 'Delete…' }).click();
      const dialog = desk.page.getByRole('dialog');
      await dialog.getByText('Valve.V240').waitFor();
      expect(await dialog.getByRole('button', { name: 'Delete Valves' }).isDisabled()).toBe(true);
    });
  });

  test('a change by somebody else is told, and the other one is taken', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'taggroups', { name: 'Meters' });
    await withPage(
      `taggroups?id=${id}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name on screens').fill('My meters');
        await settings.change(`taggroups/${id}`, { localizedName: 'Their meters' });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.getByRole('button', { name: 'Go on with theirs' }).click();
        await expect.poll(() => panel.getByLabel('Name on screens').inputValue()).toBe('Their meters');
      },
      { refused: '412' },
    );
  });
});

test.for(sampleOf(['taggroups?id=1', 'taggroups'], 1))(
  'on a phone %s is read without scrolling sideways, also in German',
  (path) => readOnPhone(settings, path, people.hugo),
);
