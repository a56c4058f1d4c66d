import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runTocsin } from '../harness/cli/tocsin.ts';
import { violationsOn } from '../harness/console/axe.ts';
import { type Browser, launch, type Page, sizes } from '../harness/console/chromium.ts';
import { type RunningDemo, startDemo } from '../harness/demo/running-demo.ts';
import { openPlant } from '../harness/plant.ts';
import { firstAdmin, secretFile } from '../harness/server.ts';

const folder = join(tmpdir(), 'tocsin-demo-scenario');
let demo: RunningDemo;
let browser: Browser;
let desk: Page;

beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo({ folder, hasTerminal: true }), launch()]);
  desk = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
});
afterAll(async () => {
  demo?.signal('SIGTERM');
  await browser?.close();
});

/** An answer of the server of the demo to its visitor. */
async function read<Body>(path: string): Promise<Body> {
  const password = (await readFile(join(folder, 'demo.password'), 'utf8')).trim();
  const body = new URLSearchParams({ grant_type: 'password', username: 'demo', password });
  const { server } = demo.addresses;
  const login = await fetch(`${server}/api/v1/auth/login`, { method: 'POST', body });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const answer = await fetch(`${server}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as Body;
}

type Alarm = { path: string; ackUser: string };
const alarmAt = async (path: string) =>
  (await read<{ items: Alarm[] }>('alarms?limit=1000')).items.find((alarm) => alarm.path === path);
const occurrences = async () =>
  (await read<{ paging: { total: number } }>('alarms/histories?limit=1')).paging.total;

const raise = (path: string) =>
  fetch(`${demo.addresses.server}/api/v1/alarms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.addresses.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path, raised: true }),
  });

test('the start says how far it is, and what to do next', () => {
  const told = demo.output();
  for (const line of [
    /✔ PostgreSQL 18\.\d+ in \S+ +\d+\.\d s/,
    /✔ Server on http:\/\/127\.0\.0\.1:\d+ +\d+\.\d s/,
    /✔ Waterworks Valmont: 3 stations, \d{3} tags, 6 people +\d+\.\d s/,
  ])
    expect(told).toMatch(line);
});

test('the link signs a visitor in, once, and an alarm is on the screen', async () => {
  await desk.goto(demo.addresses.signIn);
  await desk.locator('.row[data-alarm]').first().waitFor();
  expect(new URL(desk.url()).origin).toBe(demo.addresses.server);
  await desk.getByText('P302 tripped').first().waitFor();
  const again = await fetch(demo.addresses.signIn, { redirect: 'manual' });
  expect(again.status).toBe(403);
  expect(await again.text()).toContain('Press l in the terminal');
});

test('a control system raises an alarm, a telephone rings, and the visitor takes the alarm', async () => {
  const page = await desk.context().newPage();
  onTestFinished(() => page.close());
  await page.goto(demo.addresses.phones);
  const phone = page.locator('.dp-phone').filter({ hasText: 'Chloé Dubois' });
  await phone.getByRole('checkbox').uncheck();
  expect((await raise('Pow.G2.FAIL')).status).toBe(200);
  const said: string[] = [];
  // She may be called for another alarm before.
  while (!said.at(-1)?.includes('Generator 2 start failed')) {
    await phone.getByRole('button', { name: 'Pick up, Chloé Dubois' }).click({ timeout: 60_000 });
    said.push(await phone.locator('.dp-text').innerText());
    await phone.getByRole('button', { name: /^Take the alarm/ }).click();
  }
  expect(said.at(-1)).toMatch(/To take .*, press \d( \d){5}/);
  await expect.poll(async () => (await alarmAt('Pow.G2.FAIL'))?.ackUser).toBe('Chloé Dubois');
  await phone.getByText('Alarm taken').first().waitFor();
});

test.for([
  ['light', 'desk'],
  ['dark', 'desk'],
  ['light', 'phone'],
  ['dark', 'phone'],
] as const)('the telephones can be read and used by everybody: %s, %s', async ([theme, size]) => {
  const context = await browser.newContext({ viewport: sizes[size], reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  await context.addInitScript((chosen) => localStorage.setItem('tocsin-theme', chosen), theme);
  const page = await context.newPage();
  await page.goto(demo.addresses.phones);
  await raise('Lift.P305.TRIP');
  await page
    .getByRole('button', { name: /^Pick up/ })
    .first()
    .click({ timeout: 60_000 });
  await page.locator('.dp-keys').first().waitFor();
  expect(await violationsOn(page)).toEqual([]);
  const isTooWide = await page.evaluate(() => document.body.scrollWidth > innerWidth);
  expect(isTooWide).toBe(false);
  await page
    .getByRole('button', { name: /^Hang up/ })
    .first()
    .click();
});

test('s raises a storm', async () => {
  const before = await occurrences();
  demo.press('s');
  await expect.poll(() => demo.output()).toContain('Storm: the supply dips');
  await expect.poll(async () => (await occurrences()) - before, { timeout: 30_000 }).toBeGreaterThan(25);
});

test('c makes a sensor chatter', async () => {
  demo.press('c');
  await expect.poll(() => demo.output()).toContain('Chatter: flow meter FT118');
  const resets = async () => {
    const { items } = await read<{ items: { id: number; path: string }[] }>('alarms?limit=1000');
    const id = items.find(({ path }) => path === 'Int.FT118.QUAL')?.id;
    if (id === undefined) return 0;
    const timeline = await read<{ items: { kind: string }[] }>(`alarms/${id}/timeline?limit=200`);
    return timeline.items.filter(({ kind }) => kind === 'reset').length;
  };
  await expect.poll(resets, { timeout: 40_000 }).toBeGreaterThan(5);
});

test('n lets nobody answer: the call goes to the next person', async () => {
  demo.press('n');
  await expect.poll(() => demo.output()).toContain('Nobody answers');
  expect((await raise('Lift.P306.TRIP')).status).toBe(200);
  const called = async () => {
    const alarm = (await read<{ items: { id: number; path: string }[] }>('alarms?limit=1000')).items.find(
      ({ path }) => path === 'Lift.P306.TRIP',
    );
    const timeline = await read<object>(`alarms/${alarm?.id}/timeline?limit=200`);
    return ['Anna Keller', 'Ben Moreau'].filter((name) => JSON.stringify(timeline).includes(name));
  };
  await expect.poll(called, { timeout: 90_000, interval: 1_000 }).toEqual(['Anna Keller', 'Ben Moreau']);
  demo.press('n');
  await expect.poll(() => demo.output()).toContain('People answer again');
});

test('f lets the plant live faster, and the clock of the server stays right', async () => {
  const before = await occurrences();
  demo.press('f');
  await expect.poll(() => demo.output()).toContain('Faster: an hour of the plant takes a minute');
  await expect.poll(async () => (await occurrences()) - before, { timeout: 30_000 }).toBeGreaterThan(10);
  const { time } = await read<{ time: string }>('meta');
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(5_000);
  demo.press('f');
  await expect.poll(() => demo.output()).toContain('at its usual speed');
});

test('l makes a new link', async () => {
  demo.press('l');
  const link = () => /Console: (\S+)/.exec(demo.output())?.[1] ?? '';
  await expect.poll(link).toContain('/sign-in/');
  const answer = await fetch(link(), { redirect: 'manual' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('set-cookie')).toContain('HttpOnly');
});

test('a second demo does not use the same folder', async () => {
  expect(await runTocsin(['demo', '--dir', folder])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A demo runs in \S+ already \(process \d+\)/),
  });
});

test('a real server takes over the plant of the demo', async () => {
  const target = join(tmpdir(), 'tocsin-promoted');
  const promote = ['demo', '--dir', folder, '--promote', target];
  const { code, stdout } = await runTocsin(promote);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('as it is in the demo now') });
  expect(await runTocsin(promote)).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
  const settings = await readFile(join(target, 'tocsin.env'), 'utf8');
  expect(settings).toContain(`SECRETS_KEY_FILE=${target}/secrets-key`);
  expect(await readFile(join(target, 'secrets-key'), 'utf8')).not.toBe(
    await readFile(join(folder, 'secrets-key'), 'utf8'),
  );

  const plant = await openPlant('');
  onTestFinished(() => plant.close());
  const admin = ['--user', firstAdmin.username, '--password-file', await secretFile(firstAdmin.password)];
  const apply = ['apply', '-f', join(target, 'plant.yaml'), '--url', plant.baseUrl, ...admin];
  expect(await runTocsin(apply)).toMatchObject({ code: 0, stderr: '' });
});

test('q ends the demo with its server and its database', async () => {
  demo.press('q');
  expect(await demo.exited).toBe(0);
  expect(demo.output()).toContain(`The data stays in ${folder}`);
  await expect(fetch(`${demo.addresses.server}/readyz`)).rejects.toThrow('fetch failed');
  await expect(readFile(join(folder, 'postgres/data/postmaster.pid'))).rejects.toThrow('ENOENT');
});

test('the next start keeps the data, needs no terminal, and ends on a signal', async () => {
  demo = await startDemo({ folder, hasTerminal: false });
  expect(demo.output()).toContain('Ctrl+C or SIGTERM ends the demo');
  expect(demo.output()).not.toContain('\u001B');
  expect(await occurrences()).toBeGreaterThan(40);
  await expect.poll(async () => (await alarmAt('Lift.P302.TRIP')) !== undefined).toBe(true);
  demo.signal('SIGTERM');
  expect(await demo.exited).toBe(0);
  await expect(fetch(`${demo.addresses.server}/readyz`)).rejects.toThrow('fetch failed');
});
