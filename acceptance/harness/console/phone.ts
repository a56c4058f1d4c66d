import type { Browser, CDPSession, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { type OnCallPlant, openOnCallPlant } from '../on-call/on-call-plant.ts';
import type { TimelineEntry } from '../on-call/story.ts';
import type { Behaviour } from '../phone-company/protocol.ts';
import { create, granted, type Page, type Plant, raise, read } from '../plant.ts';
import { type Desk, sitDown, type Theme } from './browser.ts';
import { buildWaterworks, type Waterworks } from './waterworks.ts';

/** Somebody who is called, and who signs in on their telephone. */
export type Technician = {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly number: string;
  readonly mobile: string;
};

export type PhonePlant = OnCallPlant & {
  readonly works: Waterworks;
  technician(name: string, settings?: TechnicianSettings): Promise<Technician>;
  /** Raises an alarm of the chlorination that calls these people one after the other, and waits until the first one rings. */
  alarmFor(people: readonly Technician[], body?: object): Promise<{ id: number; message: string }>;
  alarmOf(id: number): Promise<{ state: number; ackUser: string; comment: string; alarmTime: string }>;
  timeline(id: number): Promise<(TimelineEntry & { time: string })[]>;
};

type TechnicianSettings = {
  role?: string;
  language?: string;
  /** What the telephone does; by default it rings. */
  phone?: Behaviour;
  /** What the mobile does with a text; without it there is none. */
  mobile?: Behaviour;
};

/** Of every technician. */
export const password = 'a long enough password';
/** Nobody else is called by the clock during a test. */
const patient = { ackTimeout: 3_600, attempts: 1, cycles: 1 };

export async function openPhonePlant(): Promise<PhonePlant> {
  const plant = await openOnCallPlant();
  const works = await buildWaterworks(plant);
  const { client, log } = plant;
  let count = 0;
  const technician: PhonePlant['technician'] = async (name, { role = 'operator', ...does } = {}) => {
    count += 1;
    const digits = String(count).padStart(4, '0');
    const [number, mobile] = [`+3310055${digits}`, `+3360055${digits}`];
    await plant.company.script(number, does.phone ?? { kind: 'accepts' });
    if (does.mobile) await plant.company.script(mobile, does.mobile);
    const media = [
      { kind: 'Voice', address: number },
      ...(does.mobile ? [{ kind: 'Sms', address: mobile }] : []),
    ];
    const username = `${name.toLowerCase()}.${count}`;
    const id = await create(client, 'users', { username, name, role, password, media });
    if (does.language !== undefined) await speak(plant, username, does.language);
    return { id, name, username, number, mobile };
  };
  return {
    ...plant,
    works,
    technician,
    alarmFor: async (people, body = {}) => {
      count += 1;
      const userIds = people.map(({ id }) => id);
      const groupId = await create(client, 'callgroups', { name: `On-call ${count}`, userIds, ...patient });
      const message = `Chlorine residual low-low ${count}`;
      const id = await raise(client, {
        path: `Chlor.CL${count}.LL`,
        stationId: works.stationId,
        tagGroupId: works.areaIds.get('Chlorination'),
        priority: 1,
        alarmMessage: message,
        value: '0.11 mg/l',
        alarmActions: [{ type: 'CallGroup', id: groupId }],
        ...body,
      });
      await log.until(({ event, to }) => event === 'accepted' && to === people[0]?.number);
      return { id, message };
    },
    alarmOf: (id) => read(client, `alarms/${id}`),
    timeline: async (id) =>
      (await read<Page<TimelineEntry & { time: string }>>(client, `alarms/${id}/timeline?limit=1000`)).items,
  };
}

async function speak(plant: OnCallPlant, username: string, language: string): Promise<void> {
  const person = plant.someone();
  granted(await person.logIn(username, password));
  granted(await person.send('PUT', '/api/v1/me/console-settings', { body: { language } }));
}

/** What the console of a browser says while there is no network. */
export const noNetwork = /ERR_INTERNET_DISCONNECTED|WebSocket connection to/;

export type PhoneOptions = {
  theme?: Theme;
  path?: string;
  /** Faults that the story causes. */
  expected?: RegExp;
};

/** A technician with the page on their telephone, signed in, after its service worker is ready. */
export async function withPhone(
  browser: Browser,
  {
    plant,
    who,
    theme = 'light',
    path = '/m',
    expected,
  }: PhoneOptions & { plant: Pick<Plant, 'baseUrl'>; who: Pick<Technician, 'username'> },
  story: (desk: Desk) => Promise<void>,
): Promise<void> {
  const desk = await sitDown(browser, plant, { size: 'phone', theme });
  const { page, context } = desk;
  try {
    await context.grantPermissions(['notifications'], { origin: new URL(plant.baseUrl).origin });
    await page.goto(`${plant.baseUrl}${path}`);
    await page.locator('input[name=username]').fill(who.username);
    await page.locator('input[name=password]').fill(password);
    await page.locator('button[type=submit]').click();
    await page.locator('.m .tabs').waitFor();
    await page.locator('.mlive').waitFor();
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await story(desk);
    expect(desk.faults.filter((fault) => expected?.test(fault) !== true)).toEqual([]);
  } finally {
    await desk.close();
  }
}

/** The card of the call about an alarm. */
export const card = ({ page }: Desk, id: number): Locator => page.locator(`.callcard[data-alarm="${id}"]`);
export const press = ({ page }: Desk, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
export const openTab = ({ page }: Desk, name: string): Promise<void> =>
  page.locator('.m .tabs').getByText(name, { exact: true }).click();

/** Waits until a person has taken the alarm. */
export async function untilTaken(plant: PhonePlant, id: number, name: string): Promise<void> {
  await expect.poll(async () => (await plant.alarmOf(id)).ackUser, { timeout: 20_000 }).toBe(name);
}

/** The time of day, as a pattern. */
export const clock = String.raw`\d\d:\d\d:\d\d`;

export type Worker = { readonly cdp: CDPSession; readonly registrationId: string };

/** The service worker of the page, as the tools for developers of the browser see it. */
export async function workerOf({ context, page }: Desk): Promise<Worker> {
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  return { cdp, registrationId: await registered };
}
