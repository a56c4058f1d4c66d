import { createECDH } from 'node:crypto';
import { test as base } from 'vitest';
import { openMessagePlant } from '../harness/on-call/message-plant.ts';
import { create } from '../harness/plant.ts';
import { startNtfyServer } from '../harness/push/ntfy-server.ts';
import { startPushService } from '../harness/push/push-service.ts';

function newKeys() {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A private key with leading zeros is returned without them.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey, privateKey: privateKey.toString('base64url') };
}

/** A plant that reaches browsers by web push, and telephones by ntfy. */
async function openPushPlant() {
  const [service, ntfy, plant] = [
    await startPushService(),
    await startNtfyServer(),
    await openMessagePlant(),
  ];
  const keys = newKeys();
  const { certificate } = service;
  const browsers = { ...keys, subject: 'mailto:alarm@plant.example', certificate };
  await create(plant.client, 'channels', { name: 'Browsers', kind: 'web-push', settings: browsers });
  const telephones = { url: ntfy.url, token: ntfy.token };
  await create(plant.client, 'channels', { name: 'Telephones', kind: 'ntfy', settings: telephones });
  return {
    ...plant,
    ntfy,
    service,
    browserOf: async (name: string) => {
      const browser = service.subscribe(keys.publicKey);
      const id = await plant.hire(name, [{ kind: 'Push', address: browser.address }]);
      return { id, browser };
    },
    close: async () => {
      await plant.close();
      await service.stop();
      await ntfy.stop();
    },
  };
}

const test = base
  .extend('opened', { scope: 'file' }, () => openPushPlant())
  .extend('plant', { scope: 'file' }, ({ opened }, { onCleanup }) => {
    onCleanup(() => opened.close());
    return opened;
  });

test.concurrent('a person sees the alarm in their browser and takes it by the link', async ({
  plant,
  expect,
}) => {
  const { id, browser } = await plant.browserOf('Ada');
  const alarmId = await plant.alarmTo([id]);
  await expect.poll(() => browser.shown, { timeout: 20_000 }).toHaveLength(1);
  expect(plant.service.refused).toEqual([]);
  const [{ text, link } = { text: '', link: '' }] = browser.shown;
  expect(text).toContain('Trouble in hall');
  expect((await fetch(link)).status).toBe(200);
  expect((await plant.alarmOf(alarmId)).state).toBe(3);
  await fetch(link, { method: 'POST', body: new URLSearchParams({ answer: 'take' }) });
  await plant.untilTakenBy(alarmId, 'Ada');
});

test.concurrent('a telephone that follows a topic gets the alarm from the server in the plant', async ({
  plant,
  expect,
}) => {
  const id = await plant.hire('Ben', [{ kind: 'Push', address: 'ben-7h2k' }]);
  const alarmId = await plant.alarmTo([id]);
  const received = () => plant.ntfy.messages.filter(({ topic }) => topic === 'ben-7h2k');
  await expect.poll(received, { timeout: 20_000 }).toHaveLength(1);
  const [{ message, click = '' } = { message: '' }] = received();
  expect(message).toContain('Trouble in hall');
  await fetch(click, { method: 'POST', body: new URLSearchParams({ answer: 'take' }) });
  await plant.untilTakenBy(alarmId, 'Ben');
});

test.concurrent('a browser that has unsubscribed fails for good, and the next person is called at once', async ({
  plant,
  expect,
}) => {
  const [gone, next] = [await plant.browserOf('Carl'), await plant.browserOf('Dora')];
  gone.browser.answers = { status: 410 };
  const alarmId = await plant.alarmTo([gone.id, next.id], { ackTimeout: 600 });
  await plant.untilEntry(alarmId, ({ call }) => call?.userId === gone.id && call.status === 'Failed');
  await expect.poll(() => next.browser.shown, { timeout: 20_000 }).toHaveLength(1);
});

test.concurrent('a push service that asks to wait is asked again, and nobody is passed over', async ({
  plant,
  expect,
}) => {
  const [ada, next] = [await plant.browserOf('Emil'), await plant.browserOf('Fay')];
  ada.browser.answers = { status: 429, retryAfter: 1 };
  const alarmId = await plant.alarmTo([ada.id, next.id], { ackTimeout: 600 });
  await expect.poll(() => ada.browser.asked, { timeout: 20_000 }).toBeGreaterThan(0);
  ada.browser.answers = { status: 201 };
  await expect.poll(() => ada.browser.shown, { timeout: 20_000 }).toHaveLength(1);
  expect(next.browser.asked).toBe(0);
  const failed = (await plant.timeline(alarmId)).filter(({ call }) => call?.status === 'Failed');
  expect(failed).toEqual([]);
});

test.concurrent('a push service that is down fails the attempt, and the next person is called', async ({
  plant,
  expect,
}) => {
  const [gus, next] = [await plant.browserOf('Gus'), await plant.browserOf('Hanna')];
  gus.browser.answers = { status: 503 };
  const alarmId = await plant.alarmTo([gus.id, next.id], { ackTimeout: 10 });
  await plant.untilEntry(alarmId, ({ call }) => call?.userId === gus.id && call.status === 'Failed');
  await expect.poll(() => next.browser.shown, { timeout: 30_000 }).toHaveLength(1);
});
