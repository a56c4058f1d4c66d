import { consolePages } from '@tocsin/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, launch, sitDown } from '../harness/console/browser.ts';
import { cutTexts } from '../harness/console/cut-texts.ts';
import { openEmptyInstallation } from '../harness/console/empty-installation.ts';
import { fillPlant } from '../harness/console/filled-plant.ts';
import { openPhonePlant, type PhonePlant, password, type Technician } from '../harness/console/phone.ts';

let plant: PhonePlant;
let browser: Browser;
let ada: Technician;
let alarmId: number;

beforeAll(async () => {
  plant = await openPhonePlant();
  ada = await plant.technician('Ada', { role: 'admin', mobile: { kind: 'receives' } });
  ({ id: alarmId } = await plant.alarmFor([ada]));
  browser = await launch();
  await fillPlant(browser, plant);
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

/** An address and a part of its page that is there when the page is filled. */
type Visit = readonly [address: string, mark: string];

const visits = (): readonly Visit[] => [
  ['/', '.row[data-alarm]'],
  [`/alarms/${alarmId}`, '.alarmpage h1'],
  ['/areas', '.atiles .wt'],
  ['/wall', '.wtiles .wt'],
  ['/quiet', '.qgrid .card'],
  ['/flood', '.floodgrid .lane[data-area]'],
  ['/shift?hours=8', 'main section'],
  ['/account', '.accountcards'],
  ['/roster', '.week .day'],
  ['/tags', '[data-tag]'],
  ['/channels', '[data-channel]'],
  ['/set-up', '.setup .path'],
  ['/settings', '.cftable'],
  ...settingsPages.flatMap((name): readonly Visit[] => [
    [`/settings/${name}`, '.cftable'],
    [`/settings/${name}?id=1`, '.cfpanel h2'],
  ]),
  ['/settings/keys', '.cftable'],
  ['/settings/keys?id=new', '.cfpanel h2'],
  ['/settings/commands', '.pane'],
  ['/settings/audit', '.cftable'],
  ['/settings/signInRules', 'main h1'],
  ['/settings/issuers', 'main h1'],
  ['/settings/issuers?id=new', '.cfpanel h2'],
  ['/settings/directory', 'main h1'],
  ['/approvals', 'main h1'],
  ['/m', '.callcard'],
  [`/m/call/${alarmId}`, '.callcard'],
  ['/m/alarms', '.outbox li'],
  ['/m/duty', '.reach li'],
  ['/m/sent', '.mnote'],
  ['/history', '.hist tbody tr'],
  ['/history?tab=statistics', '.hist tbody tr'],
  ['/kpis', '.k-side'],
  ['/report', '.areport section'],
];
const settingsPages = [
  'stations',
  'people',
  'callgroups',
  'groupings',
  'scenarios',
  'dataservers',
  'taggroups',
] as const;
/** Pages for people who are not signed in. */
const doors = ['/sign-in', '/setup'];

/** The entry of the list of pages that an address belongs to. */
const pageOf = (address: string) => {
  const [path = ''] = address.split('?');
  return consolePages.find((page) =>
    page.endsWith('/*') ? path.startsWith(page.slice(0, -1)) : page === path,
  );
};

/** The texts that the page cuts, each with its address. */
async function cutAt(page: Page, address: string): Promise<string[]> {
  await page.waitForFunction(() => document.documentElement.lang === 'de');
  await page.waitForLoadState('networkidle');
  return (await cutTexts(page)).map((fault) => `${address} ${fault}`);
}

async function withPhone({ baseUrl }: { baseUrl: string }, story: (desk: Desk) => Promise<void>) {
  const desk = await sitDown(browser, { baseUrl }, { size: 'phone', locale: 'de-DE' });
  try {
    await story(desk);
    // A plant without a directory answers 404 when its page asks for one.
    expect(desk.faults.filter((fault) => !fault.endsWith('/api/v1/directory'))).toEqual([]);
  } finally {
    await desk.close();
  }
}

test('every page of the console is visited', () => {
  const visited = [...visits().map(([address]) => address), ...doors].map(pageOf);
  expect(new Set(visited)).toEqual(new Set(consolePages));
});

test('at 390 px in German no page cuts a text or scrolls sideways', { timeout: 240_000 }, () =>
  withPhone(plant, async (desk) => {
    const { page } = desk;
    await page.goto(`${plant.baseUrl}/sign-in`);
    await page.locator('input[name=username]').waitFor();
    const cut = await cutAt(page, '/sign-in');
    await desk.signIn({ username: ada.username, password });
    for (const [address, mark] of visits()) {
      await page.goto(`${plant.baseUrl}${address}`);
      await page.locator(mark).first().waitFor();
      const faults = await cutAt(page, address);
      if (faults.length > 0) await desk.screenshot(`german${address.replaceAll(/\W/g, '-')}`);
      cut.push(...faults);
    }
    expect(cut).toEqual([]);
  }),
);

test('at 390 px in German the page of an empty installation cuts no text', async () => {
  const installation = await openEmptyInstallation();
  try {
    await withPhone(installation, async ({ page }) => {
      await page.goto(`${installation.baseUrl}/setup`);
      await page.locator('.signin form').waitFor();
      expect(await cutAt(page, '/setup')).toEqual([]);
    });
  } finally {
    await installation.close();
  }
});

test.for([
  ['overflow: hidden', 'div.sample is cut off: Rufbereitschaftsgruppe'],
  ['overflow: visible', 'div.sample sticks out: Rufbereitschaftsgruppe'],
  ['overflow: auto', 'div.sample scrolls sideways: Rufbereitschaftsgruppe'],
] as const)('a text that does not fit is found: %s', ([style, fault]) =>
  withPhone(plant, async ({ page }) => {
    await page.goto(`${plant.baseUrl}/sign-in`);
    await page.locator('input[name=username]').waitFor();
    // The page is whole then, so that only the sample can be cut.
    expect(await cutAt(page, '/sign-in')).toEqual([]);
    await page.evaluate((css) => {
      const sample = document.createElement('div');
      sample.className = 'sample';
      sample.textContent = 'Rufbereitschaftsgruppe';
      sample.style.cssText = `width: 60px; ${css}`;
      document.querySelector('form')?.append(sample);
    }, style);
    expect(await cutTexts(page)).toEqual([fault]);
  }),
);
