import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase } from '../harness/database.ts';
import type { HttpClient } from '../harness/http/http-client.ts';
import type { AttackReport, AttackSettings } from '../harness/hub/attack.ts';
import { coreTransports, listenCore } from '../harness/hub/listener.ts';
import { logIn } from '../harness/installation.ts';
import { timesAreJudged } from '../harness/judged-times.ts';
import { startServer } from '../harness/server.ts';

const worker = fileURLToPath(new URL('../harness/hub/attack-worker.ts', import.meta.url));
const frames = Number(process.env['ATTACK_FRAMES'] ?? 20_000);
const seed = Number(process.env['ATTACK_SEED'] ?? 1);
const everyMs = 25;
const quietMs = 5_000;
const maxP99Ms = 50;
/** Tolerance for garbage collection; a leak of one connection in ten would exceed it. */
const maxGrowthMegabytes = 60;
/** Low priority: a real attacker has another machine and takes no CPU time from the server. */
const attackerPriority = 15;

async function openPlant() {
  const database = await createDatabase(inject('durableClusterUrl'));
  const server = await startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } });
  onTestFinished(async () => {
    await server.stop();
    await database.drop();
  });
  const admin = await logIn(server);
  onTestFinished(() => admin.close());
  const made = await admin.post('/api/v1/apikeys', { name: 'Intruder', role: 'viewer' });
  return { server, admin, key: made.json<{ key: string }>().key };
}

/** Connection tokens of the administrator, as a proxy log might reveal them. */
async function stolenTokens(base: string, token = ''): Promise<AttackSettings['stolen']> {
  const headers = { authorization: `Bearer ${token}` };
  const core = await fetch(`${base}/alarmHub/negotiate?negotiateVersion=1`, { method: 'POST', headers });
  const data = encodeURIComponent('[{"name":"alarmhub"}]');
  const classic = await fetch(`${base}/signalr/negotiate?connectionData=${data}`, { headers });
  return {
    core: ((await core.json()) as { connectionToken: string }).connectionToken,
    classic: ((await classic.json()) as { ConnectionToken: string }).ConnectionToken,
  };
}

async function strike(settings: AttackSettings): Promise<AttackReport> {
  const child = fork(worker, { execArgv: ['--conditions=source'], stdio: 'inherit' });
  onTestFinished(() => void child.kill());
  if (child.pid !== undefined) setPriority(child.pid, attackerPriority);
  child.send(settings);
  const [report] = (await once(child, 'message')) as [AttackReport];
  return report;
}

/** Raises alarms at a steady rate during `work`; returns its result and the delays of the alarms. */
async function raiseDuring<Result>(
  { admin, heard, raised }: { admin: HttpClient; heard: readonly string[]; raised: string[] },
  event: Promise<Result>,
): Promise<{ result: Result; p99: number }> {
  const delays: number[] = [];
  const over = new AbortController();
  const watched = event.finally(() => over.abort());
  while (!over.signal.aborted) {
    const path = `neighbour/${raised.length}`;
    raised.push(path);
    const startMs = performance.now();
    expect((await admin.post('/api/v1/alarms', { path })).status).toBe(200);
    while (heard.at(-1) !== path) await sleep(1);
    delays.push(performance.now() - startMs);
    await sleep(everyMs);
  }
  const p99 = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0;
  return { result: await watched, p99 };
}

async function residentMegabytes(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

test('whatever a client sends, the server lives, keeps nothing of it, and its neighbour hears every alarm in time', {
  timeout: 600_000,
}, async () => {
  const { server, admin, key } = await openPlant();
  const base = server.baseUrl;
  const neighbour = await listenCore(base, admin.token ?? '', coreTransports.webSockets);
  onTestFinished(() => neighbour.stop());
  const settings = { base, token: key, stolen: await stolenTokens(base, admin.token) };
  const plant = { admin, heard: neighbour.paths(), raised: [] as string[] };
  // Measured after a warm-up, so that only further growth counts.
  for (const warmUp of [1, 2]) await raiseDuring(plant, strike({ ...settings, frames, seed: seed + warmUp }));
  const { p99: quietP99 } = await raiseDuring(plant, sleep(quietMs));
  const memoryBefore = await residentMegabytes(server.pid);

  const startMs = performance.now();
  const { result: report, p99 } = await raiseDuring(plant, strike({ ...settings, frames, seed }));
  const seconds = (performance.now() - startMs) / 1_000;
  const memoryAfter = await residentMegabytes(server.pid);
  console.log(
    `seed ${seed}: ${report.frames} frames and ${report.requests} requests in ${seconds.toFixed(1)} s, ` +
      `p99 of the neighbour ${p99.toFixed(1)} ms (${quietP99.toFixed(1)} ms without the attack), memory ${Math.round(memoryBefore)} MB before and ` +
      `${Math.round(memoryAfter)} MB after; answers ${JSON.stringify(report.statuses)}`,
  );

  expect(report.frames + report.requests).toBeGreaterThanOrEqual(frames);
  expect(report.faults.slice(0, 10)).toEqual([]);
  expect((await fetch(`${base}/readyz`)).status, 'alive').toBe(200);
  expect(server.output()).not.toMatch(/unhandled|uncaught|hub (request|message|heartbeat|upgrade) failed/i);
  expect(neighbour.paths(), 'each once and in order').toEqual(plant.raised);
  expect(memoryAfter - memoryBefore).toBeLessThan(maxGrowthMegabytes);
  if (timesAreJudged) expect(p99).toBeLessThan(maxP99Ms);
});
