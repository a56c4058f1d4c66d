import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, sitDown, themes } from '../harness/console/browser.ts';
import { buildWaterworks, type Waterworks } from '../harness/console/waterworks.ts';
import { create, granted, logInAs, openPlant, type Plant, raise, read } from '../harness/plant.ts';

let plant: Plant;
let works: Waterworks;
let browser: Browser;

const states = ['new', 'ack', 'rtn', 'mask'] as const;

/** Each priority in each state. */
async function raiseAllStates(): Promise<void> {
  for (const priority of [1, 2, 3, 4])
    for (const state of states) {
      const path = `States.P${priority}.${state}`;
      const body = { stationId: works.stationId, path, priority, alarmMessage: `P${priority} ${state}` };
      const id = await raise(plant.client, body);
      if (state === 'ack') granted(await plant.client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
      if (state === 'rtn') await raise(plant.client, { ...body, raised: false });
      if (state === 'mask')
        granted(await plant.client.post(`/api/v1/alarms/${id}/mask`, { reason: 'works' }));
    }
}

beforeAll(async () => {
  plant = await openPlant('', { ROLES: 'api,hub,dispatch' });
  works = await buildWaterworks(plant);
  await raiseAllStates();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

type Options = NonNullable<Parameters<typeof sitDown>[2]>;

async function withDesk(
  story: (desk: Desk) => Promise<void>,
  options: Options = {},
  user?: Login,
): Promise<void> {
  const desk = await sitDown(browser, plant, options);
  try {
    await desk.page.addInitScript(recordTones);
    await desk.signIn(user);
    await story(desk);
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
}
type Login = { username: string; password: string };

/** Keeps the pitch of each tone that the page plays. */
function recordTones(): void {
  const tones: number[] = [];
  Object.assign(globalThis, { tones });
  const original = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function createOscillator() {
    const tone = original.call(this);
    const start = tone.start.bind(tone);
    tone.start = (when?: number) => {
      tones.push(tone.frequency.value);
      start(when);
    };
    return tone;
  };
}
const tonesOf = ({ page }: Desk) =>
  page.evaluate(() => (globalThis as unknown as { tones: number[] }).tones.slice());

describe('without colours', () => {
  /** What is left of a row in greyscale: shape, number, fill, dashes and outlines of the symbol; weight and words. */
  const looks = ({ page }: Desk) =>
    page.locator('.row[data-alarm]').evaluateAll((rows) =>
      rows.map((row) => {
        const paths = [...row.querySelectorAll('.c-p .sym path')].map((path) => {
          const { fill, strokeDasharray, strokeWidth } = getComputedStyle(path);
          return [
            path.getAttribute('d'),
            fill === 'none' ? 'hollow' : 'filled',
            strokeDasharray,
            strokeWidth,
          ];
        });
        const { fontWeight } = getComputedStyle(row.querySelector('.c-msg') ?? row);
        return {
          name: row.querySelector('.c-msg')?.textContent ?? '',
          symbol: JSON.stringify([paths, row.querySelector('.c-p .sym text')?.textContent]),
          words: `${row.querySelector('.c-p .w')?.textContent} ${row.querySelector('.c-st')?.textContent}`,
          fontWeight,
        };
      }),
    );

  test.for(themes)('each state of each priority has its own symbol and its own words, %s', (theme) =>
    withDesk(
      async (desk) => {
        const { page } = desk;
        await page.goto(`${plant.baseUrl}/?masked=shown`);
        await expect.poll(() => page.locator('.row[data-alarm]').count()).toBe(16);
        const all = await looks(desk);
        expect(new Set(all.map(({ symbol }) => symbol)).size, 'symbols').toBe(16);
        expect(new Set(all.map(({ words }) => words.replace(/to .*/, 'masked'))).size, 'words').toBe(16);
        for (const { name, fontWeight } of all)
          expect(Number(fontWeight) >= 600, name).toBe(/new|rtn/.test(name));
        await page.evaluate(() => document.documentElement.style.setProperty('filter', 'grayscale(1)'));
        await mkdir('test-results/console', { recursive: true });
        await desk.screenshot('greyscale');
      },
      { theme },
    ),
  );
});

describe('the horn', () => {
  const sounds = (sound: string, resoundSeconds: number) => ({
    resoundSeconds,
    sounds: [1, 2, 3, 4].map((priority) => ({
      priority,
      sound: priority === 4 ? 'none' : sound,
      repeatSeconds: priority === 4 ? 0 : 1,
    })),
  });
  const setSounds = async (sound: string, resoundSeconds: number) => {
    const { headers } = await plant.client.get('/api/v1/console/sounds');
    granted(
      await plant.client.send('PUT', '/api/v1/console/sounds', {
        body: sounds(sound, resoundSeconds),
        headers: { 'if-match': headers['etag'] ?? '*' },
      }),
    );
  };
  type Entry = { object: { id: string }; after: { alarmIds: number[] } };
  const silences = async () =>
    (await read<{ items: Entry[] }>(plant.client, 'audit?action=desk.silence&sort=-id')).items;
  const fact = ({ page }: Desk) => page.locator('.fact.sound');

  test('plays the sound of the plant, is silenced with a record, and sounds again', async () => {
    await setSounds('chime', 4);
    await withDesk(async (desk) => {
      const { page } = desk;
      await expect.poll(() => fact(desk).textContent()).toContain('Sound armed');
      await expect.poll(() => tonesOf(desk)).toContain(440);
      await page.getByRole('grid').focus();
      await page.keyboard.press('m');
      await expect.poll(() => fact(desk).textContent()).toContain('sounds again in');
      const silent = (await tonesOf(desk)).length;
      await expect.poll(() => silences()).toHaveLength(1);
      const [record] = await silences();
      expect(record?.object.id).toMatch(/^Desk [0-9A-F]{4}$/);
      expect(record?.after.alarmIds.length).toBe(6);
      await page.waitForTimeout(1_500);
      expect((await tonesOf(desk)).length, 'it is silent meanwhile').toBe(silent);
      await expect.poll(() => fact(desk).textContent(), { timeout: 10_000 }).toContain('Sound armed');
      await expect
        .poll(async () => (await tonesOf(desk)).length, { timeout: 10_000 })
        .toBeGreaterThan(silent);
    });
  });

  test('is told to an administrator when somebody has silenced another desk', async () => {
    await setSounds('single', 60);
    const { client } = await logInAs(plant, { username: 'ben', name: 'Ben Moreau', role: 'operator' });
    await withDesk(async (desk) => {
      const { items } = await read<{ items: { id: number }[] }>(plant.client, 'alarms?limit=1');
      const body = { alarmIds: items.map(({ id }) => id), desk: 'Control room 2' };
      granted(await client.post('/api/v1/console/silences', body));
      await expect
        .poll(() => fact(desk).textContent(), { timeout: 10_000 })
        .toContain('Ben Moreau silenced Control room 2');
      expect(await fact(desk).textContent(), 'this desk still sounds').toContain('Sound armed');
    });
  });

  test('says that it is blocked until somebody touches the page', () =>
    withDesk(async (desk) => {
      await desk.page.addInitScript(() => {
        let isRunning = false;
        Object.defineProperty(AudioContext.prototype, 'state', {
          get: () => (isRunning ? 'running' : 'suspended'),
        });
        AudioContext.prototype.resume = async function resume() {
          isRunning = true;
          this.dispatchEvent(new Event('statechange'));
        };
      });
      await desk.page.goto(`${plant.baseUrl}/`);
      await desk.page.getByRole('button', { name: 'SOUND BLOCKED' }).waitFor();
      await desk.page.getByRole('grid').waitFor();
      await desk.axe();
      await desk.page.getByRole('button', { name: 'SOUND BLOCKED' }).click();
      await expect.poll(() => fact(desk).textContent()).toContain('Sound armed');
    }));
});

describe('the row', () => {
  test('says that nobody is on duty for an alarm that should call somebody', async () => {
    const groupId = await create(plant.client, 'callgroups', { name: 'Night shift', userIds: [] });
    const id = await raise(plant.client, {
      path: 'Lift.P303.TRIP',
      stationId: works.stationId,
      priority: 2,
      alarmMessage: 'P303 tripped',
      alarmActions: [{ type: 'CallGroup', id: groupId }],
    });
    await withDesk(async (desk) => {
      const cell = desk.page.locator(`[data-alarm="${id}"] .c-who`);
      await expect.poll(() => cell.textContent(), { timeout: 25_000 }).toContain('Nobody on duty');
      expect(await cell.locator('.sym.p1').count(), 'with the shape of priority 1').toBe(1);
      await desk.screenshot('nobody');
      await desk.axe();
    });
  });

  test('of a temporary tag leaves the list when it is over while it is masked', () =>
    withDesk(async ({ page }) => {
      await page.goto(`${plant.baseUrl}/?masked=shown`);
      const body = { path: 'Tmp.1', stationId: works.stationId, temporary: true, priority: 3 };
      const id = await raise(plant.client, { ...body, alarmMessage: 'Visitor at the gate' });
      const row = page.locator(`[data-alarm="${id}"]`);
      await row.waitFor();
      granted(await plant.client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
      granted(await plant.client.post(`/api/v1/alarms/${id}/mask`, { reason: 'visit' }));
      await expect.poll(() => row.getAttribute('class')).toContain('is-mask');
      await raise(plant.client, { ...body, raised: false });
      await expect.poll(() => row.count()).toBe(0);
    }));
});

test('an alarm without a message is shown by its tag, in the band, too', async () => {
  const path = 'Silent.Valve';
  const id = await raise(plant.client, { stationId: works.stationId, path, priority: 1 });
  await withDesk(async (desk) => {
    await desk.page.locator('.band').getByRole('link', { name: path }).waitFor();
    await desk.axe();
  });
  granted(await plant.client.post(`/api/v1/alarms/${id}/reset`, {}));
});
