/** Sends a storm and reports its outcome. Runs in its own process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LeanClient } from '../lean-client.ts';
import { quantile, sorted } from '../quantile.ts';
import type { Storm, StormOutcome } from './storm.ts';
import { type StormRequest, stormRequests } from './storm-requests.ts';

process.once('message', (storm: Storm) => {
  void run(storm).then((outcome) => process.send?.(outcome));
});

/** A request that is not answered by then is given up, so that a run ends. */
const patienceMs = 60_000;
const retryMs = 100;

type Sender = { client: LeanClient | undefined; server: number };
type Measured = { dueMs: number; milliseconds: number };

async function run(storm: Storm): Promise<StormOutcome> {
  const next = stormRequests(storm);
  const senders = await Promise.all(
    Array.from({ length: storm.clients }, async (_, index): Promise<Sender> => {
      const server = storm.firstOnly ? 0 : index % storm.ports.length;
      return { server, client: await LeanClient.open(storm.ports[server] ?? 0) };
    }),
  );
  const counts = { answered: [] as number[], unknown: [] as number[], refused: 0, calls: 0 };
  const measured: Measured[] = [];
  const startedAt = Date.now();
  const start = performance.now();
  const end = start + storm.seconds * 1_000;

  const sendOne = async (sender: Sender, due: number) => {
    const request = next();
    if (!(await sendUntilAnswered(storm, sender, request, counts))) return;
    counts.answered.push(request.number);
    if (request.isCall) counts.calls += 1;
    measured.push({ dueMs: due - start, milliseconds: performance.now() - due });
  };
  const closedLoop = async (sender: Sender) => {
    while (performance.now() < end) await sendOne(sender, performance.now());
  };
  // Each client has its own instants to send at; one that is late sends at once, and its wait counts.
  const paced = async (sender: Sender, index: number, rate: number) => {
    const step = (storm.clients / rate) * 1_000;
    for (let due = start + (index / storm.clients) * step; due < end; due += step) {
      const early = due - performance.now();
      if (early > 1) await sleep(early);
      await sendOne(sender, Math.min(due, performance.now()));
    }
  };
  await Promise.all(
    senders.map((sender, index) =>
      storm.rate === undefined ? closedLoop(sender) : paced(sender, index, storm.rate),
    ),
  );
  const seconds = (performance.now() - start) / 1_000;
  for (const { client } of senders) client?.close();
  return { ...counts, startedAt, ...timesOf(measured, seconds) };
}

/** Sends the request until it is answered with 200, at the next server when a connection fails. */
async function sendUntilAnswered(
  { ports }: Storm,
  sender: Sender,
  { bytes, number }: StormRequest,
  counts: { unknown: number[]; refused: number },
): Promise<boolean> {
  const giveUp = performance.now() + patienceMs;
  while (performance.now() < giveUp) {
    try {
      sender.client ??= await LeanClient.open(ports[sender.server] ?? 0);
      const { status } = await sender.client.send(bytes);
      if (status === 200) return true;
      counts.refused += 1;
    } catch {
      if (sender.client) counts.unknown.push(number);
      sender.client?.close();
      sender.client = undefined;
      sender.server = (sender.server + 1) % ports.length;
    }
    await sleep(retryMs);
  }
  return false;
}

function timesOf(
  measured: readonly Measured[],
  seconds: number,
): Pick<StormOutcome, 'perSecond' | 'p50' | 'p99' | 'p99BySecond'> {
  const bySecond: (number[] | undefined)[] = [];
  for (const { dueMs, milliseconds } of measured) {
    const second = Math.floor(dueMs / 1_000);
    (bySecond[second] ??= []).push(milliseconds);
  }
  const all = sorted(measured.map(({ milliseconds }) => milliseconds));
  return {
    perSecond: measured.length / seconds,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    p99BySecond: Array.from(bySecond, (some) => quantile(sorted(some ?? []), 0.99)),
  };
}
