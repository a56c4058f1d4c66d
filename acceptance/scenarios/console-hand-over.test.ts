import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Desk, launch, sitDown } from '../harness/console/browser.ts';
import { create, openPlant, type Page, type Plant, read } from '../harness/plant.ts';

let plant: Plant;
let browser: Browser;

const claire = { username: 'claire', password: 'a long enough password' };

type Note = { id: number; text: string; outgoing?: { user: string } };
const notes = async () => (await read<Page<Note>>(plant.client, 'shifts/notes')).items;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

// A plant for each test, because a signed note cannot be deleted.
beforeEach(async () => {
  plant = await openPlant('');
  await create(plant.client, 'users', { ...claire, name: 'Claire Aubry', role: 'operator' });
});
afterEach(() => plant?.close());

/** Claire writes a hand-over. */
async function write(story: (desk: Desk) => Promise<void>): Promise<void> {
  const desk = await sitDown(browser, plant);
  try {
    await desk.signIn(claire, '/shift');
    await story(desk);
  } finally {
    await desk.close();
  }
}

const panelOf = ({ page }: Desk) => {
  const panel = page.getByRole('complementary', { name: 'Hand-over' });
  return {
    panel,
    said: panel.getByLabel('Said at the hand-over'),
    save: panel.getByRole('button', { name: 'Save without signing' }),
    sign: panel.getByRole('button', { name: 'Claire Aubry hands over' }),
  };
};

test('what is written while the note that was just saved is read again is kept', () =>
  write(async (desk) => {
    const { page } = desk;
    const { panel, said, save } = panelOf(desk);
    const listed = Promise.withResolvers<void>();
    await page.route('**/api/v1/shifts/notes?**', async (route) => {
      await listed.promise;
      await route.continue();
    });
    await said.fill('Quiet');
    await save.click();
    await panel.getByText('written by Claire Aubry').waitFor();
    await said.pressSequentially(' until two.');
    const isRead = page.waitForResponse((answer) => /\/shifts\/notes\/\d+$/.test(answer.url()));
    listed.resolve();
    await (await isRead).finished();
    await save.click();
    await expect.poll(async () => (await notes())[0]?.text).toBe('Quiet until two.');
    expect(await said.inputValue()).toBe('Quiet until two.');
    expect(desk.faults).toEqual([]);
  }));

test.for(['a new note', 'a note that was saved before'])(
  'a signature of %s that fails is told, and the same note is signed when somebody tries again',
  (which) =>
    write(async (desk) => {
      const { page } = desk;
      const { panel, said, save, sign } = panelOf(desk);
      if (which !== 'a new note') {
        await said.fill('Short');
        await save.click();
        await panel.getByText('written by Claire Aubry').waitFor();
        await page.reload();
        await panel.getByText('written by Claire Aubry').waitFor();
      }
      await page.route('**/signatures', (route) => route.abort());
      await said.fill('Short night.');
      const isRead = page.waitForResponse((answer) => /\/shifts\/notes\/\d+$/.test(answer.url()));
      await sign.click();
      await (await isRead).finished();
      await panel.getByText('written by Claire Aubry').waitFor();
      await panel.getByRole('alert').waitFor();
      await page.unroute('**/signatures');
      await sign.click();
      await expect.poll(notes).toMatchObject([{ text: 'Short night.', outgoing: { user: 'Claire Aubry' } }]);
    }),
);
