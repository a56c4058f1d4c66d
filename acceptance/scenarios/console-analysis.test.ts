import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { beyondTheScreen } from '../harness/console/narrow.ts';
import { type SimulatedYear, simulateYear } from '../harness/console/simulated-year.ts';
import { countFigures, readHistories } from '../harness/console/year-figures.ts';
import { granted, openPlant, type Plant, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let plant: Plant;
let year: SimulatedYear;
let browser: Browser;

beforeAll(async () => {
  plant = await openPlant('');
  year = await simulateYear(plant, Date.now());
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Options = { size?: Size; theme?: Theme; path?: string; ready?: string };

async function withPage(
  story: (desk: Desk) => Promise<void>,
  { path = '/kpis', ready = '.tile', ...options }: Options = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(undefined, path);
    await desk.page.locator(ready).first().waitFor();
    await story(desk);
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
}

const pages = [
  ['/kpis', '.k-side', 'kpi'],
  ['/kpis?period=year', '.k-side', 'kpi-year'],
  ['/history?period=year', '.hist tbody tr', 'history'],
  ['/history?period=year&tab=statistics', '.hist tbody tr', 'statistics'],
  ['/report', '.areport section', 'report'],
] as const;

/** The administrator wants the console in another language. */
async function speak(language: string): Promise<void> {
  granted(await plant.client.send('PUT', '/api/v1/me/console-settings', { body: { language } }));
}

describe.for(themes)('in the %s theme', (theme) => {
  test.for(pages)('%s can be read by everybody', ([path, ready, name]) =>
    withPage(
      async (desk) => {
        await desk.page.waitForTimeout(500);
        await desk.screenshot(`analysis-${name}`);
        await desk.axe();
      },
      { path, ready, theme },
    ),
  );
});

test.for(sampleOf(pages, 2))(
  'on a phone %s does not scroll sideways, also in German',
  ([path, ready, name]) =>
    withPage(
      async (desk) => {
        const overflow = () =>
          desk.page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        await desk.screenshot(`analysis-${name}`);
        expect(await overflow()).toBe(0);
        await desk.axe();
        try {
          await speak('de');
          await desk.page.reload();
          await desk.page.locator(ready).first().waitFor();
          await desk.page.getByText('Kennzahlen').first().waitFor();
          await desk.screenshot(`analysis-${name}-de`);
          expect(await overflow()).toBe(0);
          expect((await beyondTheScreen(desk.page)).filter((one) => !one.includes('chart'))).toEqual([]);
        } finally {
          await speak('en');
        }
      },
      { path, ready, size: 'phone' },
    ),
);

type Kpis = {
  from: string;
  to: string;
  alarms: number;
  flood: { floods: number; seconds: number };
  chattering: { total: number };
};

test('the key figures of a year are those that counting its histories gives', () =>
  withPage(
    async ({ page }) => {
      // An answer that is still on its way could be taken for the next one.
      await page.waitForLoadState('networkidle');
      const answer = page.waitForResponse((response) => response.url().includes('/alarms/kpis'));
      await page.reload();
      const kpis = (await (await answer).json()) as Kpis;
      const histories = await readHistories(
        plant.client,
        `from=${encodeURIComponent(kpis.from)}&to=${encodeURIComponent(kpis.to)}`,
      );
      const counted = countFigures(histories, Date.parse(kpis.from), Date.now());
      expect(counted.alarms).toBeGreaterThan(2_700);
      expect(counted.alarms).toBeLessThanOrEqual(year.occurrences);
      expect(kpis).toMatchObject({
        alarms: counted.alarms,
        flood: { floods: counted.floods, seconds: counted.floodSeconds },
        chattering: { total: counted.chattering.length },
      });
      expect(counted.floods).toBeGreaterThanOrEqual(2);
      const tile = (name: string) => page.locator(`[data-figure="${name}"] .tv`).textContent();
      expect(await tile('busiest')).toBe(String(counted.busiest));
      expect(await tile('chattering')).toBe(String(counted.chattering.length));
      expect(await tile('stale')).toBe('1');
      const { reactionMeanSeconds: mean } = counted;
      expect(await tile('acknowledge')).toBe(
        `${Math.floor(mean / 60)}:${String(mean % 60).padStart(2, '0')}`,
      );
      await page.getByRole('button', { name: 'Show as a table: Ten worst tags' }).click();
      const rows = page.getByRole('table', { name: 'Ten worst tags' }).locator('tbody tr');
      const shown = await rows.evaluateAll((all) =>
        all.map((row) => [row.children[0]?.textContent, row.children[2]?.textContent]),
      );
      expect(shown).toEqual(
        counted.worst.slice(0, 10).map(({ tagName, alarms }) => [tagName, String(alarms)]),
      );
      const mix = await page.locator('.mixr small').allTextContents();
      expect(mix.map((text) => Number(text.replace(',', '')))).toEqual(counted.priorities);
    },
    { path: '/kpis?period=year' },
  ));

test('the report of a month is what its histories say', () =>
  withPage(
    async ({ page }) => {
      const month = await page.getByLabel('Month').inputValue();
      const next = new Date(`${month}-01T00:00:00Z`);
      next.setUTCMonth(next.getUTCMonth() + 1);
      // Without an offset times are those of the station.
      const query = `from=${month}-01T00:00:00&to=${next.toISOString().slice(0, 19)}`;
      const histories = await readHistories(plant.client, query);
      const { from, to } = await read<Kpis>(plant.client, `alarms/kpis?${query}`);
      const counted = countFigures(histories, Date.parse(from), Date.parse(to));
      expect(counted.alarms).toBeGreaterThan(100);
      const figure = (name: string) =>
        page
          .getByRole('table', { name: 'Figures and targets' })
          .getByRole('row', { name })
          .locator('td')
          .first();
      expect(await figure('Alarms').textContent()).toBe(String(counted.alarms));
      expect(await figure('Busiest 10 min').textContent()).toBe(String(counted.busiest));
      const people = page.getByRole('table', { name: 'People' }).locator('tbody tr');
      await people.first().waitFor();
      const taken = await people.evaluateAll((rows) =>
        rows.map((row) => Number(row.children[1]?.textContent)),
      );
      expect(taken.reduce((sum, one) => sum + one, 0)).toBe(
        histories.filter(({ ackTime }) => ackTime).length,
      );
    },
    { path: '/report', ready: '.areport .tbl' },
  ));

test('the report prints black on white, without the console around it', () =>
  withPage(
    async ({ page }) => {
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0).toBeLessThanOrEqual(3);
      await page.emulateMedia({ media: 'print' });
      for (const part of ['.rail', '.top', '.band', '.areport .atools'])
        expect(await page.locator(part).first().isVisible()).toBe(false);
      await page.getByText(/Printed .* by/).waitFor();
    },
    { path: '/report', ready: '.areport .tbl', theme: 'dark' },
  ));

describe('an engineer', () => {
  test('finds both pages by the rail and by two keys', () =>
    withPage(
      async ({ page }) => {
        await page.getByRole('link', { name: 'KPIs' }).click();
        await page.getByRole('heading', { level: 1, name: 'Alarm performance' }).waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('h');
        await page.getByRole('navigation', { name: 'Histories' }).waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('k');
        await page.getByRole('heading', { level: 1, name: 'Alarm performance' }).waitFor();
      },
      { path: '/areas', ready: '.areap' },
    ));

  test('filters histories by words, tag group and person, which survives a reload', () =>
    withPage(
      async ({ page }) => {
        await page.getByRole('searchbox').fill('turbidity');
        await expect.poll(() => page.url()).toContain('search=turbidity');
        await page.getByRole('combobox', { name: 'Taken by' }).selectOption({ label: 'Anna Keller' });
        await expect.poll(() => page.url()).toContain('userId=');
        await page.reload();
        const total = page.locator('.view[aria-current] i');
        await total.waitFor();
        const query = new URL(page.url()).searchParams;
        const path = `alarms/histories?search=turbidity&userId=${query.get('userId')}&limit=1`;
        const { paging } = await read<{ paging: { total: number } }>(plant.client, path);
        await expect.poll(() => total.textContent()).toBe(String(paging.total));
        for (const text of await page.locator('.hist tbody tr td:nth-child(3)').allTextContents())
          expect(text).toBe('Raw water turbidity');
        await page.getByRole('button', { name: 'Clear' }).click();
        await expect.poll(() => page.url()).not.toContain('userId');
      },
      { path: '/history?period=year', ready: '.hist tbody tr' },
    ));

  test('turns pages, and saves exactly the rows of the filters', () =>
    withPage(
      async ({ page }) => {
        const total = Number((await page.locator('.view[aria-current] i').textContent())?.replace(',', ''));
        await page.getByText(`1 to 50 of exactly ${total}`).waitFor();
        await page.getByRole('button', { name: 'Next page' }).click();
        await page.getByText(`51 to 100 of exactly ${total}`).waitFor();
        expect(page.url()).toContain('page=2');
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: 'CSV, exactly these rows' }).click();
        const stream = await (await saved).createReadStream();
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const file = Buffer.concat(chunks);
        expect([...file.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
        const lines = file.toString('utf8').trim().split('\r\n');
        expect(lines[0]).toMatch(/^id,tagId,tagName,message/);
        expect(lines).toHaveLength(total + 1);
      },
      { path: '/history?period=year', ready: '.hist tbody tr' },
    ));

  test('sees the numbers of a chart as a table, and the request that repeats it', () =>
    withPage(async ({ page }) => {
      await page.getByRole('button', { name: 'Show as a table: When alarms come' }).click();
      expect(await page.getByRole('table', { name: 'When alarms come' }).locator('tbody tr').count()).toBe(
        24,
      );
      await page.getByRole('button', { name: /Alarm performance/ }).click();
      await page.getByRole('dialog').getByText('/api/v1/alarms/kpis?from=').first().waitFor();
    }));
});
