import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, launch, themes } from '../harness/console/browser.ts';
import {
  card,
  clock,
  openPhonePlant,
  type PhoneOptions,
  type PhonePlant,
  press,
  type Technician,
  untilTaken,
  withPhone,
} from '../harness/console/phone.ts';
import { create, granted, read } from '../harness/plant.ts';
import { sampleOf } from '../harness/sample.ts';

let plant: PhonePlant;
let browser: Browser;

beforeAll(async () => {
  plant = await openPhonePlant();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await plant?.close();
});

const withPage = (who: Technician, story: (desk: Desk) => Promise<void>, options: PhoneOptions = {}) =>
  withPhone(browser, { plant, who, ...options }, story);

/** Whether something is wider than the screen. */
const overflow = ({ page }: Desk) =>
  page.evaluate(() => {
    const wide = [...document.querySelectorAll('.m *')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 0.5 && !element.closest('.vh'),
    );
    return {
      page: document.documentElement.scrollWidth > innerWidth,
      wide: wide.map((element) => element.outerHTML.slice(0, 120)),
    };
  });

const pages = [
  ['/m', '.callcard'],
  ['/m/alarms', '.outbox li'],
  ['/m/duty', '.reach li'],
  ['/m/sent', '.mnote'],
] as const;

test.for(themes)('each page of the phone can be read by everybody, %s', async (theme) => {
  const ada = await plant.technician('Ada', { mobile: { kind: 'receives' } });
  const { id } = await plant.alarmFor([ada]);
  await withPage(
    ada,
    async (desk) => {
      await card(desk, id).waitFor();
      for (const [path, mark] of pages) {
        await desk.page.goto(`${plant.baseUrl}${path}`);
        await desk.page.locator(mark).first().waitFor();
        await desk.screenshot(`phone${path.slice(2).replace('/', '-')}`);
        await desk.axe();
        expect(await overflow(desk)).toEqual({ page: false, wide: [] });
      }
    },
    { theme },
  );
});

test.for(sampleOf(['de', 'fr'], 1))(
  'each page of the phone fits 390 px in the language %s',
  async (language) => {
    const ada = await plant.technician('Ada', { language, mobile: { kind: 'receives' } });
    const { id } = await plant.alarmFor([ada]);
    await withPage(ada, async (desk) => {
      await card(desk, id).waitFor();
      await expect.poll(() => desk.page.evaluate(() => document.documentElement.lang)).toBe(language);
      for (const [path, mark] of pages) {
        await desk.page.goto(`${plant.baseUrl}${path}`);
        await desk.page.locator(mark).first().waitFor();
        await desk.page.waitForFunction((lang) => document.documentElement.lang === lang, language);
        await desk.screenshot(`phone${path.slice(2).replace('/', '-')}-${language}`);
        expect(await overflow(desk)).toEqual({ page: false, wide: [] });
      }
    });
  },
);

describe('a technician who is called', () => {
  test('sees what, where and for how long, takes the alarm with one press, and nobody else is called', async () => {
    const [ada, ben] = [await plant.technician('Ada'), await plant.technician('Ben')];
    const { id, message } = await plant.alarmFor([ada, ben]);
    await withPage(ada, async (desk) => {
      await card(desk, id).waitFor();
      // The names of its places arrive a moment after the alarm.
      for (const fact of ['Critical', message, '0.11 mg/l', 'Chlorination, Valmont works', 'left'])
        await expect.poll(() => card(desk, id).textContent()).toContain(fact);
      await desk.page.getByText('Start dosing pump P222').first().waitFor();
      await desk.page.getByText('We are calling you').waitFor();
      await press(desk, 'Take it');
      await untilTaken(plant, id, 'Ada');
      await card(desk, id).waitFor({ state: 'detached' });
      const line = desk.page.locator(`.mheld li[data-alarm="${id}"]`);
      await expect.poll(() => line.textContent()).toMatch(new RegExp(`made ${clock}, received ${clock}$`));
    });
    expect(plant.callsTo({ ...ben, phone: ben.number })).toEqual([]);
  });

  test('says "Not me", and the next person is called at once', async () => {
    const [ada, ben] = [await plant.technician('Ada'), await plant.technician('Ben')];
    const { id } = await plant.alarmFor([ada, ben]);
    await withPage(ada, async (desk) => {
      await card(desk, id).waitFor();
      await press(desk, 'Not me');
      await desk.page.getByText('The next person is being called.').waitFor();
      await plant.log.until(({ event, to }) => event === 'accepted' && to === ben.number);
      await card(desk, id).waitFor({ state: 'detached' });
    });
    const answers = (await plant.timeline(id)).flatMap(({ answer }) => answer ?? []);
    expect(answers).toMatchObject([{ way: 'interface', intent: 'refuse', judgement: 'accepted' }]);
    expect((await plant.alarmOf(id)).state).toBe(3);
  });

  test('gives the alarm to the next person with a note, which that person reads on their card', async () => {
    const [ada, ben] = [await plant.technician('Ada'), await plant.technician('Ben')];
    const { id } = await plant.alarmFor([ada, ben]);
    await withPage(ada, async (desk) => {
      await card(desk, id).waitFor();
      await press(desk, 'Give to the next…');
      await desk.axe();
      await press(desk, 'I am too far away.');
      await desk.page.getByLabel('What should they know?').fill('I am in Lyon. The key is at the gate.');
      await press(desk, 'Call the next person now');
      await desk.page.getByText('The next person is being called.').waitFor();
    });
    await plant.log.until(({ event, to }) => event === 'accepted' && to === ben.number);
    await withPage(ben, async (desk) => {
      await card(desk, id).getByText('I am in Lyon. The key is at the gate.').waitFor();
      await press(desk, 'Take it');
      await untilTaken(plant, id, 'Ben');
    });
  });

  test('may take an alarm although their role may not act on alarms', async () => {
    const vera = await plant.technician('Vera', { role: 'viewer' });
    const { id } = await plant.alarmFor([vera]);
    await withPage(vera, async (desk) => {
      await card(desk, id).waitFor();
      await press(desk, 'Take it');
      await untilTaken(plant, id, 'Vera');
    });
  });

  test('confirms a call by hand, which is about no alarm', async () => {
    const ada = await plant.technician('Ada');
    granted(
      await plant.client.post('/api/v1/call/users', { userIds: [ada.id], msgText: 'Come to the gate' }),
    );
    await withPage(ada, async (desk) => {
      await desk.page.getByRole('heading', { name: 'Come to the gate' }).waitFor();
      await press(desk, 'I have got the call');
      await desk.page.getByText('It is noted that you have got').waitFor();
    });
    const { items } = await read<{ items: { status: string }[] }>(
      plant.client,
      `call/histories?userId=${ada.id}`,
    );
    expect(items.map(({ status }) => status)).toEqual(['Acknowledged']);
  });
});

describe('my duty', () => {
  test('tells until when, who is called before, and when the next shift begins', async () => {
    const [ada, ben] = [await plant.technician('Ada'), await plant.technician('Ben')];
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    await create(plant.client, 'callgroups', {
      name: 'Process on-call',
      stationId: plant.works.stationId,
      teams: [{ id: 1, name: 'Team A', userIds: [ben.id, ada.id] }],
      roster: {
        slotMinutes: 60,
        slots: [],
        overrides: [
          { teamId: 1, from: at(-1), to: at(2.74) },
          { teamId: 1, from: at(48), to: at(56) },
        ],
      },
    });
    await withPage(
      ada,
      async (desk) => {
        const { page } = desk;
        await page.getByRole('heading', { name: /^On duty until .*\d\d:\d\d$/ }).waitFor();
        const duty = page.locator('.dutycard');
        await expect.poll(() => duty.textContent()).toMatch(/2 h \d\d left/);
        expect(await duty.textContent()).toContain('Process on-call');
        expect(await duty.textContent()).toContain('You are called after Ben.');
        await expect.poll(() => page.locator('.next li').count()).toBe(1);
        expect(await page.locator('.mtop').textContent()).toContain('Ada, on duty');
        await desk.screenshot('phone-on-duty');
      },
      { path: '/m/duty' },
    );
  });

  test('a test of the own numbers shows the result of each', async () => {
    const ada = await plant.technician('Ada', {
      phone: { kind: 'answers', press: 'code', talkMs: 300 },
      mobile: { kind: 'errors', status: 422 },
    });
    await withPage(
      ada,
      async (desk) => {
        const line = (medium: string) => desk.page.locator(`.reach li[data-medium="${medium}"]`);
        await expect.poll(() => line('Voice').textContent()).toContain('not tested');
        await press(desk, 'Test it now');
        await expect
          .poll(() => line('Voice').textContent(), { timeout: 40_000 })
          .toMatch(/^phone …\d{4}you pressed a keyreached$/);
        await expect.poll(() => line('Sms').textContent(), { timeout: 40_000 }).toContain('not reached');
        await desk.axe();
        await desk.screenshot('phone-reached');
      },
      { path: '/m/duty' },
    );
  });
});
