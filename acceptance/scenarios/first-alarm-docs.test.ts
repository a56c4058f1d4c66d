import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { openEmptyInstallation } from '../harness/console/empty-installation.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(join(project, 'docs/first-alarm.md'), 'utf8');

/** The commands that a reader types, in their order. */
const commands = [...page.matchAll(/^```sh run\n([\s\S]*?)^```/gm)].map(([, block = '']) => block).join('\n');

type Outcome = { code: number | null; output: string };

/** Runs the commands in a shell with all that it starts, and ends them together. */
async function runIn(script: string, code: string): Promise<Outcome> {
  const child = spawn('sh', ['-e'], {
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir(), CODE: code },
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(() => {
    try {
      // The whole group, with the phone company in the background.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    } catch {
      // It has ended already.
    }
  });
  const late = setTimeout(() => child.kill('SIGKILL'), 90_000);
  child.stdin.end(script);
  const status = await ended;
  clearTimeout(late);
  return { code: status, output };
}

test('the commands of the tutorial lead from an empty database to an answered call', async () => {
  expect(commands.match(/curl|post /g)?.length, 'requests in the tutorial').toBeGreaterThan(12);
  const installation = await openEmptyInstallation();
  onTestFinished(() => installation.close());
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-tutorial-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const port = String(await freePort());
  const script = commands
    .replaceAll('http://127.0.0.1:8080', installation.baseUrl)
    .replaceAll('4100', port)
    .replaceAll('phone-company.log', join(folder, 'phone-company.log'));
  const { code, output } = await runIn(script, installation.code);
  expect(output).toContain('{"works":true,"outcome":"accepted","reason":""}');
  expect(output).toContain('"ackUser":"admin"');
  expect(output).toContain('"kind":"acknowledged"');
  expect(code, output).toBe(0);
  const log = await readFile(join(folder, 'phone-company.log'), 'utf8');
  expect(log).toContain('"event":"pressed"');
});
