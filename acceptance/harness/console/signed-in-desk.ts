import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { Plant } from '../plant.ts';
import { type Desk, type Size, sitDown, type Theme } from './browser.ts';
import { byName, type Person } from './people.ts';
import type { App } from './second-factor.ts';

type Options = { readonly size?: Size; readonly theme?: Theme; readonly app?: App };

/** Signs somebody in, with their app if they have one, and opens a page. The plant is opened after this is called. */
export function signedInDesk(places: () => { plant: Plant; browser: Browser }) {
  return async (
    person: Person,
    path: string,
    story: (desk: Desk) => Promise<void>,
    { app, ...options }: Options = {},
  ): Promise<void> => {
    const { plant, browser } = places();
    const desk = await sitDown(browser, byName(plant), options);
    const { page } = desk;
    try {
      await page.goto(`${byName(plant).baseUrl}/`);
      await page.getByLabel('User name').fill(person.username);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Sign in and arm the sound' }).click();
      if (app) await page.getByLabel('Code from your authenticator app').fill(await app.next());
      await page.locator('[role="grid"], .allquiet').first().waitFor();
      await page.goto(`${byName(plant).baseUrl}${path}`);
      await story(desk);
      expect(desk.faults.filter((fault) => !fault.includes('status of 4'))).toEqual([]);
    } finally {
      await desk.close();
    }
  };
}
