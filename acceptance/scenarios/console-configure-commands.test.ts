import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSettings, panelOf, people, type SettingsDesk } from '../harness/console/settings.ts';
import { raise } from '../harness/plant.ts';

let settings: SettingsDesk;
let folder: string;

const withPage: SettingsDesk['at'] = (...story) => settings.at(...story);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tocsin-commands-'));
  await chmod(folder, 0o1777);
  const user = process.getuid?.() === 0 ? { user: 'nobody' } : {};
  const common = { tenantId: 1, params: [], timeoutMs: 60_000, cwd: folder, maxParallel: 1, ...user };
  const list = join(folder, 'commands.json');
  const entries = [
    { id: 1, argv: ['/bin/echo', 'beacon on'], ...common },
    { id: 2, argv: ['/bin/false'], ...common },
  ];
  await writeFile(list, JSON.stringify(entries));
  settings = await openSettings({ ROLES: 'api,hub,dispatch', COMMANDS_FILE: list });
  for (const scriptId of [1, 2, 3])
    await raise(settings.plant.client, {
      path: `Hall.${scriptId}`,
      priority: 3,
      alarmMessage: `Intruder in hall ${scriptId}`,
      alarmActions: [{ type: 'ExecuteCommand', scriptId }],
    });
});
afterAll(async () => {
  await settings?.close();
  await rm(folder, { recursive: true, force: true });
});

test('an engineer sees which programs alarms have run, what they wrote and which have failed', () =>
  withPage(
    'commands',
    async (desk) => {
      const { page } = desk;
      const table = page.locator('.cftable');
      await table.getByText('done', { exact: true }).waitFor();
      await table.getByText('failed', { exact: true }).waitFor();
      await desk.axe();
      await page.getByRole('button', { name: 'Command 1' }).click();
      await panelOf(desk).getByText('beacon on').waitFor();
      await panelOf(desk).getByText('0', { exact: true }).waitFor();
      await desk.axe();
      await page.getByRole('button', { name: 'Command 2' }).click();
      await panelOf(desk).getByText('1', { exact: true }).waitFor();
    },
    { user: people.hugo },
  ));

test('a run leads to the alarm that asked for it', () =>
  withPage('commands', async ({ page }) => {
    const row = page.getByRole('row').filter({ hasText: 'Command 1' });
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Intruder in hall 1' }).waitFor();
  }));

test('an operator has no such page', () =>
  withPage(
    'commands',
    async ({ page }) => {
      await page.getByText('Your role does not have the permission commands:read').waitFor();
      expect(await page.getByRole('link', { name: 'Commands' }).count()).toBe(0);
    },
    { user: people.marc },
  ));
