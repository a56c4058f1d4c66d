/** Sends a storm and reports its outcome. Runs in its own process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LeanClient } from '../lean-client.ts';
import { quantile, sorted } from '../quantile.ts';
import { type Storm, type StormOutcome, windowSeconds } from './storm.ts';
import { type StormRequest, stormRequests } from './storm-requests.ts';

process.once('message', (storm: Storm) => {
  void run(storm).then((outcome) => process.send?.(outcome));
});

/** A request that is not answered by then is given up, so that a run ends. */
const patienceMs = 60_000;
const retryMs = 100;

/** `server` is the one of a sender that does not look at the tenant. */
type Sender = { clients: Map<number, LeanClient>; gone: Set<number>; server: number };
type Measured = { dueMs: number; milliseconds: number };

async function run(storm: Storm): Promise<StormOutcome> {
  const next = stormRequests(storm);
  const senders = Array.from(
    { length: storm.clients },
    (_, index): Sender => ({ clients: new Map(), gone: new Set(), server: index % storm.ports.length }),
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
  for (const { clients } of senders) for (const client of clients.values()) client.close();
  return { ...counts, startedAt, ...timesOf(measured, seconds) };
}

/** Sends the request until it is answered with 200, at the next server when a connection fails. */
async function sendUntilAnswered(
  storm: Storm,
  sender: Sender,
  request: StormRequest,
  counts: { unknown: number[]; refused: number },
): Promise<boolean> {
  const giveUp = performance.now() + patienceMs;
  while (performance.now() < giveUp) {
    const server = serverOf(storm, sender, request);
    const known = sender.clients.get(server);
    try {
      const client = known ?? (await LeanClient.open(storm.ports[server] ?? 0));
      sender.clients.set(server, client);
      const { status } = await client.send(request.bytes);
      if (status === 200) return true;
      counts.refused += 1;
    } catch {
      sender.clients.get(server)?.close();
      if (sender.clients.delete(server)) counts.unknown.push(request.number);
      sender.gone.add(server);
      if (sender.gone.size === storm.ports.length) sender.gone.clear();
    }
    await sleep(retryMs);
  }
  return false;
}

function serverOf({ ports, route }: Storm, { server, gone }: Sender, { tenant }: StormRequest): number {
  const wanted = { first: 0, 'by-tenant': tenant % ports.length, any: server }[route];
  const order = ports.map((_, step) => (wanted + step) % ports.length);
  return order.find((one) => !gone.has(one)) ?? wanted;
}

function timesOf(
  measured: readonly Measured[],
  seconds: number,
): Pick<StormOutcome, 'perSecond' | 'p50' | 'p99' | 'p99BySecond' | 'p99ByWindow' | 'longestBySecond'> {
  const bySecond: (number[] | undefined)[] = [];
  for (const { dueMs, milliseconds } of measured) {
    const second = Math.floor(dueMs / 1_000);
    (bySecond[second] ??= []).push(milliseconds);
  }
  const bySecondOf = (share: number) => Array.from(bySecond, (some) => quantile(sorted(some ?? []), share));
  const byWindow = Array.from(bySecond, (_, last) =>
    bySecond.slice(Math.max(0, last - windowSeconds + 1), last + 1),
  );
  const all = sorted(measured.map(({ milliseconds }) => milliseconds));
  return {
    perSecond: measured.length / seconds,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    p99BySecond: bySecondOf(0.99),
    p99ByWindow: byWindow.map((window) => quantile(sorted(window.flatMap((some) => some ?? [])), 0.99)),
    longestBySecond: bySecondOf(1),
  };
}
