import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { themes } from '../harness/console/browser.ts';
import {
  addNightOnCall,
  deleteOpen,
  openSettings,
  panelOf,
  people,
  type SettingsDesk,
} from '../harness/console/settings.ts';
import { readOnPhone } from '../harness/console/settings-on-phone.ts';
import { create } from '../harness/plant.ts';

let settings: SettingsDesk;
let ben: number;
let night: number;

const withPage: SettingsDesk['at'] = (...story) => settings.at(...story);

beforeAll(async () => {
  settings = await openSettings();
  ({ ben, night } = await addNightOnCall(settings.plant));
});
afterAll(() => settings?.close());

const named: SettingsDesk['named'] = (path, name) => settings.named(path, name);

describe('scenarios', () => {
  test.for(themes)('the ladder with its preview can be read by everybody, %s', async (theme) => {
    const id = await create(settings.plant.client, 'scenarios', {
      name: `Chlorine, urgent, ${theme}`,
      alarmActions: [
        { type: 'CallGroup', id: night },
        { type: 'PlaySound', parameter: 'siren.wav' },
      ],
      ackActions: [{ type: 'CallUser', id: ben }],
    });
    await withPage(
      `scenarios?id=${id}`,
      async (desk) => {
        await desk.page.locator('.gantt').waitFor();
        await desk.page.getByText('No tag and no tag group follows it yet.').waitFor();
        await desk.axe();
        await desk.screenshot('settings-scenario');
      },
      { theme },
    );
  });

  test('an engineer builds a ladder, sees who it would call before it is saved, and saves it', () =>
    withPage(
      'scenarios?id=new',
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('Flood');
        await panel.getByRole('button', { name: 'Add an action: When it is raised' }).click();
        await panel.getByLabel('Target of action 1: When it is raised').selectOption('Night on-call');
        await panel.getByRole('button', { name: 'Create' }).click();
        await desk.page.getByRole('heading', { name: 'Flood' }).waitFor();
        await panel.getByRole('button', { name: 'Add an action: When it is raised' }).click();
        await panel.getByLabel('Action 2: When it is raised', { exact: true }).selectOption('Call a person');
        await panel.getByLabel('Target of action 2: When it is raised').selectOption('Ben Moreau');
        await panel.getByRole('button', { name: 'Move action 2 up: When it is raised' }).click();
        await panel.locator('.gantt').getByText('Ben Moreau').first().waitFor();
        expect(await named('scenarios', 'Flood')).toMatchObject({
          alarmActions: [{ type: 'CallGroup', id: night }],
        });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.getByText('Saved.').waitFor();
        expect(await named('scenarios', 'Flood')).toMatchObject({
          alarmActions: [
            { type: 'CallUser', id: ben },
            { type: 'CallGroup', id: night },
          ],
        });
        await deleteOpen(desk, 'Flood');
        expect(await named('scenarios', 'Flood')).toBeUndefined();
      },
      { user: people.hugo },
    ));

  test('a rung that names nobody is refused, and the ladder stays in the form', () =>
    withPage(
      'scenarios?id=new',
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('Nobody');
        await panel.getByRole('button', { name: 'Add an action: When the fault is gone' }).click();
        await panel.getByRole('button', { name: 'Create' }).click();
        await panel.locator('.fault').waitFor();
        expect(await panel.getByLabel('Action 1: When the fault is gone', { exact: true }).count()).toBe(1);
        expect(await named('scenarios', 'Nobody')).toBeUndefined();
      },
      { refused: '400' },
    ));

  test('one that alarms follow says which, and cannot be deleted', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'scenarios', { name: 'Followed' });
    await create(client, 'taggroups', { name: 'Followers', scenarioId: id });
    await withPage(`scenarios?id=${id}`, async (desk) => {
      const { page } = desk;
      const followed = page.getByRole('region', { name: 'Followed by' });
      await followed.getByRole('link', { name: 'Followers' }).waitFor();
      await page.getByRole('button', { name: 'Delete…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('follows it: its alarms would call nobody').waitFor();
      expect(await dialog.getByRole('button', { name: 'Delete Followed' }).isDisabled()).toBe(true);
    });
  });

  test('a change of the ladder by somebody else is compared in words', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'scenarios', {
      name: 'Shared',
      alarmActions: [{ type: 'CallGroup', id: night }],
    });
    await withPage(
      `scenarios?id=${id}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Target of action 1: When it is raised').waitFor();
        await panel.getByLabel('Action 1: When it is raised', { exact: true }).selectOption('Call a person');
        await panel.getByLabel('Target of action 1: When it is raised').selectOption('Anna Keller');
        await settings.change(`scenarios/${id}`, { alarmActions: [{ type: 'CallUser', id: ben }] });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        const conflict = panel.locator('.conflict');
        await conflict.getByText('Call a person Ben Moreau').waitFor();
        await conflict.getByText('Call a person Anna Keller').waitFor();
        await conflict.getByRole('button', { name: 'Go on with theirs' }).click();
        await expect
          .poll(() => panel.getByLabel('Target of action 1: When it is raised').inputValue())
          .toBe(String(ben));
      },
      { refused: '412' },
    );
  });

  test('a viewer of the ladder cannot change it', async () => {
    const id = await create(settings.plant.client, 'scenarios', { name: 'Seen only' });
    await withPage(
      `scenarios?id=${id}`,
      async (desk) => {
        await desk.page.getByText('your role needs the permission plant:write').waitFor();
        const add = panelOf(desk).getByRole('button', { name: 'Add an action: When it is raised' });
        expect(await add.isDisabled()).toBe(true);
        // Whoever may not delete is not asked for what uses it.
        expect(desk.faults).toEqual([]);
      },
      { user: people.marc },
    );
  });
});

test('on a phone scenarios and their form are read without scrolling sideways, also in German', () =>
  readOnPhone(settings, 'scenarios', people.hugo));
