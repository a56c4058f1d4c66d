import { createECDH } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch } from '../harness/console/browser.ts';
import {
  card,
  clock,
  noNetwork,
  openPhonePlant,
  openTab,
  type PhoneOptions,
  type PhonePlant,
  password,
  press,
  type Technician,
  untilTaken,
  withPhone,
  workerOf,
} from '../harness/console/phone.ts';
import { create, granted, openPlant, read } from '../harness/plant.ts';

let plant: PhonePlant;
let browser: Browser;

beforeAll(async () => {
  plant = await openPhonePlant();
  browser = await launch({ full: true });
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

const withPage = (who: Technician, story: (desk: Desk) => Promise<void>, options: PhoneOptions = {}) =>
  withPhone(browser, { plant, who, ...options }, story);
/** A story in which the connection is cut. */
const withCellar = (who: Technician, story: (desk: Desk) => Promise<void>) =>
  withPage(who, story, { expected: noNetwork });

const acknowledgments = async (id: number) =>
  (await plant.timeline(id)).filter(({ kind }) => kind === 'acknowledged');

describe('without a connection', () => {
  test('an acknowledgment waits, is sent once when the connection is back, and both times are shown', async () => {
    const ada = await plant.technician('Ada');
    const { id } = await plant.alarmFor([ada]);
    await withCellar(ada, async (desk) => {
      const { page, context } = desk;
      await card(desk, id).waitFor();
      await context.setOffline(true);
      await page.locator('.off').waitFor();
      expect(await page.getByRole('button', { name: 'Not me' }).isDisabled()).toBe(true);
      await press(desk, 'Take it');
      await page.getByText('Taken on this phone, not sent yet').waitFor();
      await page.getByRole('heading', { name: 'The server does not know yet' }).waitFor();
      await desk.screenshot('phone-offline');
      await desk.axe();
      await page.waitForTimeout(3_000);
      expect((await plant.alarmOf(id)).ackUser).toBe('');
      await context.setOffline(false);
      await untilTaken(plant, id, 'Ada');
      await openTab(desk, 'Sent');
      await page.getByText(new RegExp(`^received ${clock}, made ${clock}$`)).waitFor();
    });
    const [taken, ...again] = await acknowledgments(id);
    expect(again).toEqual([]);
    const made = new RegExp(`^Taken at (${clock}) by the clock of the phone, without a connection\\.$`);
    const [, madeAt = ''] = made.exec(taken?.detail ?? '') ?? [];
    const received = taken?.time.slice(11, 19) ?? '';
    expect(madeAt, taken?.detail).not.toBe('');
    expect(madeAt < received || received.startsWith('00:')).toBe(true);
    expect((await plant.alarmOf(id)).comment).toMatch(made);
  });

  test('a reload still shows the page, the call and what waits, and it is sent in the end', async () => {
    const ada = await plant.technician('Ada');
    const { id, message } = await plant.alarmFor([ada]);
    await withCellar(ada, async (desk) => {
      const { page, context } = desk;
      await card(desk, id).waitFor();
      await page.waitForFunction(() => localStorage.getItem('tocsin-phone')?.includes('low-low'));
      await context.setOffline(true);
      await page.locator('.off').waitFor();
      await press(desk, 'Take it');
      await page.getByText('Taken on this phone, not sent yet').waitFor();
      await page.reload();
      await card(desk, id).getByText(message).waitFor();
      await page.getByText('Taken on this phone, not sent yet').waitFor();
      await openTab(desk, 'Sent');
      await page.getByText(`Take “${message}”`).waitFor();
      await desk.screenshot('phone-sent-offline');
      await context.setOffline(false);
      await untilTaken(plant, id, 'Ada');
      await page.getByText(/^received /).waitFor();
    });
    expect(await acknowledgments(id)).toHaveLength(1);
  });

  test('an acknowledgment can be withdrawn before it is sent', async () => {
    const ada = await plant.technician('Ada');
    const { id } = await plant.alarmFor([ada]);
    await withCellar(ada, async (desk) => {
      const { page, context } = desk;
      await card(desk, id).waitFor();
      await context.setOffline(true);
      await page.locator('.off').waitFor();
      await press(desk, 'Take it');
      await openTab(desk, 'Sent');
      await press(desk, 'Withdraw');
      await page.getByText('Nothing waits to be sent.').waitFor();
      await context.setOffline(false);
      await page.locator('.mlive').waitFor();
      await openTab(desk, 'Call');
      await page.getByRole('button', { name: 'Take it' }).waitFor();
      expect((await plant.alarmOf(id)).ackUser).toBe('');
    });
  });

  test('an alarm that has begun again meanwhile is not taken, and the phone says so', async () => {
    const ada = await plant.technician('Ada');
    const { id } = await plant.alarmFor([ada]);
    const { path } = await read<{ path: string }>(plant.client, `alarms/${id}`);
    await withCellar(ada, async (desk) => {
      const { page, context } = desk;
      await card(desk, id).waitFor();
      await context.setOffline(true);
      await page.locator('.off').waitFor();
      await press(desk, 'Take it');
      await page.getByText('Taken on this phone, not sent yet').waitFor();
      for (const raised of [false, true]) {
        if (!raised) granted(await plant.client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
        await create(plant.client, 'alarms', { path, stationId: plant.works.stationId, raised });
        await page.waitForTimeout(1_100);
      }
      await context.setOffline(false);
      await openTab(desk, 'Sent');
      await page.getByText('not accepted: the alarm has begun again since').waitFor();
    });
    expect((await plant.alarmOf(id)).ackUser).toBe('');
  });

  test('the pages of the desk are not kept: only the page for telephones opens', async () => {
    const ada = await plant.technician('Ada');
    await withCellar(ada, async ({ page, context }) => {
      const kept = await page.evaluate(async () => {
        const [name = '', ...others] = await caches.keys();
        const requests = await (await caches.open(name)).keys();
        return { others, paths: requests.map(({ url }) => new URL(url).pathname) };
      });
      expect(kept.others).toEqual([]);
      expect(kept.paths).toContain('/m');
      expect(kept.paths.filter((path) => path.startsWith('/api') || path.includes('alarm-page'))).toEqual([]);
      await context.setOffline(true);
      await page.goto(`${plant.baseUrl}/m/duty`);
      await page.getByText('Not known without a connection.').waitFor();
      await expect(page.goto(`${plant.baseUrl}/areas`)).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    });
  });
});

test('under a base path the page is kept as well', async () => {
  const other = await openPlant('/alertws');
  try {
    await create(other.client, 'users', { username: 'ada', name: 'Ada', role: 'operator', password });
    const phone = { plant: other, who: { username: 'ada' }, expected: noNetwork };
    await withPhone(browser, phone, async ({ page, context }) => {
      const { pathname } = new URL(
        await page.evaluate(async () => (await navigator.serviceWorker.ready).scope),
      );
      expect(pathname).toBe('/alertws/m');
      await page.waitForFunction(() => localStorage.getItem('tocsin-phone') !== null);
      await context.setOffline(true);
      await page.goto(`${other.baseUrl}/m/sent`);
      await page.getByText('Nothing waits to be sent.').waitFor();
      await page.getByText('Ada').waitFor();
    });
  } finally {
    await other.close();
  }
});

describe('the page as an app', () => {
  test('offers messages when the plant has web push, and stores nothing if the browser has no push service', async () => {
    const ada = await plant.technician('Ada');
    await withPage(
      ada,
      async ({ page }) => {
        await page.getByText('Your plant has not set up messages for browsers.').waitFor();
      },
      { path: '/m/duty' },
    );
    const pair = createECDH('prime256v1');
    const publicKey = pair.generateKeys('base64url');
    const privateKey = pair.getPrivateKey().toString('base64url').padStart(43, 'A');
    const settings = { publicKey, privateKey, subject: 'mailto:alarm@plant.example' };
    await create(plant.client, 'channels', { name: 'Browsers', kind: 'web-push', settings });
    await withPage(
      ada,
      async (desk) => {
        await press(desk, 'Show messages here');
        await desk.page.getByRole('alert').getByText('That was not done').waitFor({ timeout: 60_000 });
      },
      // The window of a test is a private one, which has no push service.
      { path: '/m/duty', expected: /does not support the Push API in incognito mode/ },
    );
    const { media } = await read<{ media: object[] }>(plant.client, `users/${ada.id}/media`);
    expect(media).toHaveLength(1);
  });

  test('can be installed: its manifest is valid, and its icons have the sizes that it says', async () => {
    const ada = await plant.technician('Ada');
    await withPage(ada, async (desk) => {
      const { cdp } = await workerOf(desk);
      const { url, errors } = await cdp.send('Page.getAppManifest');
      expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
      const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
      // A private window installs nothing; the tests use one.
      const others = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
      expect(others).toEqual([]);
      const icons = await desk.page.evaluate(async () => {
        const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
        const manifest = (await (await fetch(link?.href ?? '')).json()) as {
          icons: { src: string; sizes: string }[];
        };
        return Promise.all(
          manifest.icons.map(async ({ src, sizes }) => {
            const image = new Image();
            image.src = new URL(src, link?.href).href;
            await image.decode();
            return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
          }),
        );
      });
      expect(icons.length).toBeGreaterThanOrEqual(2);
      for (const [said, real] of icons) expect(real).toBe(said);
    });
  });

  test('a message is shown while the page is closed to it, and opens the call', async () => {
    const ada = await plant.technician('Ada');
    const { id, message } = await plant.alarmFor([ada]);
    await withPage(ada, async (desk) => {
      const { page, context } = desk;
      await openTab(desk, 'Sent');
      const { cdp, registrationId } = await workerOf(desk);
      const data = JSON.stringify({ title: message, text: '0.11 mg/l', link: '', alarmId: id });
      await cdp.send('ServiceWorker.deliverPushMessage', { origin: plant.baseUrl, registrationId, data });
      const shown = () =>
        page.evaluate(async () =>
          (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag }) => ({
            title,
            body,
            tag,
          })),
        );
      await expect.poll(shown).toEqual([{ title: message, body: '0.11 mg/l', tag: `alarm-${id}` }]);
      const [worker] = context.serviceWorkers();
      // A press on the message itself is outside the page, where a test cannot reach.
      await worker?.evaluate(async () => {
        const scope = globalThis as unknown as {
          registration: ServiceWorkerRegistration;
          NotificationEvent: new (kind: string, init: object) => Event;
        };
        const [notification] = await scope.registration.getNotifications();
        dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
      });
      await page.waitForURL(`${plant.baseUrl}/m/call/${id}`);
      await card(desk, id).waitFor();
      expect(await shown()).toEqual([]);
    });
  });
});
