import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Desk, launch, sitDown, themes } from '../harness/console/browser.ts';
import { type EmptyInstallation, openEmptyInstallation } from '../harness/console/empty-installation.ts';
import { beyondTheScreen, smallTargets } from '../harness/console/narrow.ts';

let browser: Browser;
let installation: EmptyInstallation;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  installation = await openEmptyInstallation();
});
afterEach(() => installation?.close());

const admin = { username: 'hugo', password: 'correct horse battery staple' };
const ownNumber = '+33612346630';

/** A user who counts what they do: each click, and each field that they fill. */
function countingUser(page: Page) {
  const done: string[] = [];
  return {
    done,
    fill: async (label: string, text: string) => {
      done.push(`fills ${label}`);
      await page.getByLabel(label, { exact: false }).first().fill(text);
    },
    press: async (name: string | RegExp) => {
      done.push(`presses ${name}`);
      await page.getByRole('button', { name }).click();
    },
  };
}

type User = ReturnType<typeof countingUser>;

async function becomeAdministrator(desk: Desk, user: User): Promise<void> {
  await desk.page.goto(installation.baseUrl);
  await user.fill('Code', installation.code);
  await user.fill('User name', admin.username);
  await user.fill('Password', admin.password);
  await user.press(/^Create/);
  await desk.page.getByRole('heading', { name: 'What does Tocsin watch?' }).waitFor();
}

async function nameStation(desk: Desk, user: User): Promise<void> {
  await user.fill('Name of the station', 'Valmont works');
  await user.press(/continue to people/);
  await desk.page.getByRole('heading', { name: 'How can you be reached?' }).waitFor();
}

async function giveNumber(desk: Desk, user: User): Promise<void> {
  await user.fill('Your telephone number', ownNumber);
  await user.press(/continue to channel/);
  await desk.page.getByRole('heading', { name: 'How should Tocsin call?' }).waitFor();
}

async function addChannel(desk: Desk, user: User): Promise<void> {
  await user.press(/^Simulated phone company/);
  await user.fill('Address', installation.company.url);
  await user.fill('Call-back secret', installation.callbackSecret);
  await user.press('Save and test');
  await desk.page.getByText('The test to …6630 is on its way').waitFor();
  await user.press('Continue to call group');
}

const panelOf = ({ page }: Desk) => page.getByRole('complementary', { name: 'What this step did' });

test('from an empty database to an answered call in at most 25 interactions', async () => {
  await installation.company.script(ownNumber, [
    // The test call is heard and hung up, so that the line is free.
    { kind: 'answers', afterMs: 50, talkMs: 50 },
    { kind: 'answers', afterMs: 300, press: 'code' },
  ]);
  const desk = await sitDown(browser, installation);
  const { page } = desk;
  const user = countingUser(page);
  await becomeAdministrator(desk, user);
  await nameStation(desk, user);
  await giveNumber(desk, user);
  await addChannel(desk, user);
  await user.press(/continue to first alarm/);
  await user.press('Raise the alarm');
  await page.getByText('It works: hugo has taken the alarm').waitFor({ timeout: 30_000 });

  console.info(`interactions until the first answered alarm: ${user.done.length}`);
  expect(user.done.length, user.done.join(', ')).toBeLessThanOrEqual(25);
  const log = await installation.company.log();
  expect(log.filter(({ event, to }) => event === 'pressed' && to === ownNumber)).toHaveLength(1);
  await page.getByRole('list', { name: 'Progress of the call' }).getByText('Taken by hugo').waitFor();
  await desk.axe();
  await page.getByRole('link', { name: 'Open the alarm' }).click();
  await page.getByRole('heading', { name: 'First alarm: please answer' }).waitFor();
  expect(desk.faults).toEqual([]);
  await desk.close();
});

test.for(themes)(
  'each step shows its requests, keeps secrets, and can be read by everybody, %s',
  async (theme) => {
    const desk = await sitDown(browser, installation, { theme });
    const { page } = desk;
    const user = countingUser(page);
    await becomeAdministrator(desk, user);
    await desk.axe();
    await nameStation(desk, user);
    await giveNumber(desk, user);
    await desk.screenshot('set-up-channel');
    await user.press(/^Simulated phone company/);
    await user.fill('Address', installation.company.url);
    await user.fill('Call-back secret', installation.callbackSecret);
    await user.press('Save and test');
    await page.getByText('The test to …6630 is on its way').waitFor();
    const requests = await panelOf(desk).textContent();
    expect(requests).toContain('POST /api/v1/channels');
    expect(requests).toContain('POST /api/v1/channels/1/test');
    expect(requests).toContain('"callbackSecret": "…"');
    expect(requests).not.toContain(installation.callbackSecret);
    await desk.screenshot('set-up-tested');
    await desk.axe();
    expect(desk.faults).toEqual([]);
    await desk.close();
  },
);

test('a test that fails is told, and nothing goes on by itself', async () => {
  const desk = await sitDown(browser, installation);
  const user = countingUser(desk.page);
  await becomeAdministrator(desk, user);
  await nameStation(desk, user);
  await giveNumber(desk, user);
  await user.press(/^Simulated phone company/);
  await user.fill('Address', 'http://127.0.0.1:1');
  await user.press('Save and test');
  await desk.page.getByText('The test to …6630 did not work').waitFor();
  expect(await desk.page.getByRole('button', { name: 'Continue to call group' }).count()).toBe(0);
  // The next try changes the channel, and adds no second one.
  await user.fill('Address', installation.company.url);
  await user.press('Save and test');
  await desk.page.getByText('is on its way').waitFor();
  expect(await panelOf(desk).textContent()).toContain('PUT /api/v1/channels/1');
  expect(desk.faults).toEqual([]);
  await desk.close();
});

test('the path can be left, and goes on where it was, with the keyboard alone', async () => {
  const desk = await sitDown(browser, installation);
  const { page } = desk;
  await becomeAdministrator(desk, countingUser(page));
  await page.getByLabel('Name of the station').focus();
  await page.keyboard.type('Valmont works');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'How can you be reached?' }).waitFor();
  await page.goto(`${installation.baseUrl}/`);
  await page.goto(`${installation.baseUrl}/set-up`);
  await page.getByRole('heading', { name: 'How can you be reached?' }).waitFor();
  await page.getByText('Valmont works, ').waitFor();
  expect(desk.faults).toEqual([]);
  await desk.close();
});

test('on a phone nothing is cut, also in German', async () => {
  const desk = await sitDown(browser, installation, { size: 'phone' });
  const { page } = desk;
  const user = countingUser(page);
  await becomeAdministrator(desk, user);
  await page.evaluate(async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = new URLSearchParams({
      grant_type: 'password',
      username: 'hugo',
      password: 'correct horse battery staple',
    });
    const login = await fetch('/api/v1/auth/login', { method: 'POST', headers, body: form });
    const { access_token: token } = (await login.json()) as { access_token: string };
    await fetch('/api/v1/me/console-settings', {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ language: 'de' }),
    });
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Was überwacht Tocsin?' }).waitFor();
  const isWhole = async () => {
    expect(await beyondTheScreen(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
  };
  await isWhole();
  await page.getByLabel('Name der Station').fill('Wasserwerk Valmont');
  await page.getByRole('button', { name: 'Speichern und weiter zu Personen' }).click();
  await page.getByLabel('Ihre Telefonnummer').fill(ownNumber);
  await isWhole();
  await page.getByRole('button', { name: 'Speichern und weiter zum Kanal' }).click();
  await page.getByRole('button', { name: /^E-mail/ }).click();
  await isWhole();
  await desk.screenshot('set-up-channel');
  expect(desk.faults).toEqual([]);
  await desk.close();
});
