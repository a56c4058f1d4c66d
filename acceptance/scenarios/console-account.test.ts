import type { MediaRules } from '@tocsin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { create, openPlant, type Plant, read } from '../harness/plant.ts';

let plant: Plant;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  plant = await openPlant('', { ROLES: 'api,hub' });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Person = { id: number; username: string; password: string };

async function hire(): Promise<Person> {
  const username = `operator${++people}`;
  const password = 'seven quiet pumps below';
  const media = [{ kind: 'Voice', address: '+33100004217' }];
  const body = { username, name: 'Anna Berg', role: 'operator', password, media };
  return { id: await create(plant.client, 'users', body), username, password };
}

async function withAccount(
  story: (desk: Desk, person: Person) => Promise<void>,
  options: { size?: Size; theme?: Theme } = {},
): Promise<void> {
  const person = await hire();
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(person, '/account');
    await desk.page.getByRole('heading', { name: 'When I am called' }).waitFor();
    await story(desk, person);
    expect(desk.faults.filter((fault) => !fault.includes('status of 4'))).toEqual([]);
  } finally {
    await desk.close();
  }
}

const rulesOf = async ({ id }: Person) =>
  (await read<MediaRules>(plant.client, `users/${id}/media-rules`)).rules;

test.each(themes)(
  'a person writes quiet hours and the order in which they are called (%s)',
  async (theme) => {
    await withAccount(
      async (desk, person) => {
        const { page } = desk;
        await page.getByText('No rules: you are called at any time').waitFor();
        await page.getByRole('button', { name: 'Add quiet hours' }).click();
        await page.getByRole('button', { name: 'Add a rule' }).click();
        const second = page.getByRole('listitem', { name: 'Rule 2' });
        await second.getByLabel('Name of the rule').fill('By day');
        await second.getByRole('button', { name: 'P4' }).click();
        await second.getByLabel('Medium').selectOption('Push');
        await second.getByRole('button', { name: 'Then on' }).click();
        await second.getByLabel('Wait before it').selectOption('2');
        await desk.axe();
        await desk.screenshot('account');
        await page.getByRole('button', { name: 'Save the rules' }).click();
        await page.getByText('Saved. The next call follows these rules.').waitFor();
        expect(await rulesOf(person)).toMatchObject([
          { name: 'Quiet hours', priorities: [2, 3, 4], from: '22:00', to: '06:00', media: [] },
          {
            name: 'By day',
            priorities: [1, 2, 3],
            media: [{ kind: 'Push' }, { kind: 'Voice', afterSeconds: 120 }],
          },
        ]);
      },
      { theme },
    );
  },
);

test('rules are moved up and removed, and stay after a reload', async () => {
  await withAccount(async ({ page }, person) => {
    await page.getByRole('button', { name: 'Add quiet hours' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('button', { name: 'Move rule 2 up' }).click();
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await rulesOf(person)).map(({ media }) => media.length)).toEqual([1, 0]);
    await page.reload();
    await page.getByRole('button', { name: 'Remove rule 2' }).click();
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await rulesOf(person)).toHaveLength(1);
  });
});

test('quiet hours for priority 1 are refused with the reason, and nothing is lost', async () => {
  await withAccount(async ({ page }, person) => {
    await page.getByRole('button', { name: 'Add quiet hours' }).click();
    await page.getByRole('listitem', { name: 'Rule 1' }).getByRole('button', { name: 'P1' }).click();
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByRole('alert').getByText('Not saved:').waitFor();
    expect(await page.getByRole('listitem', { name: 'Rule 1' }).count()).toBe(1);
    expect(await rulesOf(person)).toEqual([]);
  });
});

test('a person sees their sessions and ends one that is not theirs', async () => {
  await withAccount(async (desk, person) => {
    const { page } = desk;
    const thief = await sitDown(browser, plant);
    await thief.signIn(person);
    await page.reload();
    const card = page.getByRole('region', { name: 'Where I am signed in' });
    await expect.poll(() => card.getByRole('listitem').count()).toBe(2);
    await card.getByText('This page').waitFor();
    await card.getByRole('button', { name: /^End the session of Chrome/ }).click();
    await card.getByText('Ended.').waitFor();
    await expect.poll(() => card.getByRole('listitem').count()).toBe(1);
    await thief.page.getByLabel('Password').waitFor({ timeout: 30_000 });
    await thief.close();
  });
});

test('a person changes their password; the old one no longer opens the desk', async () => {
  await withAccount(async ({ page }, person) => {
    const password = 'eleven green valves above';
    await page.getByLabel('Current password').fill('something else entirely');
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('alert').getByText('is not the current password').waitFor();
    await page.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Changed. All other sessions have ended.').waitFor();
    const other = await sitDown(browser, plant);
    await other.signIn({ ...person, password });
    expect(other.faults).toEqual([]);
    await other.close();
  });
});

test('a person sets and removes the PIN for the telephone', async () => {
  await withAccount(async ({ page }) => {
    await page.getByLabel('New PIN').fill('1234');
    await page.getByRole('button', { name: 'Save the PIN' }).click();
    await page.getByRole('alert').getByText('one of the first that others would try').waitFor();
    await page.getByLabel('New PIN').fill('83915');
    await page.getByRole('button', { name: 'Save the PIN' }).click();
    await page.getByText('Nobody can read it').waitFor();
    await page.getByRole('button', { name: 'Remove the PIN' }).click();
    await page.getByText('Removed.').waitFor();
    expect(await page.getByLabel('New PIN').inputValue()).toBe('');
  });
});

test('the menu of the account leads to the page, and a phone shows it without scrolling sideways', async () => {
  await withAccount(
    async (desk) => {
      const { page } = desk;
      await page.getByRole('button', { name: 'Add quiet hours' }).click();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(390);
      await desk.axe();
      await desk.screenshot('account');
    },
    { size: 'phone' },
  );
  await withAccount(async ({ page }) => {
    await page.goto(`${plant.baseUrl}/`);
    await page.getByRole('button', { name: 'Anna Berg' }).click();
    await page.getByRole('link', { name: 'My account' }).click();
    await page.getByRole('heading', { name: 'My account' }).waitFor();
  });
});
