import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from './testing/eventually.ts';
import { collect, startClient } from './testing/official-client.ts';

type Example = { server: Server; push(alarm: object): Promise<void> };

/** The example as it stands in the README, loaded as a module. */
async function loadExample(): Promise<Example> {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const folder = mkdtempSync(fileURLToPath(new URL('./testing/example-', import.meta.url)));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = `${folder}/example.ts`;
  writeFileSync(file, `${code.replace("'@tocsin/signalr'", "'../../index.ts'")}\nexport { server, push };\n`);
  return (await import(pathToFileURL(file).href)) as Example;
}

test('the example of the README works', async () => {
  const { server, push } = await loadExample();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarmHub`;
  await expect(startClient(url, { token: 'guess' })).rejects.toThrow('401');
  const client = await startClient(url, { token: 'letmein' });
  const alarms = collect<{ id: number }>(client, 'onAlarm');
  expect(await client.invoke('add', 1, 2)).toBe(3);
  await push({ id: 1 });
  await eventually(() => alarms.length === 1);
  expect(alarms).toEqual([{ id: 1 }]);
});
