import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { themes } from '../harness/console/browser.ts';
import {
  addNightOnCall,
  deleteOpen,
  openItem,
  openSettings,
  panelOf,
  people,
  type SettingsDesk,
} from '../harness/console/settings.ts';
import { readOnPhone } from '../harness/console/settings-on-phone.ts';
import { create, type Page, raise, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let settings: SettingsDesk;
let anna: number;
let ben: number;
let night: number;

const withPage: SettingsDesk['at'] = (...story) => settings.at(...story);

beforeAll(async () => {
  settings = await openSettings();
  ({ anna, ben, night } = await addNightOnCall(settings.plant));
});
afterAll(() => settings?.close());

const named: SettingsDesk['named'] = (path, name) => settings.named(path, name);

describe('call groups', () => {
  test.for(themes)('with their order and preview can be read by everybody, %s', (theme) =>
    withPage(
      `callgroups?id=${night}`,
      async (desk) => {
        const preview = desk.page.getByRole('region', { name: 'Who would be called' });
        await preview.getByText('Anna Keller').first().waitFor();
        await desk.axe();
        await desk.screenshot('settings-group');
      },
      { theme },
    ),
  );

  test('an engineer makes one with members in an order, and moves one up', () =>
    withPage(
      'callgroups?id=new',
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('Electrical');
        await panel.getByLabel('Order of the calls').selectOption('All at once');
        const add = panel.getByLabel('Add to: Members');
        await add.selectOption('Anna Keller');
        await add.selectOption('Ben Moreau');
        await panel.getByRole('button', { name: 'Move Ben Moreau up' }).click();
        await panel.getByLabel('Time to acknowledge, in seconds').fill('120');
        await panel.getByLabel('Relief, when nobody answers').selectOption('Night on-call');
        await panel.getByRole('button', { name: 'Create' }).click();
        await desk.page.getByRole('heading', { name: 'Electrical' }).waitFor();
        expect(await named('callgroups', 'Electrical')).toMatchObject({
          mode: 'Broadcast',
          userIds: [ben, anna],
          ackTimeout: 120,
          reliefGroupId: night,
        });
        await panel.getByRole('button', { name: 'Remove Ben Moreau' }).click();
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.getByText('Saved.').waitFor();
        expect(await named('callgroups', 'Electrical')).toMatchObject({ userIds: [anna] });
        await desk.page.getByRole('button', { name: 'Delete…' }).click();
        const dialog = desk.page.getByRole('dialog');
        await dialog.getByText('would no longer be called through it').waitFor();
        await desk.page.keyboard.press('Escape');
        await deleteOpen(desk, 'Electrical');
        expect(await named('callgroups', 'Electrical')).toBeUndefined();
      },
      { user: people.hugo },
    ));

  test('a change of the name leaves teams and roster as they are', async () => {
    const before = await read<{ teams: object[]; roster: { slots: object[] } }>(
      settings.plant.client,
      `callgroups/${night}`,
    );
    await withPage(`callgroups?id=${night}`, async (desk) => {
      const panel = panelOf(desk);
      await panel.getByLabel('Name on screens').fill('Night');
      await panel.getByText('Save your changes to see who would be called.').waitFor();
      await panel.getByRole('button', { name: 'Save 1 change' }).click();
      await panel.getByText('Saved.').waitFor();
      expect(await panel.getByRole('link', { name: 'Open the roster' }).getAttribute('href')).toContain(
        `group=${night}`,
      );
    });
    const after = await read<typeof before>(settings.plant.client, `callgroups/${night}`);
    expect(after.roster.slots).toHaveLength(7);
    expect(after).toMatchObject({ teams: before.teams, roster: before.roster, localizedName: 'Night' });
    await settings.change(`callgroups/${night}`, { localizedName: 'Night on-call' });
  });

  test('one that is called names the scenarios, tags and people, and cannot be deleted', async () => {
    const { client } = settings.plant;
    const group = await create(client, 'callgroups', { name: 'Guards', userIds: [ben] });
    const alarmActions = [{ type: 'CallGroup', id: group }];
    await create(client, 'scenarios', { name: 'Intrusion', alarmActions });
    await raise(client, { path: 'Sec.D14', alarmMessage: 'Door open', alarmActions });
    await withPage(`callgroups?id=${group}`, async (desk) => {
      await desk.page.getByRole('button', { name: 'Delete…' }).click();
      const dialog = desk.page.getByRole('dialog');
      await dialog.getByText('It cannot be deleted while these use it.').waitFor();
      expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
        'Intrusioncalls it: nobody would be called from therescenario',
        'Sec.D14calls it: nobody would be called from theretag',
        'Ben Moreauwould no longer be called through itperson',
      ]);
      await desk.axe();
    });
  });

  test('two engineers who change the order and the name lose neither', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'callgroups', { name: 'Weekend', userIds: [anna, ben] });
    await withPage(
      `callgroups?id=${id}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByRole('button', { name: 'Move Ben Moreau up' }).click();
        await settings.change(`callgroups/${id}`, { cycles: 5 });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        const conflict = panel.locator('.conflict');
        await conflict.getByText('Anna Keller, Ben Moreau').waitFor();
        await conflict.getByText('Ben Moreau, Anna Keller').waitFor();
        await desk.screenshot('settings-conflict');
        await conflict.getByRole('button', { name: 'Save my changes over theirs' }).click();
        await panel.getByText('Saved.').waitFor();
        expect(await read(client, `callgroups/${id}`)).toMatchObject({ userIds: [ben, anna], cycles: 5 });
      },
      { refused: '412', user: people.hugo },
    );
  });

  test('the preview at another time calls nobody and says who it would be', () =>
    withPage(`callgroups?id=${night}`, async ({ page }) => {
      const preview = page.getByRole('region', { name: 'Who would be called' });
      await preview.getByLabel('On (empty: now)').fill('2026-12-24T03:00');
      await preview.getByText('Anna Keller').first().waitFor();
      const calls = await read<Page<object>>(settings.plant.client, 'call/histories');
      expect(calls.paging.total).toBe(0);
    }));

  test('an operator reads them, and cannot change them', () =>
    withPage(
      'callgroups',
      async (desk) => {
        await openItem(desk, 'Night on-call');
        await desk.page.getByText('your role needs the permission callgroups:write').first().waitFor();
        expect(await panelOf(desk).getByRole('button', { name: 'Move Ben Moreau up' }).isDisabled()).toBe(
          true,
        );
      },
      { user: people.marc },
    ));
});

describe('groupings', () => {
  test('an engineer makes one with call groups, changes and deletes it', () =>
    withPage(
      'groupings?id=new',
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('North');
        await panel.getByLabel('Add to: Call groups').selectOption('Night on-call');
        await panel.getByRole('button', { name: 'Create' }).click();
        await desk.page.getByRole('heading', { name: 'North' }).waitFor();
        expect(await named('callgroupgroupings', 'North')).toMatchObject({ callGroupIds: [night] });
        await desk.page.getByRole('button', { name: 'Delete…' }).click();
        const dialog = desk.page.getByRole('dialog');
        await dialog.getByText('It cannot be deleted while these use it.').waitFor();
        await desk.page.keyboard.press('Escape');
        await panel.getByRole('button', { name: 'Remove Night on-call' }).click();
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.getByText('Saved.').waitFor();
        await deleteOpen(desk, 'North');
        expect(await named('callgroupgroupings', 'North')).toBeUndefined();
      },
      { user: people.hugo },
    ));

  test('a change by somebody else is told and resolved', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'callgroupgroupings', { name: 'South' });
    await withPage(
      `groupings?id=${id}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name on screens').fill('The south');
        await settings.change(`callgroupgroupings/${id}`, { callGroupIds: [night] });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.getByRole('button', { name: 'Save my changes over theirs' }).click();
        await panel.getByText('Saved.').waitFor();
        expect(await read(client, `callgroupgroupings/${id}`)).toMatchObject({
          localizedName: 'The south',
          callGroupIds: [night],
        });
        await desk.axe();
      },
      { refused: '412' },
    );
  });

  test('an operator cannot make one', () =>
    withPage(
      'groupings',
      async ({ page }) => {
        await page.getByText('your role needs the permission callgroups:write').waitFor();
        expect(await page.getByRole('button', { name: 'New grouping' }).isDisabled()).toBe(true);
      },
      { user: people.marc },
    ));
});

test.for(sampleOf(['callgroups', 'groupings'], 1))(
  'on a phone %s and their form are read without scrolling sideways, also in German',
  (path) => readOnPhone(settings, path, people.hugo),
);

test('a wide table of members does not hide who is called first', () =>
  withPage('callgroups', async ({ page }) => {
    await page.locator('.cftable').getByText('Anna Keller, Ben Moreau').first().waitFor();
  }));
