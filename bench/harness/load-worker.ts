/** Sends a load and reports its outcome. Runs in its own process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LeanClient } from './lean-client.ts';
import type { Load, Outcome } from './load.ts';
import { quantile, sorted } from './quantile.ts';
import { prepareRequests } from './requests.ts';

process.once('message', (load: Load) => {
  void run(load).then((outcome) => process.send?.(outcome));
});

async function run(load: Load): Promise<Outcome> {
  const nextRequest = prepareRequests(load);
  const clients = await Promise.all(
    Array.from({ length: load.clients }, (_, index) => LeanClient.open(portOf(load, index))),
  );
  const latencies: number[][] = load.tokens.map(() => []);
  let refused = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = load.sweep ? Number.POSITIVE_INFINITY : start + load.seconds * 1_000;

  /** Whether there was anything to send. */
  const sendNext = async (client: LeanClient, index: number, late = 0) => {
    const which = index % load.tokens.length;
    const request = nextRequest(load.tokens[which] ?? '');
    if (!request) return false;
    const { status, milliseconds } = await client.send(request);
    if (status === 200) latencies[which]?.push(milliseconds + late);
    else refused += 1;
    return true;
  };
  const closedLoop = async (client: LeanClient, index: number) => {
    while (performance.now() < end && (await sendNext(client, index)));
  };
  // Each client has its own instants to send at; one that is late sends at once, and its wait counts.
  const paced = async (client: LeanClient, index: number, rate: number) => {
    const step = (load.clients / rate) * 1_000;
    for (let at = start + (index / load.clients) * step; at < end; at += step) {
      const early = at - performance.now();
      if (early > 1) await sleep(early);
      await sendNext(client, index, Math.max(0, performance.now() - at));
    }
  };
  await Promise.all(
    clients.map((client, index) =>
      load.rate === undefined ? closedLoop(client, index) : paced(client, index, load.rate),
    ),
  );
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  for (const client of clients) client.close();
  return outcomeOf({ latencies, refused, seconds, cpuMs: (user + system) / 1_000 });
}

function outcomeOf({
  latencies,
  refused,
  seconds,
  cpuMs,
}: {
  latencies: readonly number[][];
  refused: number;
  seconds: number;
  cpuMs: number;
}): Outcome {
  const all = sorted(latencies.flat());
  return {
    answered: all.length,
    refused,
    seconds,
    perSecond: all.length / seconds,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    clientCpuMs: cpuMs / Math.max(1, all.length),
    answeredPerToken: latencies.map((own) => own.length),
    p99PerToken: latencies.map((own) => quantile(sorted(own), 0.99)),
  };
}

/** One token's clients start at another server than the next token's, so that an odd number of them evens out. */
function portOf({ ports, tokens }: Load, index: number): number {
  const token = index % tokens.length;
  const round = Math.floor(index / tokens.length);
  return ports[(token + round) % ports.length] ?? 0;
}
