import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase } from '../harness/database.ts';
import type { HttpClient } from '../harness/http/http-client.ts';
import { Follower } from '../harness/hub/follower.ts';
import { LeanSocket } from '../harness/hub/lean-socket.ts';
import { logIn } from '../harness/installation.ts';
import { timesAreJudged } from '../harness/judged-times.ts';
import { type Server, startServer } from '../harness/server.ts';

const listeners = 30;
const alarms = 300;
const everyMs = 20;
/** Rounds with and without the client reading, alternately; the best of each counts. */
const rounds = 2;
/** Size of each alarm, so that a client that does not read soon falls behind. */
const messageLength = 30_000;

async function openServer(): Promise<Server> {
  const database = await createDatabase(inject('durableClusterUrl'));
  const server = await startServer({ databaseUrl: database.url, environment: { DRAIN_MS: '0' } });
  onTestFinished(async () => {
    await server.stop();
    await database.drop();
  });
  return server;
}

/** Clients that record the arrival of each alarm by its value. */
function openListeners(port: number, token: string, note: (value: number, at: number) => void): LeanSocket[] {
  const mark = Buffer.from('"value":"');
  return Array.from({ length: listeners }, () => {
    const onMessage = (payload: Buffer) => {
      const at = performance.now();
      for (let found = payload.indexOf(mark); found >= 0; found = payload.indexOf(mark, found + 1)) {
        note(Number.parseInt(payload.toString('latin1', found + 9, found + 19), 10), at);
      }
    };
    const events = { onMessage, onEnd: () => undefined };
    const socket: LeanSocket = new LeanSocket(port, `/alarmHub?access_token=${token}`, events, () =>
      socket.send('{"protocol":"json","version":1}\u001e'),
    );
    onTestFinished(() => socket.close());
    return socket;
  });
}

/** Raises alarms at a steady pace; the 99th percentile of the time until the listeners had them, in ms. */
async function delaysOf(admin: HttpClient, sentAt: number[], delays: number[]): Promise<number> {
  delays.length = 0;
  const first = sentAt.length;
  for (let number = first; number < first + alarms; number++) {
    sentAt[number] = performance.now();
    const body = { path: `pump ${number}`, value: String(number), alarmMessage: 'x'.repeat(messageLength) };
    void admin.post('/api/v1/alarms', body);
    await sleep(everyMs);
  }
  await expect.poll(() => delays.length, { timeout: 20_000 }).toBe(alarms * listeners);
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0;
}

async function residentMegabytes(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

test('a client that stops reading is disconnected with a reason, delays nobody, and misses nothing after it resumes', {
  timeout: 180_000,
}, async () => {
  const server = await openServer();
  const admin = await logIn(server);
  onTestFinished(() => admin.close());
  const port = Number(new URL(server.baseUrl).port);
  const sentAt: number[] = [];
  const delays: number[] = [];
  openListeners(port, admin.token ?? '', (number, at) => delays.push(at - (sentAt[number] ?? 0)));
  const slow = new Follower({ ports: [port], token: admin.token ?? '', family: 'core' });
  onTestFinished(() => slow.stop());
  await slow.open();
  await expect.poll(() => slow.isLive).toBe(true);

  await delaysOf(admin, sentAt, delays);
  const memoryBefore = await residentMegabytes(server.pid);
  const reading: number[] = [];
  const notReading: number[] = [];
  for (let round = 0; round < rounds; round++) {
    reading.push(await delaysOf(admin, sentAt, delays));
    slow.pause();
    notReading.push(await delaysOf(admin, sentAt, delays));
    // The server limits the unread bytes, and disconnects the client after ten seconds.
    await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('hub client is too slow');
    slow.unpause();
    await expect.poll(() => slow.last - slow.begun, { timeout: 20_000 }).toBe(sentAt.length);
  }
  const memoryAfter = await residentMegabytes(server.pid);
  const [before, during] = [Math.min(...reading), Math.min(...notReading)];
  console.log(
    `p99 ${before.toFixed(1)} ms while all read, ${during.toFixed(1)} ms while one does not; ` +
      `memory ${Math.round(memoryBefore)} MB before, ${Math.round(memoryAfter)} MB after`,
  );
  expect(slow.faults).toEqual([]);
  // In later rounds it may resume before it is disconnected.
  expect(slow.reconnects).toBeGreaterThanOrEqual(1);
  // A few milliseconds are noise of the machine.
  if (timesAreJudged) expect(during).toBeLessThan(Math.max(before * 1.2, before + 15));
  // Tolerance for garbage collection; the slow client's buffer is below a megabyte.
  expect(memoryAfter - memoryBefore).toBeLessThan(200);
});

test('a client that resumes reading in time receives the reason of its disconnection', async () => {
  const server = await openServer();
  const admin = await logIn(server);
  onTestFinished(() => admin.close());
  const port = Number(new URL(server.baseUrl).port);
  const slow = new Follower({ ports: [port], token: admin.token ?? '', family: 'core' });
  onTestFinished(() => slow.stop());
  await slow.open();
  await expect.poll(() => slow.isLive).toBe(true);
  slow.pause();
  let raised = 0;
  while (!server.output().includes('hub client is too slow') && raised < 2_000) {
    await admin.post('/api/v1/alarms', {
      path: `pump ${raised}`,
      alarmMessage: 'x'.repeat(messageLength),
    });
    raised += 1;
  }
  slow.unpause();
  await expect.poll(() => slow.reasons, { timeout: 10_000 }).toHaveLength(1);
  expect(slow.reasons[0]).toContain('"error":"too_slow"');
  expect(slow.reasons[0]).toContain('"allowReconnect":true');
  await expect.poll(() => slow.last - slow.begun, { timeout: 10_000 }).toBe(raised);
  expect(slow.faults).toEqual([]);
});
