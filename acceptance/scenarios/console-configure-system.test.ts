import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Desk, themes } from '../harness/console/browser.ts';
import { openSettings, panelOf, people, type SettingsDesk, speak } from '../harness/console/settings.ts';
import { readOnPhone } from '../harness/console/settings-on-phone.ts';
import { create, type Page, read } from '../harness/plant.ts';
import { connectSql } from '../harness/sql.ts';

let settings: SettingsDesk;
let groupId: number;

const withPage: SettingsDesk['at'] = (...story) => settings.at(...story);

beforeAll(async () => {
  settings = await openSettings();
  const { client } = settings.plant;
  groupId = await create(client, 'callgroups', { name: 'Night on-call', cycles: 2 });
  await settings.change(`callgroups/${groupId}`, { cycles: 3, attempts: 4 });
});
afterAll(() => settings?.close());

type Entry = { id: number; action: string; object: { kind: string; id: string } };
const trail = (query: string) => read<Page<Entry>>(settings.plant.client, `audit?limit=1000&${query}`);

describe('the audit trail', () => {
  test.for(themes)('can be read by everybody who may, %s', (theme) =>
    withPage(
      `audit?object=call-group:${groupId}`,
      async (desk) => {
        const { page } = desk;
        await page.getByText('exactly 2').waitFor();
        await page
          .getByRole('button', { name: /^Open entry/ })
          .first()
          .click();
        await panelOf(desk).getByRole('region', { name: 'Before and after' }).waitFor();
        await desk.axe();
        await desk.screenshot('settings-audit');
      },
      { theme, user: people.aude },
    ),
  );

  test('a change shows the fields that it changed, before and after', () =>
    withPage(`audit?object=call-group:${groupId}&action=call-group.change`, async (desk) => {
      const { page } = desk;
      await page.getByText('exactly 1').waitFor();
      await page.getByRole('button', { name: /^Open entry/ }).click();
      const table = panelOf(desk).locator('.ba');
      expect(await table.getByRole('row').allTextContents()).toEqual([
        'FieldBeforeAfter',
        'attempts34',
        'cycles23',
      ]);
      await panelOf(desk)
        .getByRole('button', { name: /^Show all/ })
        .click();
      await table.getByText('ackTimeout').waitFor();
    }));

  test('its filters count exactly what the interface counts', () =>
    withPage('audit', async ({ page }) => {
      const counted = async () => (await page.locator('.audittools [role="status"]').textContent()) ?? '';
      await page.getByLabel('What', { exact: true }).fill('user.create');
      await page.keyboard.press('Enter');
      const created = (await trail('action=user.create')).paging.total;
      await expect.poll(counted).toBe(`exactly ${created}`);
      await page.getByLabel('On', { exact: true }).fill('user:2');
      await page.keyboard.press('Enter');
      await expect.poll(counted).toBe('exactly 1');
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await page.getByLabel('Who').selectOption('nobody signed in');
      await expect.poll(counted).toBe(`exactly ${(await trail('actor=anonymous')).paging.total}`);
      await page.getByLabel('Period').selectOption('last hour');
      await expect.poll(() => new URL(page.url()).search).toContain('hours=1');
    }));

  test('leads from one entry to everything that the same person did', () =>
    withPage(`audit?object=call-group:${groupId}`, async (desk) => {
      await desk.page
        .getByRole('button', { name: /^Open entry/ })
        .first()
        .click();
      await panelOf(desk)
        .getByRole('button', { name: /^All by/ })
        .click();
      await expect.poll(() => new URL(desk.page.url()).searchParams.get('actor')).toMatch(/^"?user:/);
    }));

  test('is exported with its proof', () =>
    withPage('audit', async ({ page }) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export with proof' }).click();
      expect((await download).suggestedFilename()).toBe('audit-trail.ndjson');
    }));

  test('an operator has no such page, and is told which permission it needs', () =>
    withPage(
      'audit',
      async ({ page }) => {
        await page.getByText('Your role does not have the permission audit:read').waitFor();
        expect(await page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0);
      },
      { user: people.marc },
    ));
});

describe('the verification of the trail', () => {
  const proof = ({ page }: Desk) => page.getByRole('region', { name: 'Verification' });

  test.for(themes)('tells to which entry it is verified, and when its head was signed, %s', (theme) =>
    withPage(
      'audit',
      async (desk) => {
        const { to } = await read<{ to: number }>(settings.plant.client, 'audit/verification');
        await proof(desk).getByText(`Verified to entry ${to}`, { exact: true }).waitFor();
        // The server signs at its start, and every minute.
        await proof(desk)
          .getByText(/head of entry \d+ signed/)
          .waitFor();
        await desk.axe();
        await desk.screenshot('settings-audit-proof');
      },
      { theme, user: people.aude },
    ),
  );

  test.for(['phone', 'desk'] as const)('does not move the list when it arrives, on a %s', (size) =>
    withPage(
      'audit',
      async ({ page }) => {
        onTestFinished(() => speak(settings.plant, people.aude, 'en'));
        const list = page.locator('.cftable');
        const top = async () => (await list.boundingBox())?.y;
        for (const language of ['en', 'de', 'fr', 'es']) {
          await speak(settings.plant, people.aude, language);
          const held = Promise.withResolvers<void>();
          await page.route('**/audit/verification', async (route) => {
            await held.promise;
            await route.continue();
          });
          await page.reload();
          await list.waitFor();
          const before = await top();
          held.resolve();
          await page.locator('.auditproof [role="status"]').waitFor();
          expect(await top(), language).toBe(before);
          await page.unroute('**/audit/verification');
        }
      },
      { size, user: people.aude },
    ),
  );

  test('names the first entry that somebody has changed in the database', () =>
    withPage(
      'audit',
      async (desk) => {
        await proof(desk)
          .getByText(/^Verified to entry/)
          .waitFor();
        const owner = await connectSql(settings.plant.databaseUrl);
        const replace = (one: string, other: string) =>
          owner.query('update audit_entries set entry = replace(entry, $1, $2) where number >= 5', [
            one,
            other,
          ]);
        const { rows } = await owner.query<{ number: string }>(
          `select min(number) as number from audit_entries where number >= 5 and entry like '%Hugo Perrin%'`,
        );
        await owner.query('alter table audit_entries disable trigger all');
        await replace('Hugo Perrin', 'Hugo Martin');
        await proof(desk).getByRole('button', { name: 'Verify again' }).click();
        await proof(desk)
          .getByText(`Entry ${rows[0]?.number} cannot be trusted, nor what comes after it`)
          .waitFor();
        await desk.axe();
        await desk.screenshot('settings-audit-broken');
        await replace('Hugo Martin', 'Hugo Perrin');
        await owner.query('alter table audit_entries enable trigger all');
        await proof(desk).getByRole('button', { name: 'Verify again' }).click();
        await proof(desk)
          .getByText(/^Verified to entry/)
          .waitFor();
      },
      { user: people.aude },
    ));
});

describe('commands', () => {
  test.for(themes)('an empty list says why it is empty, %s', (theme) =>
    withPage(
      'commands',
      async (desk) => {
        await desk.page.getByText('No alarm has started a program yet.').waitFor();
        await desk.axe();
      },
      { theme },
    ),
  );
});

describe('the help', () => {
  test.for([
    ['commands', 'commands'],
    ['stations', 'interface'],
    ['people', 'reachability'],
    ['callgroups', 'dispatch'],
    ['keys', 'security'],
    ['audit', 'security'],
  ] as const)('of %s is the document %s, in a tab of its own', ([path, topic]) =>
    withPage(path, async ({ page }) => {
      const opened = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'More in the help' }).click();
      const document = await opened;
      await document.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(document.url()).pathname).toBe(`/help/${topic}/`);
      await page.getByRole('link', { name: 'More in the help' }).waitFor();
    }),
  );

  test('begins with its contents', () =>
    withPage('stations', async ({ page }) => {
      const opened = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'Help', exact: true }).click();
      const document = await opened;
      await document.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
      expect(new URL(document.url()).pathname).toBe('/help/');
    }));
});

describe('the navigation', () => {
  test('begins at the stations, and counts what there is', () =>
    withPage('stations', async ({ page }) => {
      await page.goto(`${settings.plant.baseUrl}/settings`);
      await page.getByRole('heading', { name: 'Stations' }).waitFor();
      const nav = page.getByRole('navigation', { name: 'Settings' });
      await expect
        .poll(() => nav.getByRole('link', { name: /^People/ }).textContent())
        .toBe(`People${(await read<Page<object>>(settings.plant.client, 'users')).paging.total}`);
    }));

  test.for(['nonsense', 'approvals'])('the page %s, which is not one of the settings, says so', (name) =>
    withPage(name, async ({ page }) => {
      await page.getByText(`There is no page “${name}” in the settings.`).waitFor();
    }),
  );

  test('an object that does not exist says so', () =>
    withPage(
      'stations?id=4711',
      async ({ page }) => {
        await page.getByText('There is no station 4711').waitFor();
      },
      { refused: '404' },
    ));
});

test('on a phone the audit trail is read without scrolling sideways, also in German', () =>
  readOnPhone(settings, 'audit', people.aude));
