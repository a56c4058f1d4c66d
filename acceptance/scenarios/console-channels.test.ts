import type { Channel } from '@tocsin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, type Size, sitDown, type Theme, themes } from '../harness/console/browser.ts';
import { beyondTheScreen, smallTargets } from '../harness/console/narrow.ts';
import { type OnCallPlant, openOnCallPlant } from '../harness/on-call/on-call-plant.ts';
import { create, granted, type Page, read } from '../harness/plant.ts';

let plant: OnCallPlant;
let browser: Browser;

const password = 'a long enough password';
const people = {
  engineer: { username: 'hugo', password },
  operator: { username: 'marc', password },
  auditor: { username: 'vera', password },
};

beforeAll(async () => {
  plant = await openOnCallPlant();
  for (const [role, user] of Object.entries(people)) await create(plant.client, 'users', { ...user, role });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Options = {
  size?: Size;
  theme?: Theme;
  user?: { username: string; password: string };
  /** The status of a request that is refused on purpose, which browsers report by themselves. */
  refused?: string;
};

async function withPage(
  story: (desk: Desk) => Promise<void>,
  { user = people.engineer, refused, ...options }: Options = {},
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.signIn(user, '/channels');
    await desk.page.locator('h1').waitFor();
    await story(desk);
    expect(desk.faults.filter((fault) => !refused || !fault.includes(`status of ${refused}`))).toEqual([]);
  } finally {
    await desk.close();
  }
}

const channels = async () => (await read<Page<Channel>>(plant.client, 'channels?limit=100')).items;
const named = async (name: string) => (await channels()).find((channel) => channel.name === name);
const panel = ({ page }: Desk, name: string) => page.getByRole('form', { name });
const open = ({ page }: Desk, name: string) =>
  page
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()
    .click();

/** A mail channel of its own for each story. */
async function addMail(name: string): Promise<number> {
  const settings = {
    host: 'mail.valmont.example',
    user: 'tocsin',
    password: 'mail secret',
    from: 'a@valmont.example',
  };
  return create(plant.client, 'channels', { name, kind: 'email', priority: 7, settings });
}

test.for(themes)('the page of channels can be read by everybody, %s', (theme) =>
  withPage(
    async (desk) => {
      await desk.page.getByRole('region', { name: 'phone', exact: true }).waitFor();
      await desk.axe();
      await open(desk, 'Voice');
      await panel(desk, 'Voice').waitFor();
      await desk.screenshot('channels');
      await desk.axe();
    },
    { theme },
  ),
);

test('the health of each channel is told', () =>
  withPage(async ({ page }) => {
    const row = page.locator(`[data-channel="${plant.channels.voice}"]`);
    await expect.poll(() => row.textContent(), { timeout: 30_000 }).toMatch(/works, checked/);
  }));

describe('an engineer', () => {
  test('creates a channel by a form that its kind describes, and its secret is never shown', () =>
    withPage(async (desk) => {
      const { page } = desk;
      await page.getByRole('button', { name: 'New channel' }).click();
      await page.getByRole('button', { name: /^SMS \(SMPP\)/ }).click();
      const form = panel(desk, 'New channel');
      await form.getByLabel('Name', { exact: true }).fill('Alpine SMPP');
      await form.getByLabel('SMS centre').fill('smpp.alpine.example');
      await form.getByLabel('System id').fill('valmont');
      await form.getByLabel('Password', { exact: true }).fill('abc12345');
      await form.getByLabel('Sender', { exact: true }).fill('+33479004110');
      await form.getByLabel('TLS', { exact: true }).selectOption('true');
      await form.getByLabel('Window').fill('20');
      await form
        .getByRole('button', { name: 'Show the API call: New channel' })
        .or(form.locator('.apibtn'))
        .first()
        .click();
      const shown = await page.locator('.dialog pre').textContent();
      expect(shown).toContain('"password":"…"');
      expect(shown).not.toContain('abc12345');
      await page.keyboard.press('Escape');
      await form.getByRole('button', { name: 'Create channel' }).click();
      await panel(desk, 'Alpine SMPP').waitFor();
      expect(await named('Alpine SMPP')).toMatchObject({
        kind: 'smpp',
        medium: 'Sms',
        settings: { host: 'smpp.alpine.example', systemId: 'valmont', tls: true, window: 20 },
        secretsSet: ['password'],
      });
      expect(await page.content()).not.toContain('abc12345');
      expect(await panel(desk, 'Alpine SMPP').getByLabel('Password').inputValue()).toBe('');
    }));

  test('changes a channel, and the secret that was not typed stays', async () => {
    await addMail('Relay');
    await withPage(async (desk) => {
      await open(desk, 'Relay');
      const form = panel(desk, 'Relay');
      await form.getByLabel('Name of the sender').fill('Valmont');
      await form.getByLabel('In use').uncheck();
      await form.getByRole('button', { name: 'Save channel' }).click();
      await desk.page.getByText('switched off').waitFor();
      expect(await named('Relay')).toMatchObject({
        enabled: false,
        settings: { host: 'mail.valmont.example', fromName: 'Valmont' },
        secretsSet: ['password'],
      });
    });
  });

  test('is told by the server why a setting is wrong', async () => {
    await addMail('Guarded');
    await withPage(
      async (desk) => {
        await open(desk, 'Guarded');
        const form = panel(desk, 'Guarded');
        await form.getByLabel('Mail server', { exact: true }).fill('other.example');
        await form.getByRole('button', { name: 'Save channel' }).click();
        await form.getByText('must be sent again when host changes').waitFor();
        expect(await named('Guarded')).toMatchObject({ settings: { host: 'mail.valmont.example' } });
      },
      { refused: '400' },
    );
  });

  test('is told of a change by somebody else, and chooses whose counts', async () => {
    const id = await addMail('Contested');
    const change = async (fromName: string) => {
      const { name, kind, settings } = granted<Channel>(await plant.client.get(`/api/v1/channels/${id}`));
      const body = { name, kind, settings: { ...settings, fromName } };
      granted(await plant.client.send('PUT', `/api/v1/channels/${id}`, { body }));
    };
    await withPage(
      async (desk) => {
        await open(desk, 'Contested');
        const form = panel(desk, 'Contested');
        await form.getByLabel('Name of the sender').fill('mine');
        await change('theirs');
        await form.getByRole('button', { name: 'Save channel' }).click();
        const conflict = desk.page.locator('.conflict');
        await conflict.getByText('Somebody else has changed this channel').waitFor();
        expect(await conflict.textContent()).toMatch(/Name of the sender.*theirs.*mine/);
        await desk.axe();
        await conflict.getByRole('button', { name: 'Go on with theirs' }).click();
        expect(await form.getByLabel('Name of the sender').inputValue()).toBe('theirs');
        await form.getByLabel('Name of the sender').fill('mine again');
        await change('theirs again');
        await form.getByRole('button', { name: 'Save channel' }).click();
        await conflict.getByRole('button', { name: 'Save mine over theirs' }).click();
        await expect.poll(async () => (await named('Contested'))?.settings['fromName']).toBe('mine again');
      },
      { refused: '412' },
    );
  });

  test('sends a test to a telephone, and sees what came of it', () =>
    withPage(async (desk) => {
      await open(desk, 'Voice');
      const form = panel(desk, 'Voice');
      await form.getByLabel('Address').last().fill('+33611112222');
      await form.getByRole('button', { name: 'Send a test' }).click();
      await form.getByText('Works: accepted').waitFor();
      await plant.log.until(({ event, to }) => event === 'accepted' && to === '+33611112222');
    }));

  test('sees why a channel does not work', async () => {
    await create(plant.client, 'channels', {
      name: 'Dead line',
      kind: 'simulated',
      medium: 'Pager',
      enabled: false,
      settings: { url: 'http://127.0.0.1:1' },
    });
    await withPage(async (desk) => {
      await open(desk, 'Dead line');
      await panel(desk, 'Dead line').getByRole('button', { name: 'Send a test' }).click();
      await panel(desk, 'Dead line')
        .getByText(/Does not work: checked, /)
        .waitFor();
    });
  });

  test('deletes a channel after reading what is lost, with its name', async () => {
    await create(plant.client, 'channels', {
      name: 'Pager',
      kind: 'simulated',
      medium: 'Push',
      settings: { url: plant.company.url },
    });
    await withPage(async (desk) => {
      const { page } = desk;
      await open(desk, 'Pager');
      await panel(desk, 'Pager').getByRole('button', { name: 'Delete…' }).click();
      await page.getByText('It is the only channel in use for push.').waitFor();
      const go = page.getByRole('button', { name: 'Delete Pager for ever' });
      expect(await go.isDisabled()).toBe(true);
      await desk.axe();
      await page.getByLabel('Type Pager to confirm').fill('Pager');
      await go.click();
      await expect.poll(() => named('Pager')).toBeUndefined();
      await expect.poll(() => page.getByRole('button', { name: /^Pager/ }).count()).toBe(0);
    });
  });
});

describe('by role', () => {
  test('an auditor reads channels and cannot change them', () =>
    withPage(
      async (desk) => {
        await desk.page.getByText('Your role can read channels, but not change them.').first().waitFor();
        expect(await desk.page.getByRole('button', { name: 'New channel' }).isDisabled()).toBe(true);
        await open(desk, 'Voice');
        const form = panel(desk, 'Voice');
        await form.waitFor();
        expect(await form.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
        expect(await form.getByRole('button', { name: 'Delete…' }).isDisabled()).toBe(true);
      },
      { user: people.auditor },
    ));

  test('an operator is told who may see channels', () =>
    withPage(
      async ({ page }) => {
        await page.getByText('Your role may not see channels.').waitFor();
        expect(await page.getByRole('link', { name: 'Channels' }).count()).toBe(0);
      },
      { user: people.operator },
    ));
});

test('all channels are tested at once, and those that do not work are named', async () => {
  const id = await addMail('Mail without a server');
  await withPage(async (desk) => {
    const { page } = desk;
    await page.getByRole('button', { name: 'Test all' }).click();
    await page
      .getByRole('status')
      .getByText(/^These do not work: .*Mail without a server/)
      .waitFor();
    await desk.axe();
    await desk.screenshot('channels-tested');
  });
  for (const { name, id: each } of await channels())
    if (name !== 'Voice' && name !== 'Sms')
      expect((await plant.client.send('DELETE', `/api/v1/channels/${each}`)).status).toBe(204);
  expect(await named('Mail without a server'), String(id)).toBeUndefined();
  await withPage(async ({ page }) => {
    await page.getByRole('button', { name: 'Test all' }).click();
    await page.getByText('All 2 channels in use work.').waitFor();
  });
});

test('each channel tells what it sent in the last 24 hours', async () => {
  const ada = await plant.hire('Ada', { phone: { kind: 'accepts' } });
  const groupId = await plant.group([ada]);
  const body = { path: 'Chlor.CL1', alarmMessage: 'Low', alarmActions: [{ type: 'CallGroup', id: groupId }] };
  const alarmId = await create(plant.client, 'alarms', body);
  await plant.log.until(({ event, to }) => event === 'accepted' && to === ada.phone);
  granted(await plant.client.post(`/api/v1/alarms/${alarmId}/acknowledge`, {}));
  await withPage(async ({ page }) => {
    const row = page.locator(`[data-channel="${plant.channels.voice}"]`);
    await row.getByText(/24 h: [1-9]\d* sent, 0 failed/).waitFor();
    await page
      .locator(`[data-channel="${plant.channels.texts}"]`)
      .getByText('24 h: 0 sent, 0 failed')
      .waitFor();
  });
});

test('on a phone nothing is cut, also in German', async () => {
  const client = plant.someone();
  granted(await client.logIn(people.engineer.username, password));
  granted(await client.send('PUT', '/api/v1/me/console-settings', { body: { language: 'de' } }));
  await withPage(
    async (desk) => {
      const { page } = desk;
      await page.getByRole('heading', { name: 'Kanäle' }).waitFor();
      await open(desk, 'Voice');
      await panel(desk, 'Voice').waitFor();
      expect(await beyondTheScreen(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
      await desk.screenshot('channels');
    },
    { size: 'phone' },
  );
  granted(await client.send('PUT', '/api/v1/me/console-settings', { body: { language: 'en' } }));
});
