import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examine, type Finding } from '@tocsin/server/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { databaseFaults } from '../harness/check/database-faults.ts';
import { type HealthySite, openHealthySite } from '../harness/check/healthy-site.ts';
import { localFaults } from '../harness/check/local-faults.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { startServer } from '../harness/server.ts';

let site: HealthySite;
beforeAll(async () => {
  site = await openHealthySite();
});
afterAll(() => site.close());

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));
const check = ['--conditions=source', main, 'check'];
const isFault = ({ severity }: Finding) => severity !== 'ok';

type Ended = { code: number | string | null | undefined; stdout: string; stderr: string; seconds: number };

/** Runs a program with the settings of the installation and returns how it ended. */
function run(program: string, args: readonly string[], changes: Record<string, string> = {}): Promise<Ended> {
  const folder = tmpdir();
  const machine = {
    PATH: process.env['PATH'] ?? '',
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
  };
  const env = { ...machine, ...site.environment, ...changes };
  const started = performance.now();
  return new Promise((resolve) => {
    execFile(program, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr, seconds: (performance.now() - started) / 1_000 });
    });
  });
}

const runCheck = (args: readonly string[] = [], changes?: Record<string, string>) =>
  run(process.execPath, [...check, ...args], changes);

describe('a healthy installation', () => {
  test('has no finding, and the command ends with 0 even if warnings count', async () => {
    const { code, stdout, stderr } = await runCheck(['--json', '--strict']);
    const report = JSON.parse(stdout) as { findings: Finding[] };
    expect(report.findings.filter(isFault)).toEqual([]);
    expect(report).toMatchObject({ healthy: true, errors: 0, warnings: 0 });
    expect(new Set(report.findings.map(({ name }) => name.split('.')[0]))).toEqual(
      new Set([
        'settings',
        'files',
        'disk',
        'system',
        'programs',
        'network',
        'tls',
        'nats',
        'database',
        'schema',
        'secrets',
        'clock',
        'channels',
        'people',
      ]),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('is not changed: no transaction writes', async () => {
    const before = await site.nextTransaction();
    expect((await examine({ environment: site.environment, now: () => new Date() })).filter(isFault)).toEqual(
      [],
    );
    expect(await site.nextTransaction()).toBe(before);
  });

  test('may run meanwhile: its own ports are in order', async () => {
    const plainHttp = { TLS_CERT_FILE: '', TLS_KEY_FILE: '' };
    const environment: Record<string, string> = {
      ...site.environment,
      ...plainHttp,
      ALLOW_SUPERUSER_LOGIN: '',
    };
    const databaseUrl = environment['DATABASE_URL'] ?? '';
    const server = await startServer({ databaseUrl, environment: { ...environment, DRAIN_MS: '0' } });
    onTestFinished(() => void server.stop());
    const { code, stdout } = await runCheck([], plainHttp);
    expect(stdout).toContain(`ok       network.port  Tocsin answers on port ${environment['PORT']}`);
    expect(stdout).toContain(
      `ok       network.admin-port  Tocsin answers on port ${environment['ADMIN_PORT']}`,
    );
    expect(stdout).toMatch(/\n0 errors, 0 warnings, \d+ in order\n$/);
    expect(code).toBe(0);
    await server.stop();
  });
});

describe('one fault is found by its name, with what to do, and nothing else is reported', () => {
  const faults = [...localFaults, ...databaseFaults];

  test('there are enough of them', () => {
    expect(faults.length).toBeGreaterThanOrEqual(50);
  });

  test.for(faults)('$fault', async ({ plant, names, severity = 'error', message, remedy }) => {
    const { environment, aheadMs = 0 } = await plant(site);
    const findings = await examine({
      environment: { ...site.environment, ...environment },
      now: () => new Date(Date.now() + aheadMs),
    });
    const found = findings.filter(isFault);
    expect(found.map(({ name }) => name).toSorted(), JSON.stringify(found)).toEqual(names.toSorted());
    const first = found.find(({ name }) => name === names[0]);
    expect(first).toMatchObject({ severity, message: expect.stringMatching(message) });
    expect(first?.remedy).toContain(remedy);
  });
});

describe('the command', () => {
  test('ends with 1 for errors, and prints one line for each', async () => {
    const { code, stdout } = await runCheck([], { PORT: '80a' });
    expect(stdout).toContain(
      'error    settings.PORT  PORT is "80a": it must be a whole number from 0 to 65535. To do: correct it in the environment',
    );
    expect(code).toBe(1);
  });

  test('ends with 0 for warnings, and with 3 if they count', async () => {
    const changes = { PUBLIC_URL: '' };
    expect((await runCheck([], changes)).code).toBe(0);
    expect((await runCheck(['--strict'], changes)).code).toBe(3);
  });

  test('ends with 2 if it is called in a wrong way', async () => {
    const { code, stderr } = await runCheck(['--verbose']);
    expect(stderr).toContain('Use check [--json] [--strict]');
    expect(code).toBe(2);
  });

  test('tells a limit of open files that is too low', async () => {
    const script = 'ulimit -n 500; exec "$0" "$@"';
    const { code, stdout } = await run('sh', ['-c', script, process.execPath, ...check]);
    expect(stdout).toMatch(
      /warning {2}system\.open-files {2}The server may open 500 files, .* To do: set LimitNOFILE=1100/,
    );
    expect(code).toBe(0);
  });

  test('ends within 15 seconds when database and NATS accept connections and never answer', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { code, stdout, seconds } = await runCheck([], {
      DATABASE_URL: `postgres://checked_server@${at}/checked`,
      NATS_URL: `nats://${at}`,
    });
    expect(seconds).toBeLessThan(allowedMs(15_000) / 1_000);
    expect(stdout).toContain('error    database.unreachable  ');
    expect(stdout).toContain('error    nats.unreachable  ');
    expect(stdout).toContain('ok       tls  ');
    expect(code).toBe(1);
  });

  test('tells the same reason for which the server does not start', async () => {
    const changes = { DATABASE_URL: site.url('checked', 'postgres') };
    const child = spawn(process.execPath, ['--conditions=source', main], {
      env: { PATH: process.env['PATH'] ?? '', ...site.environment, ...changes },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let refusal = '';
    child.stderr.on('data', (chunk) => (refusal += String(chunk)));
    await once(child, 'exit');
    const report = JSON.parse((await runCheck(['--json'], changes)).stdout) as { findings: Finding[] };
    const found = report.findings.find(({ name }) => name === 'database.login');
    expect(refusal.trim()).toBe(`${found?.message}: ${found?.remedy}`);
  });
});
