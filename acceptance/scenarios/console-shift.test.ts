import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { buildWaterworks, raiseNight, type Waterworks } from '../harness/console/waterworks.ts';
import {
  addPhones,
  create,
  granted,
  idsOf,
  openPlant,
  type Page,
  type Plant,
  raise,
  read,
} from '../harness/plant.ts';

let plant: Plant;
let works: Waterworks;
let browser: Browser;

const password = 'a long enough password';
const marc = { username: 'marc', password };
const claire = { username: 'claire', password };
const vera = { username: 'vera', password };

type Note = { id: number; text: string; outgoing?: { user: string }; incoming?: { user: string } };
const notes = async () => (await read<Page<Note>>(plant.client, 'shifts/notes')).items;

/** Anna is called, and her phone cannot be reached. */
async function callInVain(): Promise<void> {
  const { client } = plant;
  await addPhones(client);
  const media = [{ kind: 'Voice', address: '+33100004217' }];
  const userId = await create(client, 'users', {
    username: 'anna',
    name: 'Anna Keller',
    role: 'operator',
    media,
  });
  const groupId = await create(client, 'callgroups', {
    name: 'Process on-call',
    userIds: [userId],
    attempts: 1,
  });
  const id = await raise(client, {
    path: 'Lab.FRIDGE.H',
    stationId: works.stationId,
    priority: 2,
    alarmMessage: 'Sample fridge too warm',
    tagGroupId: works.areaIds.get('Laboratory'),
    alarmActions: [{ type: 'CallGroup', id: groupId }],
  });
  const hasFailed = async () =>
    (await read<{ failedCalls: { total: number } }>(client, 'shifts/summary')).failedCalls.total;
  await vi.waitFor(async () => expect(await hasFailed()).toBeGreaterThan(0), { timeout: 20_000 });
  granted(await client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
  // Channels that do not work would raise alarms of their own.
  for (const channelId of await idsOf(client, 'channels'))
    expect((await client.send('DELETE', `/api/v1/channels/${channelId}`)).status).toBe(204);
}

beforeAll(async () => {
  plant = await openPlant('', { ROLES: 'api,hub,dispatch' });
  works = await buildWaterworks(plant);
  await raiseNight(plant, works);
  await create(plant.client, 'users', { ...marc, name: 'Marc Faure', role: 'operator' });
  await create(plant.client, 'users', { ...claire, name: 'Claire Aubry', role: 'operator' });
  await create(plant.client, 'users', { ...vera, name: 'Vera Blum', role: 'viewer' });
  await callInVain();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Options = {
  size?: Size;
  theme?: Theme;
  user?: typeof marc;
  path?: string;
  /** The status of a request that is refused on purpose, which browsers report by themselves. */
  refused?: string;
};

async function withPage(
  story: (desk: Desk) => Promise<void>,
  { user, path = '/shift', refused, ...options }: Options = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(user, path);
    await desk.page.getByRole('region', { name: 'Still open' }).waitFor();
    await story(desk);
    expect(desk.faults.filter((fault) => !refused || !fault.includes(`status of ${refused}`))).toEqual([]);
  } finally {
    await desk.close();
  }
}

/** Marc wants the console in another language. */
async function speak(language: string): Promise<void> {
  const client = plant.someone();
  granted(await client.logIn(marc.username, marc.password));
  granted(await client.send('PUT', '/api/v1/me/console-settings', { body: { language } }));
}

const linesOf = ({ page }: Desk, section: string) =>
  page.getByRole('region', { name: section, exact: true }).getByRole('listitem').allTextContents();

/** Waits, because each section is read by a request of its own. */
async function expectLine(desk: Desk, section: string, pattern: RegExp): Promise<void> {
  await expect
    .poll(async () => (await linesOf(desk, section)).join('\n'), { message: section })
    .toMatch(pattern);
}

test.for(themes)('the shift sheet can be read by everybody, %s', (theme) =>
  withPage(
    async (desk) => {
      await desk.page.getByRole('region', { name: 'Who was called' }).waitFor();
      await desk.axe();
    },
    { theme, user: marc },
  ),
);

describe('somebody who comes on shift', () => {
  test('finds the sheet by the rail and by two keys', () =>
    withPage(
      async ({ page }) => {
        await page.getByRole('link', { name: 'Alarms', exact: true }).click();
        await page.locator('[role="grid"]').waitFor();
        await page.getByRole('link', { name: 'Shift' }).click();
        await page.getByRole('heading', { level: 1, name: /^Since/ }).waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('a');
        await page.locator('[role="grid"]').waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('s');
        await page.getByRole('heading', { level: 1, name: /^Since/ }).waitFor();
      },
      { user: marc },
    ));

  test('sees what is open, the urgent ones first, and who holds them', () =>
    withPage(
      async (desk) => {
        // The area of an alarm is read after the list.
        await expect
          .poll(async () => (await linesOf(desk, 'Still open')).find((line) => line.includes('P302')))
          .toMatch(/High lift.*taken by/);
        const lines = await linesOf(desk, 'Still open');
        expect(lines).toHaveLength(10);
        expect(lines.slice(0, 2).join()).toMatch(/Chlorine residual low-low/);
        expect(lines.join()).not.toContain('SP12');
      },
      { user: marc },
    ));

  test('sees what was acknowledged by whom, what went away, masks and floods', () =>
    withPage(
      async (desk) => {
        await expectLine(desk, 'Acknowledged', /^1P302 tripped/);
        await expectLine(desk, 'Gone before anybody acknowledged', /Turbidity high/);
        await expectLine(desk, 'Masks', /SP12 no flow.*tube change.*ends/);
        await expectLine(desk, 'Floods', /16 alarms/);
        await desk.page.locator('.nums').getByText('16', { exact: true }).waitFor();
      },
      { user: marc },
    ));

  test('sees which calls had no answer, and who was called', () =>
    withPage(
      async (desk) => {
        await expectLine(desk, 'Calls without an answer', /Anna Keller.*Sample fridge/);
        await expectLine(desk, 'Who was called', /Anna Keller/);
      },
      { user: marc },
    ));

  test('chooses another begin, which is in the address and survives a reload', () =>
    withPage(
      async ({ page }) => {
        const since = page.getByRole('combobox', { name: /^Since/ });
        await since.selectOption('24');
        await expect.poll(() => new URL(page.url()).search).toBe('?hours=24');
        await page.reload();
        await expect.poll(() => since.inputValue()).toBe('24');
        await since.selectOption('chosen');
        await page.getByRole('textbox', { name: 'another time' }).fill('2026-01-01T00:00');
        await expect.poll(() => page.url()).toContain('from=2025-12-31T23');
      },
      { user: marc },
    ));

  test('begins where they signed out at this desk', () =>
    withPage(
      async ({ page }) => {
        await page.getByText('Everything below happened in these hours.').waitFor();
        await page.locator('.who-am-i').click();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('User name').fill(vera.username);
        await page.getByLabel('Password').fill(vera.password);
        await page.getByRole('button', { name: 'Sign in and arm the sound' }).click();
        await page.getByText('after you signed out at this desk').waitFor();
      },
      { user: vera },
    ));
});

describe('a hand-over', () => {
  const text = 'P302: Ben is on site with the spare, expects 08:00.\nLaboratory calls at 07:00.';

  test('is written and signed by the outgoing shift, who cannot take over as well', () =>
    withPage(
      async (desk) => {
        const { page } = desk;
        const panel = page.getByRole('complementary', { name: 'Hand-over' });
        expect(await panel.getByRole('button', { name: 'Marc Faure hands over' }).isDisabled()).toBe(true);
        await panel.getByLabel('Said at the hand-over').fill(text);
        await panel.getByRole('button', { name: 'Save without signing' }).click();
        await panel.getByText('written by Marc Faure').waitFor();
        await panel.getByRole('button', { name: 'Marc Faure hands over' }).click();
        await panel.getByText(/^signed \d/).waitFor();
        await panel.getByText('Somebody else takes over').waitFor();
        expect(await panel.getByRole('button', { name: /takes over/ }).count()).toBe(0);
        expect(await notes()).toMatchObject([{ text, outgoing: { user: 'Marc Faure' } }]);
      },
      { user: marc },
    ));

  test('is taken over by somebody else, after they have read what matters', () =>
    withPage(
      async (desk) => {
        const { page } = desk;
        const panel = page.getByRole('complementary', { name: 'Hand-over' });
        await panel.getByText('Laboratory calls at 07:00.').waitFor();
        const take = panel.getByRole('button', { name: 'Claire Aubry takes over' });
        expect(await take.isDisabled()).toBe(true);
        await desk.axe();
        for (const box of await panel.getByRole('checkbox').all()) await box.check();
        await take.click();
        await panel.getByText('Last hand-over').waitFor();
        await panel.getByText(/taken over by Claire Aubry/).waitFor();
        const [note] = await notes();
        expect(note).toMatchObject({ outgoing: { user: 'Marc Faure' }, incoming: { user: 'Claire Aubry' } });
        const change = { body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', text: 'other' } };
        const answer = await plant.client.send('PUT', `/api/v1/shifts/notes/${note?.id}`, change);
        expect(answer.status).toBe(409);
      },
      { user: claire },
    ));

  test('is where the next sheet of both begins, and its own sheet can be opened', async () => {
    await withPage(
      async ({ page }) => {
        await page.getByText('Everything below happened after you took over.').waitFor();
        await page.getByRole('link', { name: 'Sheet of that shift' }).click();
        await page.locator('.shiftpage.past').waitFor();
        await page.getByRole('region', { name: 'Notes' }).getByText('Laboratory calls at 07:00.').waitFor();
      },
      { user: claire },
    );
    await withPage(
      ({ page }) => page.getByText('Everything below happened after you handed over.').waitFor(),
      { user: marc },
    );
  });

  test('is refused if the note was changed while somebody read it', () =>
    withPage(
      async ({ page }) => {
        const panel = page.getByRole('complementary', { name: 'Hand-over' });
        await panel.getByLabel('Said at the hand-over').fill('Quiet night.');
        await panel.getByRole('button', { name: 'Save without signing' }).click();
        await panel.getByText('written by Claire Aubry').waitFor();
        const [note] = await notes();
        const path = `/api/v1/shifts/notes/${note?.id}`;
        const body = { ...granted<object>(await plant.client.get(path)), text: 'Not so quiet.' };
        granted(await plant.client.send('PUT', path, { body }));
        await panel.getByRole('button', { name: 'Claire Aubry hands over' }).click();
        await panel.getByText('the note was changed meanwhile').waitFor();
        await panel.getByText('Not so quiet.').waitFor();
        expect((await notes())[0]).not.toHaveProperty('outgoing');
      },
      { user: claire, refused: '412' },
    ));

  test('is read by a viewer, who cannot write one', () =>
    withPage(
      async ({ page }) => {
        const panel = page.getByRole('complementary', { name: 'Hand-over' });
        await panel.getByText('Operators write and sign hand-overs.').waitFor();
        await panel.getByText(/taken over by Claire Aubry/).waitFor();
        expect(await panel.getByRole('textbox').count()).toBe(0);
      },
      { user: vera },
    ));
});

describe('on paper', () => {
  test('the sheet is one page, black on white, without the console around it', () =>
    withPage(
      async ({ page }) => {
        await page.getByRole('region', { name: 'Who was called' }).waitFor();
        const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
        expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
        await page.emulateMedia({ media: 'print' });
        expect(await page.locator('.rail').isVisible()).toBe(false);
        expect(await page.locator('.band').isVisible()).toBe(false);
        expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
        await page.getByText(/^Default\. Printed|Printed .* by Marc Faure/).waitFor();
        const colours = await page
          .locator('.sheet1 h1')
          .evaluate((title) => [
            getComputedStyle(title).color,
            getComputedStyle(document.body).backgroundColor,
          ]);
        expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
      },
      { user: marc, theme: 'dark', path: '/shift?hours=8' },
    ));
});

test('a phone shows the sheet without scrolling sideways, also in German and French', () =>
  withPage(
    async (desk) => {
      const { page } = desk;
      const overflow = () =>
        page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(await overflow()).toBe(0);
      await desk.axe();
      for (const [language, title] of [
        ['de', 'Noch offen'],
        ['fr', 'Encore ouvertes'],
      ] as const) {
        await speak(language);
        await page.reload();
        await page.getByRole('region', { name: title }).waitFor();
        expect(await overflow()).toBe(0);
      }
      await speak('en');
    },
    { user: marc, size: 'phone', path: '/shift?hours=8' },
  ));
