import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { addSitePlan } from '../harness/console/site-plan.ts';
import { buildWaterworks, raiseNight, type Waterworks } from '../harness/console/waterworks.ts';
import { create, granted, openPlant, type Plant, raise, read } from '../harness/plant.ts';

let plant: Plant;
let works: Waterworks;
let browser: Browser;
let ids: ReadonlyMap<string, number>;
let beaconAlarm: number;

const password = 'a long enough password';
const engineer = { username: 'hugo', password };
const operator = { username: 'marc', password };

async function furnishWorks(): Promise<void> {
  const { client } = plant;
  await create(client, 'users', { ...engineer, name: 'Hugo Perrin', role: 'engineer' });
  await create(client, 'users', { ...operator, name: 'Marc Faure', role: 'operator' });
  const content = Buffer.from('%PDF-1.4').toString('base64');
  await create(client, 'mediafiles', { name: 'skid.pdf', contentType: 'application/pdf', content });
  beaconAlarm = await raise(client, {
    path: 'Sos.W12',
    stationId: works.stationId,
    priority: 2,
    alarmMessage: 'Lone worker does not move',
    location: {
      beaconList: [
        { id: 'b7', name: 'Filter hall', accuracy: 2 },
        { id: 'b8', name: 'Pump hall', accuracy: 9 },
      ],
    },
  });
  await addSitePlan(browser, plant, works, [
    { x: 0.75, y: 0.47, label: 'contact tank 2, outlet', tagId: ids.get('Chlor.CL201.LL') },
    { x: 0.56, y: 0.35, label: 'Filter hall', beaconId: 'b7' },
    { x: 0.9, y: 0.73, label: 'Pump hall', beaconId: 'b8' },
  ]);
}

beforeAll(async () => {
  browser = await launch();
  plant = await openPlant('');
  works = await buildWaterworks(plant);
  ids = await raiseNight(plant, works);
  await furnishWorks();
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

async function withAlarm(
  id: number | undefined,
  story: (desk: Desk) => Promise<void>,
  { user, refused, ...options }: Options = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(user, `/alarms/${id}`);
    await story(desk);
    expect(desk.faults.filter((fault) => !refused || !fault.includes(`status of ${refused}`))).toEqual([]);
  } finally {
    await desk.close();
  }
}

const idOf = (path: string) => ids.get(path) ?? 0;
const guidanceOf = (path: string) =>
  read<{ version?: number; guidance?: { steps: string[]; cause: string } }>(
    plant.client,
    `tags/${idOf(path)}/guidance`,
  );
const centre = async (element: Locator) => {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
};
const overflow = ({ page }: Desk, selector: string) =>
  page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

async function openEditor({ page }: Desk): Promise<void> {
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Step 1', { exact: true }).waitFor();
}

test.for(themes)('an alarm with its site plan can be read by everybody, %s', (theme) =>
  withAlarm(
    idOf('Chlor.CL201.LL'),
    async (desk) => {
      await desk.page.locator('.planframe img').waitFor();
      await desk.page.getByText('At the position of the tag.').waitFor();
      await desk.axe();
      await openEditor(desk);
      await desk.axe();
    },
    { theme },
  ),
);

describe('the site plan', () => {
  test('shows the alarm where its tag is, and keeps it there while the plan grows', () =>
    withAlarm(idOf('Chlor.CL201.LL'), async ({ page }) => {
      const image = page.locator('.planframe img');
      const pin = page.locator('.planinner > .pin').last();
      await image.waitFor();
      // Both are measured at one moment: the page may still move.
      const placeOfPin = async () =>
        image.evaluate(
          (plan, mark) => {
            if (!mark) throw new Error('the plan has no pin');
            const [on, at] = [plan.getBoundingClientRect(), mark.getBoundingClientRect()];
            const x = (at.x + at.width / 2 - on.x) / on.width;
            return { x, y: (at.y + at.height / 2 - on.y) / on.height };
          },
          await pin.elementHandle(),
        );
      const expected = { x: expect.closeTo(0.75, 2), y: expect.closeTo(0.47, 2) };
      expect(await placeOfPin()).toEqual(expected);
      const before = (await image.boundingBox())?.width ?? 0;
      await page.getByRole('button', { name: 'Larger' }).click();
      await page.getByRole('button', { name: 'Larger' }).click();
      expect((await image.boundingBox())?.width).toBeCloseTo(before * 2.25, 0);
      expect(await placeOfPin()).toEqual(expected);
      await page.getByRole('button', { name: 'Whole plan' }).click();
      expect((await image.boundingBox())?.width).toBeCloseTo(before, 0);
    }));

  test('is moved by keys and by the pointer', () =>
    withAlarm(idOf('Chlor.CL201.LL'), async ({ page }) => {
      const frame = page.getByRole('group', { name: /^Site plan Valmont works/ });
      const image = page.locator('.planframe img');
      await image.waitFor();
      await frame.focus();
      await page.keyboard.press('+');
      const left = async () => (await image.boundingBox())?.x ?? 0;
      const start = await left();
      await page.keyboard.press('ArrowLeft');
      await expect.poll(left).toBeGreaterThan(start);
      const moved = await left();
      const { x, y } = await centre(frame);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 40, y, { steps: 4 });
      await page.mouse.up();
      await expect.poll(left).toBeCloseTo(moved - 40, 0);
    }));

  test('shows a lone worker at the beacon that was heard best, and the other beacon beside', () =>
    withAlarm(beaconAlarm, async ({ page }) => {
      await page.getByText('At the beacon that the device heard best.').waitFor();
      await expect.poll(() => page.locator('.beacon').allTextContents()).toEqual(['Pump hall']);
    }));
});

describe('an engineer', () => {
  test('writes guidance for one tag, and sees that all of it came from the group before', () =>
    withAlarm(
      idOf('Chlor.TB101.H'),
      async (desk) => {
        const { page } = desk;
        await openEditor(desk);
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: /^This tag/ }).click();
        await dialog.getByText(/All parts below are from Chlorination/).waitFor();
        expect(await dialog.getByText('from Chlorination', { exact: true }).count()).toBe(6);
        await dialog.getByLabel('Likely cause').fill('Filter 2 breaks through');
        expect(await dialog.getByText('changed, not saved').count()).toBe(1);
        await dialog.getByRole('button', { name: 'Remove step 3' }).click();
        await dialog.getByLabel('Add a file').selectOption('skid.pdf');
        await dialog.getByRole('button', { name: 'Save as version 1' }).click();
        await page.locator('.guide .kv').getByText('Filter 2 breaks through').waitFor();
        await page.locator('.guide header').getByText('version 1, from Chlor.TB101.H').waitFor();
        expect((await guidanceOf('Chlor.TB101.H')).guidance).toMatchObject({
          steps: [expect.stringContaining('P222'), expect.stringContaining('tap 3')],
          files: ['skid.pdf'],
          respondSeconds: 600,
        });
      },
      { user: engineer },
    ));

  test('is told when somebody else has saved meanwhile, and loses nothing', () =>
    withAlarm(
      idOf('Sec.D14.OPEN'),
      async (desk) => {
        const { page } = desk;
        const path = `/api/v1/tags/${idOf('Sec.D14.OPEN')}/guidance`;
        granted(await plant.client.send('PUT', path, { body: { steps: ['Call security.'] } }));
        await page.reload();
        await openEditor(desk);
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Step 1', { exact: true }).fill('Look at camera 4.');
        granted(await plant.client.send('PUT', path, { body: { steps: ['Send Nico.'], cause: 'Wind' } }));
        await dialog.getByRole('button', { name: 'Save as version 2' }).click();
        await dialog.getByText(/saved version 2 .* while you were writing/).waitFor();
        await dialog.getByText('Send Nico.').waitFor();
        await desk.axe();
        expect(await dialog.getByLabel('Step 1', { exact: true }).inputValue()).toBe('Look at camera 4.');
        expect((await guidanceOf('Sec.D14.OPEN')).version).toBe(2);
        await dialog.getByRole('button', { name: 'Save mine as version 3' }).click();
        await page.locator('.guide .steps').getByText('Look at camera 4.').waitFor();
        expect((await guidanceOf('Sec.D14.OPEN')).version).toBe(3);
      },
      { user: engineer, refused: '412' },
    ));

  test('takes an earlier version back, and deletes it so that the group applies again', () =>
    withAlarm(
      idOf('Chlor.CL203.CAL'),
      async (desk) => {
        const { page } = desk;
        const path = `/api/v1/tags/${idOf('Chlor.CL203.CAL')}/guidance`;
        for (const step of ['Calibrate with buffer 7.', 'Wait until Monday.'])
          granted(await plant.client.send('PUT', path, { body: { steps: [step] } }));
        await page.reload();
        await openEditor(desk);
        const dialog = page.getByRole('dialog');
        await dialog.getByText('Versions: 2').click();
        await dialog.getByRole('button', { name: 'Use this text' }).last().click();
        await dialog.getByRole('button', { name: 'Save as version 3' }).click();
        await page.locator('.guide .steps').getByText('Calibrate with buffer 7.').waitFor();
        await openEditor(desk);
        await dialog.getByRole('button', { name: 'Delete, then Chlorination applies' }).click();
        await page.getByText('version 1, from Chlorination').waitFor();
        expect((await guidanceOf('Chlor.CL203.CAL')).guidance).toBeUndefined();
      },
      { user: engineer },
    ));

  test('does not lose a text by one press of Escape', () =>
    withAlarm(
      idOf('Chlor.CL201.LL'),
      async (desk) => {
        const { page } = desk;
        await openEditor(desk);
        await page.keyboard.type('First: ');
        await page.keyboard.press('Escape');
        await page.getByText('Your text is not saved.').waitFor();
        await page.keyboard.press('Escape');
        await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      },
      { user: engineer },
    ));
});

test('an operator reads what to do, and finds no way to change it', () =>
  withAlarm(
    idOf('Chlor.CL201.LL'),
    async ({ page }) => {
      await page.getByText('Start dosing pump P222').waitFor();
      await page.getByText('All of it is from Chlorination').waitFor();
      expect(await page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0);
      const client = plant.someone();
      granted(await client.logIn(operator.username, operator.password));
      const path = `/api/v1/tags/${idOf('Chlor.CL201.LL')}/guidance`;
      expect((await client.send('PUT', path, { body: { steps: ['No.'] } })).status).toBe(403);
    },
    { user: operator },
  ));

test('an integrator finds the request behind a card, and gets the same by it', () =>
  withAlarm(idOf('Chlor.CL201.LL'), async (desk) => {
    const { page } = desk;
    await page.getByRole('button', { name: 'API call: What to do' }).click();
    const path = `/api/v1/alarms/${idOf('Chlor.CL201.LL')}/guidance`;
    await page.getByRole('dialog').getByText(`GET ${path}`).waitFor();
    const curl = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    expect(curl).toContain(`'${plant.baseUrl}${path}'`);
    expect(curl).toContain('Bearer $TOKEN');
    await desk.axe();
    const { guidance } = granted<{ guidance: { cause: string } }>(await plant.client.get(path));
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText(guidance.cause).waitFor();
  }));

describe('on a phone', () => {
  test('the cards are below each other, and Acknowledge is at the bottom of the screen', () =>
    withAlarm(
      idOf('Bel.LT210.ROC'),
      async (desk) => {
        const { page } = desk;
        await page.getByRole('heading', { name: 'Reservoir 2 level falling fast' }).waitFor();
        expect(await overflow(desk, 'main')).toBe(0);
        const button = page.locator('.actionbar').getByRole('button', { name: 'Acknowledge' });
        const box = await button.boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(44);
        expect(box && box.y + box.height).toBeLessThanOrEqual(844);
        expect(box && box.x + box.width).toBeLessThanOrEqual(390);
        await button.click();
        await page
          .locator('.hero')
          .getByText(/Taken by/)
          .waitFor();
      },
      { size: 'phone' },
    ));

  test('the plan and the editor fit the screen', () =>
    withAlarm(
      idOf('Chlor.CL201.LL'),
      async (desk) => {
        await desk.page.locator('.planframe img').waitFor();
        expect(await overflow(desk, 'main')).toBe(0);
        await desk.axe();
        await openEditor(desk);
        expect(await overflow(desk, '.dialog')).toBe(0);
        const box = await desk.page.locator('.dialog').boundingBox();
        expect(box && box.x + box.width).toBeLessThanOrEqual(390);
        await desk.axe();
      },
      { size: 'phone', user: engineer },
    ));
});
