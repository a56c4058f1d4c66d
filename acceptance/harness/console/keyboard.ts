import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { firstAdmin } from '../server.ts';

/** Presses Tab until the focus is on an element that matches; every stop before it must show its focus. */
export async function tabTo(page: Page, selector: string, { back = false } = {}): Promise<void> {
  for (let stop = 0; stop < 80; stop++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`The focus does not reach ${selector}`);
}

/** Where the focus is seen: an outline around the element, its field or the row of the list; undefined if it is lost. */
export function focusSeen(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const active = document.activeElement;
    if (!active || active === document.body) return undefined;
    const row = active.matches('[role="grid"]') ? active.querySelector('.row.focus') : null;
    const ringed = [row, active, active.closest('.input, .chip, label')].find((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    return ringed ? `${ringed.tagName} ${ringed.getAttribute('class') ?? ''}`.trim() : undefined;
  });
}

export async function expectFocusSeen(page: Page, after: string): Promise<void> {
  await expect.poll(() => focusSeen(page), { message: `the focus is seen after ${after}` }).toBeDefined();
}

/** Signs in with the keyboard alone. */
export async function signInByKeyboard(page: Page, baseUrl: string, user = firstAdmin): Promise<void> {
  await page.goto(`${baseUrl}/`);
  await page.locator('input[name="username"]').waitFor();
  await tabTo(page, 'input[name="username"]');
  await page.keyboard.type(user.username);
  await tabTo(page, 'input[name="password"]');
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await page.locator('[role="grid"]').first().waitFor();
  await page.locator('.row[data-alarm]').first().waitFor();
}

/** Moves the focus of the list to the alarm with this message, by the search. */
export async function findByKeyboard(page: Page, words: string): Promise<void> {
  if (!(await page.evaluate(() => document.activeElement?.matches('[role="grid"]'))))
    await tabTo(page, '[role="grid"]');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.row[data-alarm]').count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator('.row.focus').count()).toBe(1);
}
