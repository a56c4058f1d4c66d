import { readFile } from 'node:fs/promises';
import type { TagItem } from '@tocsin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { beyondTheScreen, smallTargets } from '../harness/console/narrow.ts';
import { buildWaterworks, raiseNight } from '../harness/console/waterworks.ts';
import { create, granted, openPlant, type Page, type Plant, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let plant: Plant;
let browser: Browser;

const password = 'a long enough password';
const engineer = { username: 'hugo', password };
const operator = { username: 'marc', password };

beforeAll(async () => {
  plant = await openPlant('');
  const works = await buildWaterworks(plant);
  await raiseNight(plant, works);
  await create(plant.client, 'users', { ...engineer, role: 'engineer' });
  await create(plant.client, 'users', { ...operator, role: 'operator' });
  const groupId = await create(plant.client, 'callgroups', { name: 'Process on-call' });
  await create(plant.client, 'scenarios', {
    name: 'Chlorine, urgent',
    alarmActions: [{ type: 'CallGroup', id: groupId }],
  });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Options = {
  size?: Size;
  theme?: Theme;
  user?: typeof engineer;
  /** The status of a request that is refused on purpose, which browsers report by themselves. */
  refused?: string;
};

async function withPage(
  story: (desk: Desk) => Promise<void>,
  { user = engineer, refused, ...options }: Options = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(user, '/tags');
    await desk.page.locator('[data-tag]').first().waitFor();
    await story(desk);
    expect(desk.faults.filter((fault) => !refused || !fault.includes(`status of ${refused}`))).toEqual([]);
  } finally {
    await desk.close();
  }
}

const tags = async (query = '') =>
  (await read<Page<TagItem>>(plant.client, `tags?limit=1000&${query}`)).items;
const tagAt = async (path: string) => (await tags()).find((tag) => tag.path === path);
const rows = ({ page }: Desk) => page.locator('tr[data-tag]');
const upload = ({ page }: Desk, csv: string, name = 'tags.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) });

test.for(themes)('the page of tags can be read by everybody, %s', (theme) =>
  withPage(
    async (desk) => {
      const { page } = desk;
      await page.getByRole('button', { name: 'Chlorination', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Chlorination' }).waitFor();
      await page
        .getByLabel(/^Select Chlor/)
        .first()
        .check();
      await desk.screenshot('tags');
      await desk.axe();
      await upload(desk, 'path,priority,scenario\nChlor.CL201.LL,4,\nNew.T1.H,2,\nNew.T2.H,2,Genset');
      await page.getByText('A trial: nothing was changed.').waitFor();
      await desk.screenshot('tags-import');
      await desk.axe();
    },
    { theme },
  ),
);

describe('an engineer', () => {
  test('finds tags by group, search, priority and missing guidance', () =>
    withPage(async (desk) => {
      const { page } = desk;
      const all = (await tags()).length;
      await expect.poll(() => rows(desk).count()).toBe(Math.min(all, 100));
      await page.getByLabel('Search tags').fill('chlorine');
      const found = await tags('search=chlorine');
      await expect.poll(() => rows(desk).count()).toBe(found.length);
      await page.getByLabel('Search tags').fill('');
      await page.getByRole('combobox', { name: 'Priority' }).selectOption('1');
      await expect.poll(() => rows(desk).count()).toBe((await tags('priority=1')).length);
      await page.getByRole('combobox', { name: 'Priority' }).selectOption('0');
      await page.getByRole('combobox', { name: 'Guidance' }).selectOption('missing');
      await expect.poll(() => rows(desk).count()).toBe((await tags('guidance=missing')).length);
      await page.getByRole('button', { name: 'High lift', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'High lift' }).waitFor();
    }));

  test('reaches the page by two keys and selects with the keyboard', () =>
    withPage(async (desk) => {
      const { page } = desk;
      await page.getByRole('link', { name: 'Alarms', exact: true }).click();
      await page.locator('[role="grid"]').waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await rows(desk).first().waitFor();
      await page
        .getByLabel(/^Select /)
        .nth(1)
        .focus();
      await page.keyboard.press('Space');
      await page.getByText('1 tag selected').waitFor();
    }));

  test('changes three tags at once, after a review of what is replaced', () =>
    withPage(async (desk) => {
      const { page } = desk;
      const chosen = (await tags('priority=3')).slice(0, 3);
      expect(chosen).toHaveLength(3);
      for (const { path } of chosen) await page.getByLabel(`Select ${path}`, { exact: true }).check();
      await page.getByText('3 tags selected').waitFor();
      await page.getByRole('button', { name: 'Change…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change 3 tags' });
      await dialog.getByLabel('Priority').selectOption('2');
      await dialog.getByLabel('Scenario').selectOption('Chlorine, urgent');
      await expect
        .poll(() => dialog.locator('.review').innerText())
        .toMatch(/Priority\s+3 Medium\s+2 High\s+3/);
      await desk.axe();
      await dialog.getByRole('button', { name: 'Change 3 tags now' }).click();
      await page.getByText('3 changed, 0 were so already').waitFor();
      for (const { path } of chosen) expect(await tagAt(path)).toMatchObject({ priority: 2, scenarioId: 1 });
    }));

  test('is told which tag somebody else has changed, and nothing is changed', () =>
    withPage(
      async (desk) => {
        const { page } = desk;
        const [one, other] = await tags('priority=4');
        if (!one || !other) throw new Error('the waterworks has two tags of priority 4');
        for (const { path } of [one, other]) await page.getByLabel(`Select ${path}`, { exact: true }).check();
        await page.getByRole('button', { name: 'Change…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Change 2 tags' });
        await dialog.getByLabel('Delay in seconds').fill('77');
        const body = { tags: [{ id: other.id }], change: { alarmDelay: 5 } };
        granted(await plant.client.post('/api/v1/tags/changes', body));
        await dialog.getByRole('button', { name: 'Change 2 tags now' }).click();
        await dialog.getByText(`${other.path} was changed by someone else`).waitFor();
        expect(await tagAt(one.path)).toMatchObject({ alarmDelay: one.alarmDelay });
        await dialog.getByRole('button', { name: 'Look at the list' }).click();
        await page.getByText('2 tags selected').waitFor();
        await page.getByRole('button', { name: 'Change…' }).click();
        await dialog.getByLabel('Delay in seconds').fill('77');
        await dialog.getByRole('button', { name: 'Change 2 tags now' }).click();
        await page.getByText('2 changed, 0 were so already').waitFor();
        expect(await tagAt(other.path)).toMatchObject({ alarmDelay: 77 });
      },
      { refused: '412' },
    ));

  test('imports a file of a spreadsheet after a look at what changes', () =>
    withPage(async (desk) => {
      const { page } = desk;
      const before = (await tags()).length;
      const csv = [
        '\uFEFFpath;tagGroup;priority;delay;message;scenario',
        'Hau.FT501.LL;High lift;2;30;"Flow low; check pump";',
        'Hau.FT502.LL;High lift;1;;Flow low;Chlorine, urgent',
        'Chlor.CL201.LL;;;15;;',
        'Pow.G2.UBAT;;2;;Battery low;Genset',
        ';;1;;no path;',
      ].join('\r\n');
      await upload(desk, csv, 'valmont.csv');
      await page.getByRole('heading', { name: 'Import valmont.csv' }).waitFor();
      await page.getByText('A trial: nothing was changed. 5 lines were read and compared.').waitFor();
      expect(await tags()).toHaveLength(before);
      const table = page.getByRole('region', { name: 'Comparison with the file' });
      expect(
        await table
          .locator('tr[data-kind]')
          .evaluateAll((all) => all.map((row) => row.getAttribute('data-kind'))),
      ).toEqual(['wrong', 'wrong', 'changed', 'added', 'added']);
      expect(await table.innerText()).toMatch(/scenario: “Genset” does not exist\./);
      expect(await table.innerText()).toMatch(/Chlor\.CL201\.LL\s+delay\s+\d+\s+15/);
      await page.getByRole('button', { name: 'Errors 2' }).click();
      await expect.poll(() => table.locator('tr[data-kind]').count()).toBe(2);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the errors' }).click();
      expect(await readFile(await (await saved).path(), 'utf8')).toContain('5,"Pow.G2.UBAT"');
      await page.getByRole('button', { name: 'Import 2 new, 1 changed' }).click();
      await page.getByText('Imported: 2 new, 1 changed.').waitFor();
      await page.getByRole('button', { name: 'Back to the tags' }).click();
      await rows(desk).first().waitFor();
      expect(await tagAt('Hau.FT501.LL')).toMatchObject({
        priority: 2,
        alarmDelay: 30,
        alarmMessage: 'Flow low; check pump',
      });
      expect(await tagAt('Pow.G2.UBAT')).toBeUndefined();
    }));

  test('exports a file that can be imported without a change', () =>
    withPage(async (desk) => {
      const { page } = desk;
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const csv = await readFile(await (await saved).path(), 'utf8');
      expect(csv.split('\r\n')).toHaveLength((await tags()).length + 2);
      await upload(desk, csv);
      await page.getByText('A trial: nothing was changed.').waitFor();
      expect(await page.getByRole('button', { name: 'Import 0 new, 0 changed' }).isDisabled()).toBe(true);
    }));

  test('is told why a file cannot be read', () =>
    withPage(
      async (desk) => {
        await upload(desk, 'colour\nred');
        await desk.page.getByText(/has an unknown column colour/).waitFor();
      },
      { refused: '400' },
    ));
});

test('an operator reads tags and is told who changes them', () =>
  withPage(
    async (desk) => {
      const { page } = desk;
      await page.getByText('Engineers and administrators change tags.').waitFor();
      await page
        .getByLabel(/^Select /)
        .nth(1)
        .check();
      expect(await page.getByRole('button', { name: 'Change…' }).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Import…' }).isDisabled()).toBe(true);
    },
    { user: operator },
  ));

test.for(sampleOf(['desk', 'phone'] as const, 1))(
  'an engineer makes a tag before its first alarm, %s',
  (size) =>
    withPage(
      async (desk) => {
        const { page } = desk;
        const path = `Chlor.NEW.${size}`;
        await page.getByRole('button', { name: 'New tag' }).click();
        const dialog = page.getByRole('dialog');
        const go = dialog.getByRole('button', { name: 'Create the tag' });
        const choice = (name: string) => dialog.getByRole('combobox', { name, exact: true });
        expect(await go.isDisabled()).toBe(true);
        await dialog.getByLabel('Path').fill(path);
        await dialog.getByLabel('Message').fill('Residual low, new probe');
        await choice('Priority').selectOption('2 High');
        await choice('Group').selectOption('Chlorination');
        await choice('Scenario').selectOption('Chlorine, urgent');
        expect(await beyondTheScreen(page)).toEqual([]);
        await desk.axe();
        await desk.screenshot('tags-new');
        await go.click();
        await page.getByText(`${path} is created.`).waitFor();
        const made = await tagAt(path);
        expect(made).toMatchObject({ priority: 2, tagGroup: 'Chlorination', dataServer: 'PLC-VAL' });
        expect(made?.scenarioId).toBeGreaterThan(0);
        // The tag has no alarm.
        const { items } = await read<Page<{ id: number }>>(plant.client, 'alarms?limit=1000');
        expect(items.map(({ id }) => id)).not.toContain(made?.id);
      },
      { size },
    ),
);

test('a tag that is there already is not changed by a new one of its path', () =>
  withPage(async ({ page }) => {
    const before = await tagAt('Lift.P302.TRIP');
    await page.getByRole('button', { name: 'New tag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Path').fill('Lift.P302.TRIP');
    await dialog.getByLabel('Message').fill('Something else');
    await dialog.getByRole('button', { name: 'Create the tag' }).click();
    await dialog.getByText('Lift.P302.TRIP is there already. Select it in the list to change it.').waitFor();
    expect(await tagAt('Lift.P302.TRIP')).toEqual(before);
  }));

test('on a phone nothing is cut, also in German', async () => {
  const client = plant.someone();
  granted(await client.logIn(engineer.username, password));
  granted(await client.send('PUT', '/api/v1/me/console-settings', { body: { language: 'de' } }));
  await withPage(
    async (desk) => {
      const { page } = desk;
      await page.getByRole('heading', { level: 1, name: 'Variablen' }).waitFor();
      expect(await beyondTheScreen(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
      await desk.screenshot('tags');
      await upload(desk, 'path,priority\nChlor.CL201.LL,3\nNeu.1,2\n,1');
      await page.getByText('Ein Probelauf: Nichts wurde geändert.').waitFor();
      expect(await beyondTheScreen(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
    },
    { size: 'phone' },
  );
  granted(await client.send('PUT', '/api/v1/me/console-settings', { body: { language: 'en' } }));
});
