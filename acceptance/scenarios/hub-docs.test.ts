import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { JSDOM, VirtualConsole } from 'jsdom';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { createDatabase } from '../harness/database.ts';
import { logIn } from '../harness/installation.ts';
import { firstAdmin, startServer } from '../harness/server.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(new URL('../../docs/hub.md', import.meta.url), 'utf8');
const require = createRequire(import.meta.url);

function sample(info: string): string {
  const [, code] = new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/hub.md has no ${info}`);
  return code;
}

/** A server that can be stopped and started again at one address, and its administrator. */
async function openPlant() {
  const database = await createDatabase(inject('durableClusterUrl'));
  const port = String(await freePort());
  const start = () => startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0', PORT: port } });
  let server = await start();
  const admin = await logIn(server);
  onTestFinished(async () => {
    admin.close();
    await server.stop();
    await database.drop();
  });
  const refreshToken = await refreshTokenOf(server.baseUrl);
  const here = (code: string) =>
    code.replaceAll('http://localhost:8080', server.baseUrl).replaceAll('REFRESH_TOKEN', refreshToken);
  const restart = async () => {
    await server.kill();
    server = await start();
  };
  const raise = async (path: string) => {
    expect((await admin.post('/api/v1/alarms', { path, alarmMessage: 'too hot' })).status).toBe(200);
  };
  return { server, here, restart, raise };
}

/** An API key, with which a program requests its tokens. */
async function refreshTokenOf(baseUrl: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', ...firstAdmin });
  const answer = await fetch(`${baseUrl}/api/v1/auth/login`, { method: 'POST', body });
  const { refresh_token: token } = (await answer.json()) as { refresh_token: string };
  return token;
}

test('the sample for Core clients hears every alarm once, also those raised while it was away', async () => {
  const { here, restart, raise } = await openPlant();
  const child = spawn(process.execPath, ['--input-type=module', '-e', here(sample('js core'))], {
    cwd: project,
  });
  onTestFinished(() => void child.kill());
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const lines = (word: string) => output.split('\n').filter((line) => line.startsWith(word));
  // The sample does not report its connection, so alarms are raised until it receives one.
  for (let number = 1; lines('change').length === 0 && number < 100; number++) {
    await raise(`first/${number}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const begun = lines('change').length;
  await raise('pump/1');
  await expect.poll(() => lines('alarm pump/1')).toHaveLength(1);
  await restart();
  for (const path of ['pump/2', 'pump/3']) await raise(path);
  await expect.poll(() => lines('alarm pump/3'), { timeout: 20_000 }).toHaveLength(1);
  await raise('pump/4');
  await expect.poll(() => lines('alarm pump/4')).toHaveLength(1);
  // An alarm raised between the connection and `resume` is announced before those that `resume` brings.
  expect(lines('alarm pump').toSorted()).toEqual(
    [1, 2, 3, 4].map((number) => `alarm pump/${number} too hot`),
  );
  // onAlarmChanged follows onAlarm.
  await expect.poll(() => lines('change').length).toBeGreaterThanOrEqual(begun + 4);
  const seqs = lines('change').map((line) => Number(line.split(' ')[1]));
  expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
});

test('the sample for classic clients hears of alarms in a page with jQuery', async () => {
  const { server, here, raise } = await openPlant();
  const said: string[] = [];
  const console = new VirtualConsole();
  console.on('log', (...words: unknown[]) => said.push(words.join(' ')));
  const dom = new JSDOM('<!doctype html>', {
    url: server.baseUrl,
    runScripts: 'outside-only',
    virtualConsole: console,
  });
  onTestFinished(() => dom.window.close());
  dom.window.eval(readFileSync(require.resolve('jquery/dist/jquery.js'), 'utf8'));
  dom.window.eval(readFileSync(require.resolve('signalr/jquery.signalR.js'), 'utf8'));
  const html = here(sample('html classic'));
  const [, proxy = ''] = /src="(http[^"]+)"/.exec(html) ?? [];
  dom.window.eval(await (await fetch(proxy)).text());
  const [, script = ''] = /<script>\n([\s\S]*?)<\/script>/.exec(html) ?? [];
  dom.window.eval(script);
  await expect.poll(() => said, { timeout: 10_000 }).toContain('connected');
  await raise('pump/1');
  await raise('pump/2');
  await expect
    .poll(() => said.filter((line) => line.startsWith('alarm')))
    .toEqual(['alarm pump/1 too hot', 'alarm pump/2 too hot']);
  // As when its token expires: it reconnects by itself with a new one.
  dom.window.eval('$.connection.hub.stop()');
  await expect.poll(() => said.filter((line) => line === 'connected'), { timeout: 10_000 }).toHaveLength(2);
  await raise('pump/3');
  await expect.poll(() => said).toContain('alarm pump/3 too hot');
});
