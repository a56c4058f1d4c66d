import type { CallGroup } from '@tocsin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { beyondTheScreen, smallTargets } from '../harness/console/narrow.ts';
import { buildRoster, hugo, lea, type RosterPlant, shifts, vera } from '../harness/console/roster-plant.ts';
import { granted, openPlant, type Plant, read } from '../harness/plant.ts';

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

type Options = {
  size?: Size;
  theme?: Theme;
  user?: typeof hugo;
  query?: string;
  /** The status of a request that is refused on purpose, which browsers report by themselves. */
  refused?: string;
};

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs);
const date = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const offsetOf = (day: number) =>
  new Date(day * dayMs)
    .toLocaleString('en', { timeZone: 'Europe/Paris', timeZoneName: 'longOffset' })
    .slice(-6);
/** The Monday of the first week to come in which clocks do not change. */
const monday = [7, 14, 21]
  .map((days) => today + days - ((today + 3) % 7))
  .find((day) => offsetOf(day - 1) === offsetOf(day + 8)) as number;
const long = (index: number) =>
  new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    (monday + index) * dayMs,
  );
const [mon, tue, wed, fri, sun] = [long(0), long(1), long(2), long(4), long(6)];
const monthOf = (day: number) =>
  new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(day * dayMs);
const thatWeek = `&day=${date(monday + 2)}`;

async function withPage(
  story: (desk: Desk) => Promise<void>,
  { user = hugo, query = thatWeek, refused, ...options }: Options = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(user, `/roster?group=${works.groupId}${query}`);
    await desk.page.getByRole('heading', { level: 1, name: 'Process on-call' }).waitFor();
    await story(desk);
    expect(desk.faults.filter((fault) => !refused || !fault.includes(`status of ${refused}`))).toEqual([]);
  } finally {
    await desk.close();
  }
}

const group = () => read<CallGroup>(plant.client, `callgroups/${works.groupId}`);

/** The roster as it was at the begin. */
async function startAgain(): Promise<void> {
  const { id: _id, lastChange: _change, ...body } = await group();
  const roster = { slotMinutes: 60, slots: shifts, overrides: [] };
  granted(
    await plant.client.send('PUT', `/api/v1/callgroups/${works.groupId}`, { body: { ...body, roster } }),
  );
}

const slotOf = ({ page }: Desk, name: RegExp) => page.getByRole('button', { name }).first();
const publish = async ({ page }: Desk, changes: string) => {
  await page.getByRole('button', { name: `Publish ${changes}` }).click();
  await page.getByRole('button', { name: 'Publish 0 changes' }).waitFor();
};

test.for(themes)('the roster can be read by everybody, %s', (theme) =>
  withPage(
    async (desk) => {
      await slotOf(desk, /^Team A, Monday/).waitFor();
      await desk.page.getByRole('heading', { name: 'Who is called', exact: true }).waitFor();
      await desk.axe();
      await desk.screenshot('roster');
      await slotOf(desk, /^Team B, Wednesday/).click();
      await desk.page.getByRole('dialog').waitFor();
      await desk.axe();
      await desk.screenshot('roster-shift');
    },
    { theme },
  ),
);

describe('a planner', () => {
  test('sees the gap before anything happens, closes it and publishes', () =>
    withPage(async (desk) => {
      const { page } = desk;
      await page.getByText(`Nobody is on duty on ${sun} from 13:00 to 14:00.`).waitFor();
      await page.getByText('Electrical on-call would be called at once').waitFor();
      await page.getByRole('button', { name: 'Extend Team B to 14:00' }).click();
      await expect.poll(() => page.locator('.warnbar').count()).toBe(0);
      // Nothing is saved before it is published.
      expect((await group()).roster.slots).toHaveLength(shifts.length);
      expect((await group()).roster.slots).toEqual(shifts);
      await publish(desk, '1 change');
      const sunday = (await group()).roster.slots.filter(({ day, teamId }) => day === 7 && teamId === 2);
      expect(sunday).toEqual([{ teamId: 2, day: 7, start: '06:00', end: '14:00' }]);
      await startAgain();
    }));

  test('moves and resizes slots with the keyboard alone', () =>
    withPage(async (desk) => {
      const { page } = desk;
      await slotOf(desk, new RegExp(`^Team B, ${mon}, 06:00`)).focus();
      await page.keyboard.press('Shift+ArrowLeft');
      await slotOf(desk, new RegExp(`^Team B, ${mon}, 06:00 to 13:00`)).waitFor();
      await page.getByText(`Nobody is on duty on ${mon} from 13:00 to 14:00.`).waitFor();
      await page.keyboard.press('ArrowRight');
      await slotOf(desk, new RegExp(`^Team B, ${mon}, 07:00 to 14:00`)).waitFor();
      await page.getByText(`Nobody is on duty on ${mon} from 06:00 to 07:00.`).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByLabel('From').last().selectOption('06:00');
      await page.getByRole('button', { name: 'Change the slot' }).click();
      await slotOf(desk, new RegExp(`^Team B, ${mon}, 06:00 to 14:00`)).waitFor();
      await page.getByRole('button', { name: 'Publish 0 changes' }).waitFor();
      await slotOf(desk, /^Team C, Tuesday/).focus();
      await page.keyboard.press('Delete');
      await page.getByText(`Nobody is on duty on ${tue} from 14:00 to 22:00.`).waitFor();
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await slotOf(desk, /^Team C, Tuesday/).waitFor();
    }));

  test('drags over a time to give it to a team, and drags the end of a slot', () =>
    withPage(async (desk) => {
      const { page } = desk;
      await page.locator('.legend').getByRole('button', { name: 'Team C' }).click();
      const track = page.getByRole('group', { name: sun }).locator('.track');
      const drag = async (from: number, to: number, inside = 0) => {
        // The plan moves up when the message about the gap goes.
        const box = await track.boundingBox();
        if (!box) throw new Error('the track is not drawn');
        const at = (hour: number) => box.x + (box.width * hour) / 24 - inside;
        const middle = box.y + box.height / 2;
        await page.mouse.move(at(from), middle);
        await page.mouse.down();
        await page.mouse.move(at(to), middle, { steps: 4 });
        await page.mouse.up();
      };
      await drag(13.1, 13.8);
      await slotOf(desk, new RegExp(`^Team C, ${sun}, 13:00 to 22:00`)).waitFor();
      await drag(22, 23, 3);
      await slotOf(desk, new RegExp(`^Team C, ${sun}, 13:00 to 23:00`)).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await publish(desk, '2 changes');
      const sunday = (await group()).roster.slots.filter(({ day }) => day === 7);
      expect(sunday).toContainEqual({ teamId: 3, day: 7, start: '13:00', end: '23:00' });
      expect(sunday).toContainEqual({ teamId: 1, day: 7, start: '23:00', end: '24:00' });
      await startAgain();
    }));

  test('is told that somebody else has published, and chooses', () =>
    withPage(
      async (desk) => {
        const { page } = desk;
        await page.getByRole('button', { name: 'Extend Team B to 14:00' }).click();
        await startAgain();
        await page.getByRole('button', { name: 'Publish 1 change' }).click();
        const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has published' });
        await conflict.getByText('Sun 06:00–14:00 Team B').waitFor();
        await desk.axe();
        await conflict.getByRole('button', { name: 'Publish mine instead' }).click();
        await page.getByRole('button', { name: 'Publish 0 changes' }).waitFor();
        expect((await group()).roster.slots).toContainEqual({
          teamId: 2,
          day: 7,
          start: '06:00',
          end: '14:00',
        });
        await startAgain();
      },
      { refused: '412' },
    ));

  test('swaps two shifts in two clicks, and the calls follow', () =>
    withPage(async (desk) => {
      const { page } = desk;
      await slotOf(desk, new RegExp(`^Team B, ${wed}`)).click();
      await page.getByRole('button', { name: 'Swap Team B and Team C' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const { overrides } = (await group()).roster;
      expect(overrides).toMatchObject([
        {
          teamId: 3,
          from: `${date(monday + 2)}T06:00:00${offsetOf(monday)}`,
          to: `${date(monday + 2)}T14:00:00${offsetOf(monday)}`,
          reason: 'swap',
        },
        { teamId: 2, reason: 'swap' },
      ]);
      await page.getByLabel('An alarm comes at').fill(`${date(monday + 2)}T07:00`);
      const panel = page.getByRole('complementary', { name: 'What if?' });
      await panel.getByText('Team C, by an override').waitFor();
      await expect.poll(() => panel.locator('.ladder li').first().textContent()).toContain('Lea Martin');
      await startAgain();
    }));

  test('makes a day a holiday, and a rotation in which teams take turns', () =>
    withPage(async (desk) => {
      const { page } = desk;
      await page.getByRole('button', { name: `Make ${fri} a holiday` }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Plant day');
      await page.getByRole('button', { name: 'Make it a holiday' }).click();
      await page.getByText(`Nobody is on duty on ${fri} from 13:00 to 14:00.`).waitFor();
      await page.getByRole('button', { name: 'Rotation' }).click();
      await page.getByRole('button', { name: 'Teams take turns by the week' }).click();
      await page.getByText('week 1 of 3').waitFor();
      await page.getByRole('button', { name: /^Publish \d+ changes/ }).click();
      await page.getByRole('button', { name: 'Publish 0 changes' }).waitFor();
      const { roster } = await group();
      expect(roster).toMatchObject({
        rotation: { weeks: 3, start: date(monday) },
        holidays: [{ date: date(monday + 4), name: 'Plant day' }],
      });
      await page.getByRole('button', { name: 'Week after' }).click();
      await page.getByText('week 2 of 3').waitFor();
      await slotOf(desk, new RegExp(`^Team B, ${long(7)}, 00:00 to 24:00`)).waitFor();
      await startAgain();
    }));

  test('reads a month, enters a leave and removes it', () =>
    withPage(
      async (desk) => {
        const { page } = desk;
        const month = page.getByRole('table', { name: monthOf(monday + 2) });
        await month.getByText('nobody on duty').first().waitFor();
        await desk.axe();
        await desk.screenshot('roster-month');
        await page.getByRole('button', { name: 'Enter leave' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Person').selectOption('Jonas Weber');
        await dialog.getByLabel('From').fill(`${date(monday + 2)}T00:00`);
        await dialog.getByLabel('To').fill(`${date(monday + 4)}T00:00`);
        await dialog.getByRole('button', { name: 'Save leave' }).click();
        await dialog.waitFor({ state: 'detached' });
        await month.getByText('on leave: Jonas Weber').first().waitFor();
        const { items } = await read<{ items: { id: number; user: string }[] }>(plant.client, 'leaves');
        expect(items.map(({ user }) => user)).toEqual(['Jonas Weber']);
        await page.getByRole('button', { name: 'Remove the leave of Jonas Weber' }).click();
        await page.getByText('Nobody is on leave.').waitFor();
      },
      { query: `${thatWeek}&view=month` },
    ));
});

describe('somebody on call', () => {
  test('takes over now in two clicks, and is on duty', () =>
    withPage(
      async ({ page }) => {
        await page.getByRole('button', { name: 'Take over now' }).click();
        await page.getByRole('button', { name: 'I take over' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        const [override] = (await group()).roster.overrides;
        expect(override?.userId).toBe(works.userIds[6]);
        type Health = { onDuty: { callGroupId: number; people: { user: string }[] }[] };
        const { onDuty } = await read<Health>(plant.client, 'console/health');
        const duty = onDuty.find(({ callGroupId }) => callGroupId === works.groupId);
        expect(duty?.people.map(({ user }) => user)).toContain('Lea Martin');
        expect(await page.getByRole('button', { name: /^Publish/ }).count()).toBe(0);
        await startAgain();
      },
      { user: lea, query: '' },
    ));

  test('takes over a shift on a phone, where nothing is cut', () =>
    withPage(
      async (desk) => {
        const { page } = desk;
        const shift = slotOf(desk, new RegExp(`^Team B, ${wed}`));
        await shift.getByText('06:00–14:00').waitFor();
        expect(await beyondTheScreen(page)).toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
        await desk.axe();
        await desk.screenshot('roster');
        await shift.click();
        expect(await beyondTheScreen(page)).toEqual([]);
        await desk.screenshot('roster-shift');
        await page.getByRole('button', { name: 'I take over' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        expect((await group()).roster.overrides).toMatchObject([
          { userId: works.userIds[6], replacesUserId: works.userIds[3] },
        ]);
        await startAgain();
      },
      { user: lea, size: 'phone' },
    ));

  test('a viewer reads the plan and changes nothing', () =>
    withPage(
      async ({ page }) => {
        await page.getByText('Engineers change the plan.').waitFor();
        expect(await page.getByRole('button', { name: 'Take over now' }).count()).toBe(0);
        expect(await page.getByRole('button', { name: 'Enter leave' }).count()).toBe(0);
      },
      { user: vera },
    ));
});

test('in German nothing is cut on a phone', () =>
  withPage(
    async ({ page }) => {
      const client = plant.someone();
      granted(await client.logIn(lea.username, lea.password));
      const speak = async (language: string) =>
        granted(await client.send('PUT', '/api/v1/me/console-settings', { body: { language } }));
      await speak('de');
      await page.reload();
      await page.getByRole('button', { name: 'Jetzt übernehmen' }).waitFor();
      expect(await beyondTheScreen(page)).toEqual([]);
      await speak('en');
    },
    { user: lea, size: 'phone' },
  ));

test('the plan is printed without the console around it', () =>
  withPage(
    async ({ page }) => {
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.rail').isVisible()).toBe(false);
      expect(await page.locator('.groups').isVisible()).toBe(false);
      expect(await page.getByRole('button', { name: 'Publish 0 changes' }).isVisible()).toBe(false);
      await page.getByText(/Printed .* by Hugo Perrin/).waitFor();
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
    },
    { theme: 'dark' },
  ));
