import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/postgres-cluster.ts';
import { type CallPlant, openCallPlant } from '../harness/call-plant.ts';
import { type Page, raise, read } from '../harness/plant.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const samples = join(docs, 'samples');
const run = promisify(execFile);

/** The calls of the interface, and what a sample for each prints. */
const calls = {
  'list-alarms': ['GET /api/v1/alarms', /too hot/],
  'raise-alarm': ['POST /api/v1/alarms', /^\d+\s*$/],
  'alarm-histories': ['GET /api/v1/alarms/histories', /too hot/],
  'alarm-statistics': ['GET /api/v1/alarms/statistics', /pump\/1/],
  'alarm-interventions': ['GET /api/v1/alarms/interventions', /00:00/],
  'call-users': ['POST /api/v1/call/users', /^true\s*$/i],
  'call-groups': ['POST /api/v1/call/groups', /^true\s*$/i],
  'call-histories': ['GET /api/v1/call/histories', /Queued/],
  'list-call-groups': ['GET /api/v1/callgroups', /Night/],
  'create-call-group': ['POST /api/v1/callgroups', /^\d+\s*$/],
  'list-groupings': ['GET /api/v1/callgroupgroupings', /Operation/],
  'create-grouping': ['POST /api/v1/callgroupgroupings', /^\d+\s*$/],
} as const;
type Call = keyof typeof calls;
const names = Object.keys(calls) as Call[];

const languages = { curl: 'sh', python: 'py', csharp: 'cs', java: 'java' } as const;
type Language = keyof typeof languages;
const fileOf = (language: Language, name: string) =>
  join(samples, language, `${name}.${languages[language]}`);

describe('the samples', () => {
  test('are for calls that the server has', () => {
    const { paths } = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const known = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(known).toEqual(expect.arrayContaining(names.map((name) => calls[name][0])));
  });

  test('are there for each call in each language, say which call they make, and are on the page', () => {
    const page = readFileSync(join(docs, 'samples.md'), 'utf8');
    for (const language of Object.keys(languages) as Language[]) {
      const files = globSync(`${language}/*`, { cwd: samples });
      expect(files).toHaveLength(names.length);
      for (const name of names) {
        const [call] = calls[name];
        const text = readFileSync(fileOf(language, name), 'utf8');
        expect(text.split('\n', 1)[0], `${language} ${name}`).toContain(`${call}: `);
        expect(text).toContain(call.split(' ')[1]);
        expect(page).toContain(`\`${call}\``);
        expect(page).toContain(`(samples/${language}/${name}.${languages[language]})`);
      }
    }
  });
});

let plant: CallPlant;
let environment: Record<string, string>;
beforeAll(async () => {
  plant = await openCallPlant('');
  await raise(plant.client, { path: 'pump/1', alarmMessage: 'too hot' });
  const { items } = await read<Page<{ id: number }>>(plant.client, 'alarms');
  await plant.client.post(`/api/v1/alarms/${items[0]?.id}/acknowledge`, {});
  await plant.client.post('/api/v1/callgroupgroupings', { name: 'Operation' });
  environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: tmpdir(),
    TOCSIN_URL: plant.baseUrl,
    TOCSIN_TOKEN: plant.client.token ?? '',
  };
});
afterAll(() => plant?.close());

/** Compiles a program for .NET with Mono, whose class library is that of .NET Framework 4. */
async function runCsharp(file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-csharp-'));
  try {
    const program = join(folder, 'sample.exe');
    await run('mcs', ['-langversion:5', '-r:System.Net.Http.dll', `-out:${program}`, file]);
    return (await run('mono', [program], { env: environment })).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const start = async (program: string, file: string) =>
  (await run(program, [file], { env: environment })).stdout;
const runners: Record<Language, (file: string) => Promise<string>> = {
  curl: (file) => start('sh', file),
  python: (file) => start('python3', file),
  java: (file) => start('java', file),
  csharp: runCsharp,
};

/** Java and C# need compilers, which only the nightly run installs. */
const chosen = (process.env['SAMPLES'] ?? 'curl,python').split(',') as Language[];

describe.for(chosen)('%s', (language) => {
  test.for(names)('%s is answered', async (name) => {
    const output = await runners[language](fileOf(language, name));
    expect(output).toMatch(calls[name][1]);
  });
});

describe('the bridge for Alertmanager', () => {
  const webhook = (status: string) => ({
    version: '4',
    alerts: [
      {
        status,
        labels: { alertname: 'ProbeFailure', severity: 'critical' },
        annotations: { summary: 'The probe fails' },
        fingerprint: '1a30ba71cca2921f',
      },
    ],
  });
  const post = (port: number, body: object) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(body) });

  async function startBridge(url: string): Promise<number> {
    const port = await freePort();
    const bridge: ChildProcess = spawn('python3', [join(samples, 'alertmanager-bridge.py')], {
      env: { ...environment, TOCSIN_URL: url, PORT: String(port) },
      stdio: 'ignore',
    });
    onTestFinished(() => void bridge.kill());
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    return port;
  }
  const alarms = () =>
    read<Page<{ path: string; priority: number; message: string; state: number }>>(
      plant.client,
      'alarms?search=ProbeFailure',
    );

  test('raises an alarm for an alert that fires, and resets it when it is resolved', async () => {
    const port = await startBridge(plant.baseUrl);
    expect((await post(port, webhook('firing'))).status).toBe(200);
    const path = 'Alertmanager.ProbeFailure.1a30ba71cca2921f';
    expect((await alarms()).items).toMatchObject([
      { path, priority: 1, message: 'The probe fails', state: 3 },
    ]);
    expect((await post(port, webhook('resolved'))).status).toBe(200);
    expect((await alarms()).items).toMatchObject([{ path, state: 2 }]);
  });

  test('asks for the alert again if the server does not answer', async () => {
    const port = await startBridge('http://127.0.0.1:1');
    expect((await post(port, webhook('firing'))).status).toBe(503);
  });
});
