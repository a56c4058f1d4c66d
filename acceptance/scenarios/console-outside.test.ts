import type { Issuer } from '@tocsin/contract';
import { clientId, clientSecret, startProvider } from '@tocsin/server/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, launch, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { create, openPlant, type Plant, read } from '../harness/plant.ts';

let plant: Plant;
let browser: Browser;

beforeAll(async () => {
  plant = await openPlant('', { EGRESS_ALLOW: '127.0.0.1:*' });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

async function withDesk(page: string, story: (desk: Desk) => Promise<void>, theme: Theme = 'light') {
  const desk = await sitDown(browser, plant, { theme });
  try {
    await desk.signIn(undefined, `/settings/${page}`);
    await story(desk);
    expect(desk.faults.filter((fault) => !fault.includes('status of 4'))).toEqual([]);
  } finally {
    await desk.close();
  }
}

const issuer = {
  name: 'Works account',
  issuer: 'https://login.example.com/realms/plant',
  clientId: 'tocsin',
  enabled: true,
  groupRoles: [{ group: 'operators', role: 'operator' }],
  createUsers: true,
};

test.each(themes)('an administrator adds an issuer with its groups (%s)', async (theme) => {
  await withDesk(
    'issuers?id=new',
    async (desk) => {
      const { page } = desk;
      const name = `Issuer ${theme}`;
      await page.getByLabel('Name on the sign-in page').fill(name);
      await page.getByLabel('Address of the issuer').fill(`https://${theme}.example.com`);
      await page.getByLabel('Client ID').fill('tocsin');
      await page.getByLabel('Client secret').fill('a secret of the client');
      await page.getByRole('button', { name: 'Add a group' }).click();
      await page.getByLabel('Group 1', { exact: true }).fill('operators');
      await page.getByLabel('Role of group 1').selectOption('operator');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('/api/v1/auth/oidc/callback').waitFor();
      await desk.axe();
      await desk.screenshot('issuer');
      const { items } = await read<{ items: Issuer[] }>(plant.client, 'issuers');
      const made = items.find((each) => each.name === name);
      expect(made).toMatchObject({ hasClientSecret: true, groupRoles: issuer.groupRoles });
    },
    theme,
  );
});

test('the sign-in page offers an issuer, and no longer after it is deleted', async () => {
  const id = await create(plant.client, 'issuers', issuer);
  const button = { name: 'Sign in with Works account' };
  const visitor = await sitDown(browser, plant);
  await visitor.page.goto(`${plant.baseUrl}/`);
  expect(await visitor.page.getByRole('link', button).getAttribute('href')).toContain(
    `/auth/oidc/${id}/start`,
  );
  await visitor.axe();
  await visitor.screenshot('sign-in-ways');
  await withDesk(`issuers?id=${id}`, async ({ page }) => {
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Type “Works account” to confirm').fill('Works account');
    await page.getByRole('button', { name: 'Delete Works account' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  await visitor.page.reload();
  await visitor.page.getByLabel('Password').waitFor();
  await expect.poll(() => visitor.page.getByRole('link', button).count()).toBe(0);
  await visitor.page.getByText('I have a reset code').waitFor();
  await visitor.close();
});

test('somebody signs in at the page of the issuer, with the role of their group', async () => {
  const provider = await startProvider(`${plant.baseUrl}/api/v1/auth/oidc/callback`);
  const desk = await sitDown(browser, plant);
  const { page } = desk;
  try {
    await create(plant.client, 'issuers', { ...issuer, issuer: provider.url, clientId, clientSecret });
    await page.goto(`${plant.baseUrl}/areas`);
    await page.getByRole('link', { name: 'Sign in with Works account' }).click();
    await page.getByPlaceholder('Enter any login').fill('anna');
    await page.getByPlaceholder('and password').fill('anything');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.who-am-i').click();
    await page.getByText('anna at the provider').first().waitFor();
    const { items } = await read<{ items: { username: string; role: string }[] }>(plant.client, 'users');
    expect(items.find(({ username }) => username.startsWith('anna'))).toMatchObject({ role: 'operator' });
    // The page of the provider, and the font that it asks for.
    const isOfProvider = (fault: string) => fault.includes(provider.url) || fault.includes('//fonts.');
    expect(desk.faults.filter((fault) => !isOfProvider(fault))).toEqual([]);
  } finally {
    await desk.close();
    await provider.close();
  }
});

test.each(themes)('a directory that cannot be reached is told when it is tried (%s)', async (theme) => {
  await withDesk(
    'directory',
    async (desk) => {
      const { page } = desk;
      const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
      await fill('Address', 'ldaps://directory.invalid');
      await fill('Account that searches', 'cn=tocsin,dc=plant');
      await fill('Its password', 'a password of the directory');
      await fill('Search below', 'dc=plant');
      await fill('Filter for a person', '(uid={name})');
      await fill('Attribute that never changes', 'entryUUID');
      await fill('Attribute with the name', 'cn');
      await fill('Attribute with the groups', 'memberOf');
      await page.getByRole('button', { name: /^Save \d+ changes$/ }).click();
      await page.getByLabel('User name in the directory').fill('anna');
      await page.getByRole('button', { name: 'Look them up' }).click();
      await page.locator('.tried').waitFor({ timeout: 30_000 });
      expect(await page.locator('.tried').innerText()).toMatch(/Reached\s+no/);
      await desk.axe();
      await desk.screenshot('directory');
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('button', { name: 'Delete the directory' }).click();
      await page.getByRole('region', { name: 'Try it' }).waitFor({ state: 'detached' });
    },
    theme,
  );
});
