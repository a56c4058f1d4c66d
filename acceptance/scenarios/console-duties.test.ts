import type { Calendar, Leave } from '@tocsin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { beyondTheScreen } from '../harness/console/narrow.ts';
import { buildRoster, hugo, lea, type RosterPlant } from '../harness/console/roster-plant.ts';
import { create, openPlant, type Page, type Plant, read } from '../harness/plant.ts';

let plant: Plant;
let works: RosterPlant;
let browser: Browser;

beforeAll(async () => {
  plant = await openPlant('');
  works = await buildRoster(plant);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs);
/** The Tuesday of the next week. Team B is on duty from 06:00 to 14:00. */
const tuesday = new Date((today + 8 - ((today + 3) % 7)) * dayMs).toISOString().slice(0, 10);

type Options = { user?: typeof hugo; size?: Size; theme?: Theme };

async function withRoster(
  story: (desk: Desk) => Promise<void>,
  { user = hugo, ...options }: Options = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await desk.signIn(user, `/roster?group=${works.groupId}&day=${tuesday}`);
    await desk.page.getByRole('heading', { level: 1, name: 'Process on-call' }).waitFor();
    await story(desk);
    // The address of a revoked calendar is refused.
    expect(desk.faults.filter((fault) => !fault.includes('status of 404'))).toEqual([]);
  } finally {
    await desk.close();
  }
}

const leaves = async () => (await read<Page<Leave>>(plant.client, 'leaves?limit=100')).items;

test('whoever enters a leave is warned of the gap that it makes, before it is saved', async () => {
  const away = { from: `${tuesday}T00:00:00+01:00`, to: `${tuesday}T23:59:00+01:00` };
  // Two of the three people of Team B are away already.
  for (const index of [3, 4]) await create(plant.client, 'leaves', { userId: works.userIds[index], ...away });
  await withRoster(async (desk) => {
    const { page } = desk;
    await page.getByRole('button', { name: 'Enter leave' }).click();
    const dialog = page.getByRole('dialog');
    const warning = dialog.getByRole('status');
    await dialog.getByLabel('From').fill(`${tuesday}T00:00`);
    await dialog.getByLabel('To').fill(`${tuesday}T12:00`);
    await dialog.getByLabel('Person').selectOption('Anna Keller');
    expect(await warning.count()).toBe(0);
    await dialog.getByLabel('Person').selectOption('Jonas Weber');
    await warning.getByText(/06:00.*12:00/).waitFor();
    await desk.axe();
    await desk.screenshot('leave-gap');
    expect(await leaves()).toHaveLength(2);
    await dialog.getByLabel('To').fill(`${tuesday}T06:00`);
    await warning.waitFor({ state: 'detached' });
    await dialog.getByLabel('To').fill(`${tuesday}T12:00`);
    await warning.waitFor();
    await dialog.getByRole('button', { name: 'Save leave' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/^Nobody is on duty on Tuesday.* from 06:00 to 12:00\.$/).waitFor();
    expect((await leaves()).map(({ user }) => user)).toContain('Jonas Weber');
  });
  for (const { id } of await leaves())
    expect((await plant.client.send('DELETE', `/api/v1/leaves/${id}`)).status).toBe(204);
});

test('a gap that is there anyway does not hide the one that a leave makes', async () => {
  // The plan has a gap on Sunday. Two of the three people of Team C are away on the Monday after it.
  const [sunday, monday] = [5, 6].map((days) =>
    new Date(Date.parse(tuesday) + days * dayMs).toISOString().slice(0, 10),
  );
  const away = { from: `${monday}T00:00:00+01:00`, to: `${monday}T23:30:00+01:00` };
  for (const index of [6, 7]) await create(plant.client, 'leaves', { userId: works.userIds[index], ...away });
  await withRoster(async ({ page }) => {
    await page.getByRole('button', { name: 'Enter leave' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Person').selectOption('Olivia Blanc');
    await dialog.getByLabel('From').fill(`${sunday}T00:00`);
    await dialog.getByLabel('To').fill(`${monday}T23:00`);
    await dialog
      .getByRole('status')
      .getByText(/14:00.*22:00/)
      .waitFor();
  });
  for (const { id } of await leaves())
    expect((await plant.client.send('DELETE', `/api/v1/leaves/${id}`)).status).toBe(204);
});

test.for(themes)('a person makes an address of their calendar, copies and revokes it, %s', (theme) =>
  withRoster(
    async (desk) => {
      const { page } = desk;
      await page.getByRole('button', { name: 'Calendar', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'My duties' }).click();
      const address = await dialog.getByLabel('Address of the calendar').inputValue();
      await dialog.getByRole('button', { name: 'Copy' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
      const calendar = await fetch(address);
      expect(calendar.headers.get('content-type')).toContain('text/calendar');
      expect(await calendar.text()).toContain('BEGIN:VEVENT');
      await desk.axe();
      await desk.screenshot('calendar');
      await dialog
        .getByText('never read')
        .or(dialog.getByText(/last read/))
        .first()
        .waitFor();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
      expect((await fetch(address)).status).toBe(404);
    },
    { user: lea, theme },
  ),
);

test('on a phone the address of the calendar of a group fits the screen, and is revoked', () =>
  withRoster(
    async (desk) => {
      const { page } = desk;
      await page.getByRole('button', { name: 'Calendar', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Duties of Process on-call' }).click();
      const address = await dialog.getByLabel('Address of the calendar').inputValue();
      expect(await beyondTheScreen(page)).toEqual([]);
      await desk.screenshot('calendar');
      const own = plant.someone();
      await own.logIn(lea.username, lea.password);
      expect((await read<Page<Calendar>>(own, 'calendars')).items).toMatchObject([
        { callGroupId: works.groupId },
      ]);
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
      expect((await fetch(address)).status).toBe(404);
    },
    { user: lea, size: 'phone' },
  ));
