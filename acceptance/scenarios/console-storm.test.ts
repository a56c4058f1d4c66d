import { setTimeout as sleep } from 'node:timers/promises';
import type { Alarm } from '@tocsin/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, sitDown } from '../harness/console/browser.ts';
import { type Laptop, openLaptop } from '../harness/console/laptop.ts';
import { startMovingProxy } from '../harness/console/moving-proxy.ts';
import { listedBy, untilShown } from '../harness/console/shown-list.ts';
import { openStormSite, type StormSite } from '../harness/console/storm-site.ts';
import {
  beepsOf,
  countBeeps,
  faultsOf,
  lookAway,
  notedStates,
  noteStates,
  staleBar,
  watchPoint,
} from '../harness/console/watch-page.ts';
import { granted } from '../harness/http/granted.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { connectSql } from '../harness/sql.ts';

const noticedMs = 5_000;
const wholeMs = 3_000;
const sleptMs = 40_000;
const allAlarms = '/?masked=shown';

let site: StormSite;
let browser: Browser;

beforeAll(async () => {
  site = await openStormSite();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

type Options = { readonly baseUrl?: string; readonly user?: Parameters<Desk['signIn']>[0] };

/** A desk that shows all alarms and where nobody reads; no test may leave a fault behind. */
async function withDesk(story: (desk: Desk) => Promise<void>, { baseUrl, user }: Options = {}) {
  const desk = await sitDown(browser, { baseUrl: baseUrl ?? site.baseUrl });
  try {
    await countBeeps(desk.context);
    await desk.signIn(user);
    await desk.page.goto(`${baseUrl ?? site.baseUrl}${allAlarms}`);
    await desk.page.locator('.row[data-alarm]').first().waitFor();
    // Browsers play no sound before a gesture.
    await desk.page.keyboard.press('Shift');
    await lookAway(desk.page);
    await story(desk);
    expect(faultsOf(desk)).toEqual([]);
  } finally {
    await desk.close();
  }
}

const sinceMs = (start: number) => Math.round(performance.now() - start);
const currentAlarms = async () =>
  granted<{ items: Alarm[] }>(await site.client.get('/api/v1/alarms?limit=1000')).items;
const acknowledge = (ids: readonly number[]) =>
  Promise.all(ids.map((id) => site.client.post(`/api/v1/alarms/${id}/acknowledge`, {})));

describe('in a storm of 50 changes a second', () => {
  test('the row under the pointer never moves, and the bar counts the alarms that wait', () =>
    withDesk(async ({ page }) => {
      const box = await page.locator('.row[data-alarm]').nth(6).boundingBox();
      const point = { x: 500, y: (box?.y ?? 0) + 14 };
      await page.mouse.move(point.x, point.y);
      const before = new Set((await currentAlarms()).map(({ id }) => id));
      const storm = site.startStorm(1_000);
      const seen = await watchPoint(page, point, 6_000);
      await storm.stop();
      expect(seen.ids).toHaveLength(1);
      expect(seen.tops).toHaveLength(1);
      expect(seen.frames).toBeGreaterThan(60);
      const held = (await currentAlarms()).filter(({ id }) => !before.has(id)).length;
      expect(held).toBeGreaterThan(50);
      const bar = page.locator('.held b');
      await expect.poll(() => bar.textContent()).toBe(`${held} new`);
      expect(await page.locator('.band .morep1').textContent()).toContain('more of priority 1');
      await lookAway(page);
      await expect.poll(() => bar.count()).toBe(0);
      await untilShown(page, site.client, allowedMs(wholeMs));
    }));

  test('a killed server is noticed within 5 s, and the list is whole within 3 s of its return', () =>
    withDesk(async ({ page }) => {
      const storm = site.startStorm();
      await sleep(3_000);
      const killedAt = performance.now();
      await site.kill();
      await staleBar(page).waitFor({ timeout: allowedMs(noticedMs) });
      const noticed = sinceMs(killedAt);
      expect(await staleBar(page).textContent()).toContain('This list is old.');
      await sleep(1_000);
      await site.restart();
      const returnedAt = performance.now();
      await sleep(500);
      const { answered } = await storm.stop();
      expect(answered).toBeGreaterThan(100);
      const compared = sinceMs(returnedAt);
      const whole = compared + (await untilShown(page, site.client, allowedMs(wholeMs) - compared));
      console.log(`banner after ${noticed} ms, whole ${whole} ms after the return`);
      await expect.poll(() => staleBar(page).count()).toBe(0);
    }));

  test('the list is whole after the desk was moved to another node', async () => {
    const other = await site.startOther();
    const portOf = (baseUrl: string) => Number(new URL(baseUrl).port);
    const proxy = await startMovingProxy(portOf(site.baseUrl));
    const story = async ({ page }: Desk) => {
      const storm = site.startStorm();
      await sleep(2_000);
      proxy.moveTo(portOf(other.baseUrl));
      await sleep(1_000);
      await storm.stop();
      const whole = await untilShown(page, site.client, allowedMs(wholeMs));
      console.log(`whole ${1_000 + whole} ms after the move`);
      await expect.poll(() => page.getByText('Live', { exact: true }).count()).toBe(1);
    };
    try {
      await withDesk(story, { baseUrl: proxy.baseUrl });
    } finally {
      await proxy.close();
      await other.kill();
    }
  });

  test('what a second tab acknowledges is shown in the first within a second', () =>
    withDesk(async ({ page, context }) => {
      const storm = site.startStorm();
      const second = await context.newPage();
      await second.goto(`${site.baseUrl}/?search=CL201`);
      const row = second.locator('.row.is-new[data-alarm]').first();
      await row.click();
      await second.getByRole('grid').focus();
      const id = await row.getAttribute('data-alarm');
      await page.getByRole('searchbox').fill('CL201');
      await page.locator(`.row.is-new[data-alarm="${id}"]`).waitFor();
      const pressedAt = performance.now();
      await second.keyboard.press('a');
      await page.locator(`.row.is-ack[data-alarm="${id}"]`).waitFor({ timeout: allowedMs(1_000) });
      console.log(`acknowledged in the first tab after ${sinceMs(pressedAt)} ms`);
      await storm.stop();
    }));

  test('horn and tab title follow the highest priority that waits', () =>
    withDesk(async ({ page }) => {
      const storm = site.startStorm(2_000);
      await sleep(3_000);
      await storm.stop();
      const waiting = (await currentAlarms()).filter(({ state, masked }) => (state & 2) !== 0 && !masked);
      const idsOf = (priority: number) =>
        waiting.filter((alarm) => alarm.priority === priority).map(({ id }) => id);
      for (const priority of [1, 2, 3]) {
        const ids = idsOf(priority);
        expect(ids.length).toBeGreaterThan(0);
        const title = new RegExp(String.raw`^\(${ids.length}\) P${priority} .+ · Tocsin$`);
        await expect.poll(() => page.title()).toMatch(title);
        const before = await beepsOf(page);
        // Priority 3 sounds again after 15 s.
        await expect.poll(() => beepsOf(page), { timeout: 25_000 }).toBeGreaterThan(before);
        await acknowledge(ids);
      }
      await acknowledge(idsOf(4));
      await expect.poll(() => page.title()).toBe('Tocsin');
      const silent = await beepsOf(page);
      await sleep(4_000);
      expect(await beepsOf(page)).toBe(silent);
    }));
});

describe('a desk', () => {
  let laptopBrowser: Browser;
  let laptop: Laptop;
  let sleeper: Desk;
  let asleepAt = 0;

  // Another machine, which sleeps while the others work.
  beforeAll(async () => {
    laptopBrowser = await launch();
    sleeper = await sitDown(laptopBrowser, site);
    await sleeper.signIn();
    await sleeper.page.goto(`${site.baseUrl}${allAlarms}`);
    await sleeper.page.locator('.row[data-alarm]').first().waitFor();
    await lookAway(sleeper.page);
    await noteStates(sleeper.page);
    laptop = await openLaptop(laptopBrowser);
    laptop.sleep();
    asleepAt = performance.now();
  });
  afterAll(async () => {
    laptop?.wake();
    await laptopBrowser?.close();
  });

  test('whose network is cut says so, disables its actions, and is whole when the network is back', () =>
    withDesk(async ({ page, context }) => {
      const row = page.locator('.row[data-alarm]').first();
      await row.click();
      const bar = page.getByRole('toolbar');
      const button = bar.getByRole('button', { name: 'Acknowledge' });
      await expect.poll(() => button.isEnabled()).toBe(true);
      const storm = site.startStorm();
      const cutAt = performance.now();
      await context.setOffline(true);
      await staleBar(page).waitFor({ timeout: allowedMs(noticedMs) });
      console.log(`banner ${sinceMs(cutAt)} ms after the cut`);
      expect(await bar.textContent()).toContain('Actions wait for the connection');
      for (const each of await bar.getByRole('button').all()) expect(await each.isDisabled()).toBe(true);
      for (const each of await page.locator('.band button').all()) expect(await each.isDisabled()).toBe(true);
      await storm.stop();
      await context.setOffline(false);
      await lookAway(page);
      await page.getByRole('grid').blur();
      const whole = await untilShown(page, site.client, allowedMs(wholeMs));
      console.log(`whole ${whole} ms after the network is back`);
      await expect.poll(() => staleBar(page).count()).toBe(0);
    }));

  const password = 'a long enough password';
  const hire = async (username: string) =>
    granted<number>(
      await site.client.post('/api/v1/users', { username, name: username, password, role: 'operator' }),
    );
  const filtered = () => `${site.baseUrl}/?areaId=${site.works.areaIds.get('Filters')}&state=waiting`;

  /** Signs in at the door where the desk stands, and finds the same list as before. */
  async function signInAgain({ page }: Desk, user: { username: string; password: string }): Promise<void> {
    await page.getByLabel('User name').fill(user.username);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign in and arm the sound' }).click();
    await page.locator('.filters').waitFor();
    expect(page.url()).toBe(filtered());
    await expect.poll(() => page.getByText('Live', { exact: true }).count()).toBe(1);
  }

  test('whose session was revoked says why, and is back at the same list after the sign-in', async () => {
    const id = await hire('marc');
    const story = async (desk: Desk) => {
      const { page } = desk;
      await page.goto(filtered());
      await page.locator('.filters').waitFor();
      const path = `/api/v1/users/${id}`;
      const { headers, json } = await site.client.get(path);
      const body = { ...json<object>(), password: `${password}!` };
      granted(await site.client.send('PUT', path, { body, headers: { 'if-match': headers['etag'] ?? '*' } }));
      const revokedAt = performance.now();
      await page.getByText('Your session has ended.').waitFor({ timeout: allowedMs(10_000) });
      console.log(`signed out ${sinceMs(revokedAt)} ms after the revocation`);
      expect(page.url()).toBe(filtered());
      await desk.axe();
      await signInAgain(desk, { username: 'marc', password: `${password}!` });
    };
    await withDesk(story, { user: { username: 'marc', password } });
  });

  test('whose tokens have expired says why, and is back at the same list after the sign-in', async () => {
    const user = { username: 'sylvie', password };
    await hire(user.username);
    const sql = await connectSql(site.databaseUrl);
    const story = async (desk: Desk) => {
      const { page } = desk;
      // A session ends 720 hours after its log-in, and so do its tokens: this one has six seconds left.
      await sql.query(
        `update sessions set created_at = now() - interval '720 hours' + interval '6 seconds'
         where user_id = (select id from users where username = $1)`,
        [user.username],
      );
      await page.goto(filtered());
      await page.locator('.filters').waitFor();
      await page.getByText('Your session has ended.').waitFor({ timeout: allowedMs(15_000) });
      await signInAgain(desk, user);
    };
    await withDesk(story, { user });
  });

  test('that slept for 40 s says that its list is old, and is whole 3 s after it woke', async () => {
    const storm = site.startStorm(3_000);
    await sleep(Math.max(2_000, sleptMs - sinceMs(asleepAt)));
    await storm.stop();
    const wokenAt = performance.now();
    laptop.wake();
    const whole = await untilShown(sleeper.page, site.client, allowedMs(wholeMs));
    console.log(`slept ${Math.round((wokenAt - asleepAt) / 1_000)} s, whole ${whole} ms after`);
    expect(await notedStates(sleeper.page)).toEqual(['fresh', 'stale', 'fresh']);
    expect((await listedBy(site.client)).length).toBeGreaterThan(100);
    expect(faultsOf(sleeper)).toEqual([]);
  });
});
