import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { beyondTheScreen } from '../harness/console/narrow.ts';
import { byName, hire, type Person } from '../harness/console/people.ts';
import { createApp, giveApp, plugInKey, shownSecret } from '../harness/console/second-factor.ts';
import { granted, openPlant, type Plant } from '../harness/plant.ts';

let plant: Plant;
let browser: Browser;

beforeAll(async () => {
  plant = await openPlant('');
  // Engineers need a second factor here; operators do not.
  granted(
    await plant.client.send('PUT', '/api/v1/security-settings', {
      headers: { 'if-match': '*' },
      body: {
        secondFactorRoles: ['engineer'],
        confirmDangerous: false,
        confirmationMinutes: 10,
        deskMinutes: 15,
        twoPersonActions: [],
      },
    }),
  );
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Options = { readonly size?: Size; readonly theme?: Theme };

async function withDesk(story: (desk: Desk) => Promise<void>, options: Options = {}): Promise<void> {
  const desk = await sitDown(browser, byName(plant), options);
  try {
    await story(desk);
    expect(desk.faults.filter((fault) => !fault.includes('status of 4'))).toEqual([]);
  } finally {
    await desk.close();
  }
}

/** Enters name and password. */
async function knock(page: Page, { username, password }: Pick<Person, 'username' | 'password'>) {
  await page.goto(`${byName(plant).baseUrl}/`);
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in and arm the sound' }).click();
}

const inside = (page: Page) => page.locator('[role="grid"], .allquiet').first().waitFor();
const secondStep = (page: Page) => page.getByRole('heading', { name: 'Confirm it is you' }).waitFor();
const code = (page: Page) => page.getByLabel('Code from your authenticator app');

/** Makes a passkey on the account page. */
async function makePasskey(page: Page, name: string) {
  await page.goto(`${byName(plant).baseUrl}/account`);
  const card = page.getByRole('region', { name: 'Passkeys' });
  await card.getByRole('button', { name: 'Add' }).click();
  await card.getByLabel('Name of the passkey').fill(name);
  await card.getByRole('button', { name: 'Make a passkey' }).click();
}

async function keepCodes(page: Page) {
  await page.getByLabel('I have kept them').check();
  await page.getByRole('button', { name: 'Go on' }).click();
}

async function signOut(page: Page) {
  await page.locator('.who-am-i').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in and arm the sound' }).waitFor();
}

test.each(themes)('six digits of the app complete the sign-in without a button (%s)', async (theme) => {
  const person = await hire(plant);
  const { app } = await giveApp(plant, person);
  await withDesk(
    async (desk) => {
      const { page } = desk;
      await knock(page, person);
      await secondStep(page);
      await page.getByText(person.username).waitFor();
      await desk.axe();
      await desk.screenshot('sign-in-second-step');
      await code(page).fill(await app.next());
      await inside(page);
    },
    { theme },
  );
});

test('a code field takes the code that a telephone offers, and a pasted one with a space', async () => {
  const person = await hire(plant);
  const { app } = await giveApp(plant, person);
  await withDesk(async ({ page }) => {
    await knock(page, person);
    expect(await code(page).getAttribute('autocomplete')).toBe('one-time-code');
    expect(await code(page).getAttribute('inputmode')).toBe('numeric');
    const digits = await app.next();
    await code(page).fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
    await inside(page);
  });
});

test('a wrong code is told, and the next one lets in', async () => {
  const person = await hire(plant);
  const { app } = await giveApp(plant, person);
  await withDesk(async ({ page }) => {
    await knock(page, person);
    await secondStep(page);
    await code(page).fill(app.wrong());
    await page.getByRole('alert').getByText('The code is wrong').waitFor();
    expect(await code(page).inputValue()).toBe('');
    await code(page).fill(await app.next());
    await inside(page);
  });
});

test('a wrong password never reaches the second step', async () => {
  const person = await hire(plant);
  await giveApp(plant, person);
  await withDesk(async ({ page }) => {
    await knock(page, { ...person, password: 'not the password' });
    await page.getByRole('alert').getByText('The user name or the password is wrong').waitFor();
    expect(await page.getByRole('heading', { name: 'Confirm it is you' }).count()).toBe(0);
  });
});

test('somebody else goes back from the second step', async () => {
  const person = await hire(plant);
  await giveApp(plant, person);
  await withDesk(async ({ page }) => {
    await knock(page, person);
    await page.getByRole('button', { name: 'Not you?' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.getByLabel('User name').inputValue()).toBe('');
  });
});

test('a recovery code lets in once', async () => {
  const person = await hire(plant);
  const { recoveryCodes } = await giveApp(plant, person);
  await withDesk(async ({ page }) => {
    const enter = async () => {
      await knock(page, person);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await enter();
    await inside(page);
    await signOut(page);
    await enter();
    await page.getByRole('alert').getByText('The recovery code is wrong, was used already').waitFor();
  });
});

test('a passkey signs in without a name or a password', async () => {
  const person = await hire(plant);
  await withDesk(async ({ page, context }) => {
    await plugInKey(context, page);
    await knock(page, person);
    await inside(page);
    await makePasskey(page, 'Key of Anna');
    await keepCodes(page);
    await page.getByText('Key of Anna').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.locator('.who-am-i').getByText(`Anna ${person.username}`).waitFor();
  });
});

test('a passkey completes a sign-in with a password', async () => {
  const person = await hire(plant);
  await withDesk(async ({ page, context }) => {
    await plugInKey(context, page);
    await knock(page, person);
    await inside(page);
    await makePasskey(page, 'Key of Anna');
    await keepCodes(page);
    await signOut(page);
    await knock(page, person);
    await page.getByText('The browser asks for your passkey').waitFor();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await inside(page);
  });
});

test('a finger that the key does not know is told, and the app is offered instead', async () => {
  const person = await hire(plant);
  const { app } = await giveApp(plant, person);
  await withDesk(async ({ page, context }) => {
    const key = await plugInKey(context, page);
    await knock(page, person);
    await code(page).fill(await app.next());
    await inside(page);
    await makePasskey(page, 'Key of Anna');
    await page.getByText('Key of Anna').waitFor();
    await signOut(page);
    await knock(page, person);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await key.verify(false);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
    await page.getByRole('button', { name: 'Use the authenticator app' }).click();
    await code(page).fill(await app.next());
    await inside(page);
  });
});

test.each(themes)(
  'an engineer without a second factor sets one up before the desk opens (%s)',
  async (theme) => {
    const person = await hire(plant, 'engineer');
    await withDesk(
      async (desk) => {
        const { page } = desk;
        await knock(page, person);
        await page.getByRole('heading', { name: 'Your role needs a second factor' }).waitFor();
        await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
        await desk.axe();
        await desk.screenshot('sign-in-set-up');
        const app = createApp(await shownSecret(page));
        await code(page).fill(app.wrong());
        await page.getByRole('alert').waitFor();
        await code(page).fill(await app.next());
        const codes = page.getByRole('region', { name: 'Recovery codes' });
        await expect.poll(() => codes.locator('li').count()).toBe(10);
        expect(await page.getByRole('button', { name: 'Go on' }).isDisabled()).toBe(true);
        await desk.axe();
        await desk.screenshot('sign-in-recovery-codes');
        await keepCodes(page);
        await inside(page);
      },
      { theme },
    );
  },
);

test('an engineer sets up a passkey instead of the app', async () => {
  const person = await hire(plant, 'engineer');
  await withDesk(async ({ page, context }) => {
    await plugInKey(context, page);
    await knock(page, person);
    await page.getByRole('button', { name: 'By passkey' }).click();
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await keepCodes(page);
    await inside(page);
    await page.reload();
    await inside(page);
  });
});

test('the QR code holds the secret that can also be typed', async () => {
  const person = await hire(plant);
  await withDesk(async ({ page }) => {
    await knock(page, person);
    await inside(page);
    await page.goto(`${byName(plant).baseUrl}/account`);
    await page
      .getByRole('region', { name: 'Authenticator app' })
      .getByRole('button', { name: 'Set up' })
      .click();
    const modules = await page.locator('.qrcode path').getAttribute('d');
    expect(modules?.split('z').length).toBeGreaterThan(300);
    expect(await shownSecret(page)).toMatch(/^[A-Z2-7]{32,}$/);
  });
});

test('recovery codes are saved as a file', async () => {
  const person = await hire(plant, 'engineer');
  await withDesk(async ({ page }) => {
    await knock(page, person);
    const app = createApp(await shownSecret(page));
    await code(page).fill(await app.next());
    const shown = await page.locator('.recovery code').allInnerTexts();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a file' }).click();
    const file = await (await download).createReadStream();
    const text = (await file.toArray()).join('');
    for (const each of shown) expect(text).toContain(each);
  });
});

test.each([
  ['no-user', 'You are known there, but you have no role here.'],
  ['sign-in-expired', 'The sign-in took too long'],
  ['something-new', 'The sign-in was not completed (something-new).'],
])('the page tells why an issuer has sent somebody back: %s', async (problem, sentence) => {
  await withDesk(async ({ page }) => {
    await page.goto(`${byName(plant).baseUrl}/sign-in?problem=${problem}`);
    await page.getByRole('alert').getByText(sentence).waitFor();
  });
});

test.each(themes)('the second step fits a telephone (%s)', async (theme) => {
  const person = await hire(plant);
  await giveApp(plant, person);
  await withDesk(
    async (desk) => {
      await knock(desk.page, person);
      await secondStep(desk.page);
      expect(await beyondTheScreen(desk.page)).toEqual([]);
      await desk.axe();
      await desk.screenshot('sign-in-second-step');
    },
    { theme, size: 'phone' },
  );
});

test('the second step speaks German', async () => {
  const person = await hire(plant);
  await giveApp(plant, person);
  await withDesk(async ({ page }) => {
    await page.goto(`${byName(plant).baseUrl}/`);
    await page.getByLabel('Language').selectOption('de');
    await page.getByLabel('Benutzername').fill(person.username);
    await page.getByLabel('Passwort').fill(person.password);
    await page.locator('button[type="submit"]').click();
    await page.getByRole('heading', { name: 'Bestätigen, dass Sie es sind' }).waitFor();
    await page.getByLabel('Code der Authenticator-App').waitFor();
  });
});
