import type { Browser, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { addPhones, create, granted, openPlant, type Page, type Plant, read } from '../plant.ts';
import { type Desk, launch, type Size, sitDown, type Theme } from './browser.ts';
import { buildWaterworks, type Waterworks } from './waterworks.ts';

const password = 'a long enough password';

/** People of the waterworks who open the settings. The administrator is that of the installation. */
export const people = {
  hugo: { username: 'hugo', password },
  marc: { username: 'marc', password },
  aude: { username: 'aude', password },
} as const;

export type SettingsOptions = {
  readonly size?: Size;
  readonly theme?: Theme;
  /** Somebody else than the administrator. */
  readonly user?: { readonly username: string; readonly password: string };
  /** The status of a request that is refused on purpose, which browsers report by themselves. */
  readonly refused?: string;
};

type Named = { readonly id: number; readonly name: string };

/** The waterworks with an engineer, an operator and an auditor, and a browser that opens its settings. */
export type SettingsDesk = {
  readonly browser: Browser;
  readonly plant: Plant;
  readonly works: Waterworks;
  /** Opens a page below `/settings/`, tells the story, and fails on anything that a page must not do. */
  at(page: string, story: (desk: Desk) => Promise<void>, options?: SettingsOptions): Promise<void>;
  /** The object of this name in a collection; undefined if there is none. */
  named<Item extends Named>(path: string, name: string): Promise<Item | undefined>;
  /** Changes an object as another person does meanwhile. */
  change(path: string, part: object): Promise<void>;
  close(): Promise<void>;
};

/** The user wants the console in this language. */
export async function speak(
  plant: Plant,
  { username, password: secret }: { username: string; password: string },
  language: string,
): Promise<void> {
  const client = plant.someone();
  granted(await client.logIn(username, secret));
  granted(await client.send('PUT', '/api/v1/me/console-settings', { body: { language } }));
}

export async function openSettings(environment: Record<string, string> = {}): Promise<SettingsDesk> {
  const browser: Browser = await launch();
  const plant = await openPlant('', environment);
  const works = await buildWaterworks(plant);
  const { client } = plant;
  await create(client, 'users', { ...people.hugo, name: 'Hugo Perrin', role: 'engineer' });
  await create(client, 'users', { ...people.marc, name: 'Marc Faure', role: 'operator' });
  await create(client, 'users', { ...people.aude, name: 'Aude Petit', role: 'auditor' });
  return {
    browser,
    plant,
    works,
    at: async (page, story, { user, refused, ...options } = {}) => {
      const desk = await sitDown(browser, plant, options);
      try {
        await desk.signIn(user, `/settings/${page}`);
        await desk.page.locator('.setpage .pane:visible, .setpage .cfpanel:visible').first().waitFor();
        await story(desk);
        const isMeant = (fault: string) => refused !== undefined && fault.includes(`status of ${refused}`);
        expect(desk.faults.filter((fault) => !isMeant(fault))).toEqual([]);
      } finally {
        await desk.close();
      }
    },
    named: async <Item extends Named>(path: string, name: string) => {
      const { items } = await read<Page<Item>>(client, `${path}?limit=1000`);
      return items.find((item) => item.name === name);
    },
    change: async (path, part) => {
      const before = granted<object>(await client.get(`/api/v1/${path}`));
      granted(await client.send('PUT', `/api/v1/${path}`, { body: { ...before, ...part } }));
    },
    close: async () => {
      await browser.close();
      await plant.close();
    },
  };
}

export type NightOnCall = { readonly anna: number; readonly ben: number; readonly night: number };

/** Anna and Ben, who are called one after the other at any time, and telephones that can ring. */
export async function addNightOnCall({ client }: Plant): Promise<NightOnCall> {
  const hire = (username: string, name: string, address: string) =>
    create(client, 'users', { username, name, role: 'operator', media: [{ kind: 'Voice', address }] });
  await addPhones(client);
  const anna = await hire('anna', 'Anna Keller', '+33600004217');
  const ben = await hire('ben', 'Ben Moreau', '+33600004218');
  const night = await create(client, 'callgroups', {
    name: 'Night on-call',
    userIds: [anna, ben],
    ackTimeout: 180,
    attempts: 1,
    cycles: 2,
    teams: [{ id: 1, name: 'A', userIds: [anna, ben] }],
    roster: {
      slotMinutes: 60,
      slots: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ teamId: 1, day, start: '00:00', end: '24:00' })),
    },
  });
  return { anna, ben, night };
}

/** The panel of the open object. */
export const panelOf = ({ page }: Desk): Locator => page.locator('.cfpanel');

/** Pixels by which an element is wider than its place. */
export const overflowOf = ({ page }: Desk, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

/** Opens the object of this name from the list. */
export async function openItem({ page }: Desk, name: string): Promise<void> {
  await page.getByRole('link', { name }).first().click();
  await page.locator('.cfpanel').waitFor();
}

/** Deletes the open object by typing its name. */
export async function deleteOpen({ page }: Desk, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(`Type “${name}” to confirm`).fill(name);
  await dialog.getByRole('button', { name: `Delete ${name}` }).click();
  await page.locator('.cfpanel').waitFor({ state: 'detached' });
}
