/**
 * `npm run screenshots [-- --all FOLDER]`
 *
 * Writes the pictures of the README, from a real server with the simulated waterworks of the acceptance tests and the built
 * console. With `--all` it writes every page in both themes and three sizes to a folder instead, for looking at them.
 */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Browser,
  launch,
  type Page,
  type Size,
  sizes,
  type Theme,
  themes,
} from '../acceptance/harness/console/chromium.ts';
import { type NightShift, openNightShift } from '../acceptance/harness/console/night-shift.ts';
import { makeTemplate } from '../acceptance/harness/database.ts';
import { startCluster } from './postgres-cluster.ts';
import { openRunFolder } from './run-folder.ts';

const images = fileURLToPath(new URL('../docs/images', import.meta.url));
const mostBytes = 300_000;
/** The alarm that is selected in the list, and whose page is shown. */
const firstPath = 'Chlor.CL201.LL';

type Shown = { readonly name: string; readonly path: string; readonly mark: string };

const live: Shown = { name: 'live', path: '/', mark: '.row[data-alarm]' };
const otherPages = (alarmId: number): readonly Shown[] => [
  { name: 'alarm', path: `/alarms/${alarmId}`, mark: '.alarmpage h1' },
  { name: 'areas', path: '/areas', mark: '.atiles .wt' },
  { name: 'wall', path: '/wall', mark: '.wtiles .wt' },
  { name: 'flood', path: '/flood', mark: '.floodgrid .lane[data-area]' },
  { name: 'quiet', path: '/quiet', mark: '.qgrid .card' },
];

async function openDesk(browser: Browser, size: Size, theme: Theme): Promise<Page> {
  const context = await browser.newContext({
    viewport: sizes[size],
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  await context.addInitScript((chosen) => localStorage.setItem('tocsin-theme', chosen), theme);
  return context.newPage();
}

async function signIn(page: Page, { baseUrl, operator }: NightShift): Promise<void> {
  await page.goto(`${baseUrl}/`);
  await page.getByLabel('User name').fill(operator.username);
  await page.getByLabel('Password').fill(operator.password);
  await page.getByRole('button', { name: 'Sign in and arm the sound' }).click();
  await page.locator(live.mark).first().waitFor();
}

/** Opens a page, waits until its parts are there, and takes the pointer away. */
async function show(page: Page, { baseUrl, ids }: NightShift, { path, mark, name }: Shown): Promise<void> {
  await page.goto(`${baseUrl}${path}`);
  await page.locator(mark).first().waitFor();
  if (name === live.name) await page.locator(`[data-alarm="${ids.get(firstPath)}"]`).click();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(1_000);
}

async function writeReadmePictures(browser: Browser, shift: NightShift): Promise<void> {
  await mkdir(images, { recursive: true });
  for (const theme of themes) {
    const page = await openDesk(browser, 'desk', theme);
    await signIn(page, shift);
    await show(page, shift, live);
    const path = join(images, `live-${theme}.png`);
    await page.screenshot({ path });
    await page.context().close();
    const { size } = await stat(path);
    if (size > mostBytes) throw new Error(`${path} has ${size} bytes, more than ${mostBytes}`);
    console.log(`${path}: ${size} bytes`);
  }
}

async function writeAllPages(browser: Browser, shift: NightShift, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const pages = [live, ...otherPages(shift.ids.get(firstPath) ?? 0)];
  for (const theme of themes)
    for (const size of Object.keys(sizes) as Size[]) {
      const page = await openDesk(browser, size, theme);
      const write = (name: string) =>
        page.screenshot({ path: join(folder, `${name}-${sizes[size].width}-${theme}.png`) });
      await page.goto(`${shift.baseUrl}/`);
      await page.getByLabel('User name').waitFor();
      await write('sign-in');
      await signIn(page, shift);
      for (const shown of pages) {
        await show(page, shift, shown);
        await write(shown.name);
      }
      await page.context().close();
    }
  console.log(`${(pages.length + 1) * themes.length * Object.keys(sizes).length} pictures in ${folder}`);
}

const [flag, folder] = process.argv.slice(2);
const closeRun = openRunFolder();
const cluster = await startCluster();
const cleanups: (() => Promise<unknown>)[] = [closeRun, () => cluster.stop()];
try {
  await makeTemplate(cluster.url());
  const shift = await openNightShift(cluster.url());
  cleanups.push(shift.close);
  const browser = await launch();
  cleanups.push(() => browser.close());
  if (flag === '--all' && folder !== undefined) await writeAllPages(browser, shift, folder);
  else await writeReadmePictures(browser, shift);
} finally {
  for (const cleanUp of cleanups.toReversed()) await cleanUp();
}
