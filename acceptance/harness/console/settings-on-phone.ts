import { expect, onTestFinished } from 'vitest';
import { firstAdmin } from '../server.ts';
import type { Desk } from './browser.ts';
import { overflowOf, type SettingsDesk, type SettingsOptions, speak } from './settings.ts';

/** Fails if the page, its list or the open form scrolls sideways. */
async function expectNarrow(desk: Desk, parts: readonly string[]): Promise<void> {
  await desk.page
    .locator(parts.at(-1) ?? 'main')
    .first()
    .waitFor();
  for (const part of ['main', ...parts]) expect(await overflowOf(desk, part), part).toBe(0);
}

const list = ['.pane'];
const form = ['.cfpanel', '.cfpanel .scroll'];

/** Reads the list and the form of its first object, or the form alone if the address names an object. */
async function readPage(desk: Desk, isForm: boolean): Promise<void> {
  if (!isForm) {
    await expectNarrow(desk, list);
    await desk.axe();
    const first = desk.page.locator('.cftable :is(.nm2 a, button.lnk)').first();
    if ((await first.count()) === 0) return;
    await first.click();
  }
  await expectNarrow(desk, form);
  await desk.axe();
}

/** Reads a page of the settings on a phone, in English and in German, and fails if it scrolls sideways or has a barrier. */
export async function readOnPhone(
  settings: SettingsDesk,
  path: string,
  user: NonNullable<SettingsOptions['user']> = firstAdmin,
): Promise<void> {
  const { plant } = settings;
  const isForm = path.includes('id=');
  onTestFinished(() => speak(plant, user, 'en'));
  await settings.at(
    path,
    async (desk) => {
      const { page } = desk;
      await readPage(desk, isForm);
      await desk.screenshot(`settings-${path.replaceAll(/\W/g, '')}`);
      await speak(plant, user, 'de');
      await page.goto(`${plant.baseUrl}/settings/${path}`);
      await page.waitForFunction(() => document.documentElement.lang === 'de');
      await readPage(desk, isForm);
    },
    { size: 'phone', user },
  );
}
