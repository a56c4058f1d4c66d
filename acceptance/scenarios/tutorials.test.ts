import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { openEmptyInstallation } from '../harness/console/empty-installation.ts';
import { commandsOf, settingsOf } from '../harness/help/built-page.ts';
import { typeCommands } from '../harness/help/type-commands.ts';
import { openPlant } from '../harness/plant.ts';
import { firstAdmin } from '../harness/server.ts';

const requestsIn = (commands: string) => commands.match(/curl -|post [a-z]/g)?.length;

test('the commands of the first tutorial lead from an empty database to an answered call', async () => {
  const commands = commandsOf('first-alarm');
  expect(requestsIn(commands), 'requests in the tutorial').toBeGreaterThan(10);
  const { EGRESS_ALLOW: egress = '', PUBLIC_URL: publicUrl = '' } = settingsOf('first-alarm');
  expect(publicUrl).toBe('http://127.0.0.1:8080');
  const phone = String(await freePort());
  const installation = await openEmptyInstallation({ EGRESS_ALLOW: egress.replace('4100', phone) });
  onTestFinished(() => installation.close());
  const here = commands.replaceAll(publicUrl, installation.baseUrl).replaceAll('4100', phone);
  const { code, output } = await typeCommands(here, installation.code);
  expect(output).toContain('"works":true');
  expect(output).toContain('RING +33612345678 ');
  expect(output).toContain('"ackUser":"admin"');
  expect(output).toContain('"kind":"acknowledged"');
  expect(code, output).toBe(0);
});

test('the commands of the second tutorial are those of an old client, and all are answered', async () => {
  const commands = commandsOf('existing-client');
  expect(requestsIn(commands), 'requests in the tutorial').toBeGreaterThan(6);
  const { BASE_PATH: basePath = '' } = settingsOf('existing-client');
  const plant = await openPlant(basePath);
  onTestFinished(() => plant.close());
  const here = commands.replaceAll(`http://127.0.0.1:8080${basePath}`, plant.baseUrl);
  const { code, output } = await typeCommands(here, firstAdmin.password);
  expect(code, output).toBe(0);
  expect(output).toContain('"message":"Pump P101 has stopped"');
  expect(output).toContain('"tagName":"Pump.P101"');
  expect(output).toContain('"ConnectionToken"');
});

test('a command that fails is noticed', async () => {
  const { code, output } = await typeCommands('read -r WORD\necho "$WORD"\nfalse\necho later\n', 'typed');
  expect([code, output]).toEqual([1, 'typed\n']);
});
