import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { createDatabase } from '../harness/database.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { firstAdmin, secretFile } from '../harness/server.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** `npm start` in a group of its own, as a shell or systemd starts it, when the server is ready. */
async function startWithNpm(): Promise<{ npm: ChildProcess; baseUrl: string; output: () => string }> {
  const database = await createDatabase(inject('durableClusterUrl'));
  const port = await freePort();
  const npm = spawn('npm', ['start'], {
    cwd: project,
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: tmpdir(),
      TMPDIR: tmpdir(),
      npm_config_update_notifier: 'false',
      DATABASE_URL: database.url,
      ALLOW_SUPERUSER_LOGIN: 'true',
      PORT: String(port),
      HOST: '127.0.0.1',
      ADMIN_PORT: '0',
      ROLES: 'api,hub',
      DRAIN_MS: '1500',
      LOG_LEVEL: 'info',
      FIRST_ADMIN_USERNAME: firstAdmin.username,
      FIRST_ADMIN_PASSWORD_FILE: await secretFile(firstAdmin.password),
      SECRETS_KEY_FILE: await secretFile(Buffer.alloc(32, 5).toString('base64')),
    },
  });
  let output = '';
  npm.stdout.on('data', (chunk) => (output += String(chunk)));
  npm.stderr.on('data', (chunk) => (output += String(chunk)));
  onTestFinished(async () => {
    if (npm.exitCode === null && npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL');
    await database.drop();
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await expect.poll(() => status(baseUrl), { timeout: 60_000 }).toBe(200);
  return { npm, baseUrl, output: () => output };
}

/** The status of `/readyz`; 0 if nobody answers. */
const status = (baseUrl: string) =>
  fetch(`${baseUrl}/readyz`, { headers: { connection: 'close' } }).then(
    (answer) => answer.status,
    () => 0,
  );

const ways = [
  ['npm alone, as by a script', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['all processes at once, as by Ctrl+C or systemd', (pid: number) => process.kill(-pid, 'SIGINT')],
] as const;

test.for(ways)('npm start ends with its server when the signal is sent to %s', async ([, send]) => {
  const { npm, baseUrl, output } = await startWithNpm();
  const exited = once(npm, 'exit');
  const begin = performance.now();
  send(npm.pid ?? 0);
  // It drains: it still answers, and tells load balancers to go elsewhere.
  await expect.poll(() => status(baseUrl)).toBe(503);
  const [code] = (await exited) as [number | null];
  const seconds = (performance.now() - begin) / 1_000;
  console.info(`npm ended after ${seconds.toFixed(1)} s with ${code}`);
  expect(code, output()).toBe(0);
  expect(seconds, 'not before the drain time').toBeGreaterThan(1.4);
  expect(seconds).toBeLessThan(allowedMs(15_000) / 1_000);
  expect(await status(baseUrl), 'the server is gone with npm').toBe(0);
});
