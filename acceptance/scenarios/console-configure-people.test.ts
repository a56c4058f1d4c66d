import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { themes } from '../harness/console/browser.ts';
import {
  deleteOpen,
  openItem,
  openSettings,
  panelOf,
  people,
  type SettingsDesk,
} from '../harness/console/settings.ts';
import { readOnPhone } from '../harness/console/settings-on-phone.ts';
import { create, granted, type Page, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let settings: SettingsDesk;
let annaId: number;

const withPage: SettingsDesk['at'] = (...story) => settings.at(...story);

beforeAll(async () => {
  settings = await openSettings();
  const { client } = settings.plant;
  annaId = await create(client, 'users', {
    username: 'anna',
    name: 'Anna Keller',
    role: 'operator',
    language: 'de',
    media: [
      { kind: 'Voice', address: '+33600004217' },
      { kind: 'Sms', address: '+33600004217' },
    ],
  });
});
afterAll(() => settings?.close());

type User = {
  id: number;
  username: string;
  name: string;
  role: string;
  stationIds: number[];
  media: { kind: string; address: string; enabled: boolean; confirmed?: { by: string } }[];
};
const userNamed = async (username: string) =>
  (await read<Page<User>>(settings.plant.client, 'users?limit=1000')).items.find(
    (user) => user.username === username,
  );

describe('people', () => {
  test.for(themes)('everybody can read them, %s', (theme) =>
    withPage(
      `people?id=${annaId}`,
      async (desk) => {
        await desk.page.getByRole('heading', { name: 'Anna Keller' }).waitFor();
        await desk.page.getByRole('region', { name: 'Confirmed addresses' }).waitFor();
        await desk.axe();
        await desk.screenshot('settings-person');
      },
      { theme },
    ),
  );

  test('an administrator makes a person with media, role and station, who then signs in', async () => {
    await withPage('people?id=new', async (desk) => {
      const panel = panelOf(desk);
      await panel.getByLabel('Name', { exact: true }).fill('Ben Moreau');
      await panel.getByLabel('User name').fill('ben');
      await panel.getByLabel('Role').selectOption('engineer');
      await panel.getByLabel('Add to: Stations').selectOption('Valmont works');
      await panel.getByRole('button', { name: 'Add a medium' }).click();
      await panel.getByLabel('Address of medium 1').fill('+33600000001');
      await panel.getByRole('button', { name: 'Add a medium' }).click();
      await panel.getByLabel('Kind of medium 2').selectOption('E-mail');
      await panel.getByLabel('Address of medium 2').fill('ben@valmont.example');
      await panel.getByRole('button', { name: 'Move medium 2 up' }).click();
      await panel.getByLabel('New password').fill('a long enough password');
      await panel.getByRole('button', { name: 'Create' }).click();
      await desk.page.getByRole('heading', { name: 'Ben Moreau' }).waitFor();
    });
    expect(await userNamed('ben')).toMatchObject({
      role: 'engineer',
      stationIds: [1],
      media: [
        { kind: 'Email', address: 'ben@valmont.example' },
        { kind: 'Voice', address: '+33600000001' },
      ],
    });
    const client = settings.plant.someone();
    granted(await client.logIn('ben', 'a long enough password'));
  });

  test('a change of the role keeps password, media and identities', async () => {
    const { client } = settings.plant;
    const identities = [{ issuer: 'https://id.example', subject: 'chloe' }];
    const id = await create(client, 'users', {
      username: 'chloe',
      name: 'Chloé Dubois',
      password: 'a long enough password',
      media: [{ kind: 'Sms', address: '+33600000002', enabled: false }],
      identities,
    });
    await withPage(`people?id=${id}`, async (desk) => {
      const panel = panelOf(desk);
      await panel.getByLabel('Role').selectOption('engineer');
      await panel.getByRole('button', { name: 'Save 1 change' }).click();
      await panel.getByText('Saved.').waitFor();
    });
    expect(await read(client, `users/${id}`)).toMatchObject({
      role: 'engineer',
      media: [{ address: '+33600000002', enabled: false }],
      identities,
    });
    granted(await settings.plant.someone().logIn('chloe', 'a long enough password'));
  });

  test('an address that no telephone has is refused at the media', () =>
    withPage(
      `people?id=${annaId}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Address of medium 1').fill('call me');
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.locator('.fault').waitFor();
        expect((await userNamed('anna'))?.media[0]?.address).toBe('+33600004217');
      },
      { refused: '400' },
    ));

  test('a person who is limited to stations can be opened to all again', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'users', { username: 'dora', name: 'Dora Lang', stationIds: [1] });
    await withPage(`people?id=${id}`, async (desk) => {
      const panel = panelOf(desk);
      await panel.getByRole('button', { name: 'Remove Valmont works' }).click();
      await panel.getByRole('button', { name: 'Save 1 change' }).click();
      await panel.getByText('Saved.').waitFor();
    });
    expect((await userNamed('dora'))?.stationIds).toEqual([]);
  });

  test('two administrators at once lose nothing', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'users', { username: 'emil', name: 'Emil Roth', role: 'viewer' });
    await withPage(
      `people?id=${id}`,
      async (desk) => {
        const panel = panelOf(desk);
        await panel.getByLabel('Name', { exact: true }).fill('Emil Rothe');
        await settings.change(`users/${id}`, { role: 'operator' });
        await panel.getByRole('button', { name: 'Save 1 change' }).click();
        await panel.locator('.conflict').getByText('Emil Rothe').waitFor();
        await panel.getByRole('button', { name: 'Save my changes over theirs' }).click();
        await panel.getByText('Saved.').waitFor();
        expect(await userNamed('emil')).toMatchObject({ name: 'Emil Rothe', role: 'operator' });
      },
      { refused: '412' },
    );
  });

  test('somebody who is called names the groups and scenarios that call them', async () => {
    const { client } = settings.plant;
    await create(client, 'callgroups', { name: 'Process on-call', userIds: [annaId] });
    await create(client, 'scenarios', { name: 'Urgent', alarmActions: [{ type: 'CallUser', id: annaId }] });
    await withPage(`people?id=${annaId}`, async (desk) => {
      await desk.page.getByRole('button', { name: 'Delete…' }).click();
      const dialog = desk.page.getByRole('dialog');
      await dialog.getByText('It cannot be deleted while these use it.').waitFor();
      expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
        'Process on-callcalls themcall group',
        'Urgentcalls it: nobody would be called from therescenario',
      ]);
    });
  });

  test('somebody who is not called is deleted after their name is typed', async () => {
    const { client } = settings.plant;
    const id = await create(client, 'users', { username: 'felix', name: 'Felix Arm' });
    await withPage(`people?id=${id}`, (desk) => deleteOpen(desk, 'Felix Arm'));
    expect(await userNamed('felix')).toBeUndefined();
  });

  test('an engineer reads people, and cannot change them', () =>
    withPage(
      'people',
      async (desk) => {
        await openItem(desk, 'Anna Keller');
        await desk.page.getByText('your role needs the permission people:write').first().waitFor();
        expect(await panelOf(desk).getByLabel('Role').isDisabled()).toBe(true);
        const client = settings.plant.someone();
        granted(await client.logIn(people.hugo.username, people.hugo.password));
        const answer = await client.send('PUT', `/api/v1/users/${annaId}`, { body: { username: 'anna' } });
        expect(answer.status).toBe(403);
      },
      { user: people.hugo },
    ));

  test('the request of the form shows no password', () =>
    withPage(`people?id=${annaId}`, async (desk) => {
      await panelOf(desk).getByLabel('New password').fill('a secret of twelve');
      await panelOf(desk).getByRole('button', { name: 'API call: Anna Keller' }).click();
      const request = desk.page.getByRole('dialog').locator('pre');
      await request.getByText('Anna Keller').waitFor();
      expect(await request.textContent()).not.toContain('a secret of twelve');
    }));
});

describe('an address', () => {
  test('that a person added themself is confirmed by an administrator', async () => {
    const { plant } = settings;
    const id = await create(plant.client, 'users', {
      username: 'greta',
      name: 'Greta Moll',
      role: 'operator',
      password: 'a long enough password',
    });
    const greta = plant.someone();
    granted(await greta.logIn('greta', 'a long enough password'));
    const media = [{ kind: 'Sms', address: '+33600000077' }];
    granted(await greta.send('PUT', `/api/v1/users/${id}/media`, { body: { media } }));
    await withPage(`people?id=${id}`, async (desk) => {
      const { page } = desk;
      const addresses = page.getByRole('region', { name: 'Confirmed addresses' });
      await addresses.getByText('not confirmed', { exact: true }).waitFor();
      await desk.axe();
      await addresses.getByRole('button', { name: 'Confirm without a code' }).click();
      await addresses.getByText(/by an administrator/).waitFor();
      // The form goes on with the new version of the person.
      await panelOf(desk).getByLabel('Name', { exact: true }).fill('Greta Mollen');
      await panelOf(desk).getByRole('button', { name: 'Save 1 change' }).click();
      await panelOf(desk).getByText('Saved.').waitFor();
    });
    expect((await userNamed('greta'))?.media[0]?.confirmed?.by).toBe('Administrator');
  });

  test('is not confirmed by a wrong code, and the reason is told', async () => {
    const { plant } = settings;
    const id = await create(plant.client, 'users', {
      username: 'hans',
      name: 'Hans Orth',
      password: 'a long enough password',
    });
    const hans = plant.someone();
    granted(await hans.logIn('hans', 'a long enough password'));
    const media = [{ kind: 'Sms', address: '+33600000078' }];
    granted(await hans.send('PUT', `/api/v1/users/${id}/media`, { body: { media } }));
    await withPage(
      `people?id=${id}`,
      async ({ page }) => {
        const addresses = page.getByRole('region', { name: 'Confirmed addresses' });
        const confirm = addresses.getByRole('button', { name: 'Confirm with the code' });
        expect(await confirm.isDisabled()).toBe(true);
        await addresses.getByLabel('Code that +33600000078 has received').fill('123456');
        await confirm.click();
        await addresses.getByText(/ask for a new one/).waitFor();
      },
      { refused: '400' },
    );
    expect((await userNamed('hans'))?.media[0]?.confirmed).toBeUndefined();
  });
});

test.for(sampleOf(['people', 'people?id=1'], 1))(
  'on a phone %s is read without scrolling sideways, also in German',
  (path) => readOnPhone(settings, path),
);
