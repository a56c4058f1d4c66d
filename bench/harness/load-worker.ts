/** Sends the load it is told to, and says what came of it. Runs in a process of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { alarmBody, seeded } from './bodies.ts';
import { LeanClient, postBytes } from './lean-client.ts';
import type { Load, Outcome } from './load.ts';

process.once('message', (load: Load) => {
  void run(load).then((outcome) => process.send?.(outcome));
});

async function run(load: Load): Promise<Outcome> {
  const random = seeded(load.seed);
  let newTag = load.firstNewTag;
  const nextBody = () =>
    alarmBody(
      random() < load.knownShare ? Math.floor(random() * load.knownTags) : newTag++,
      load.callGroupId,
    );
  const clients = await Promise.all(Array.from({ length: load.clients }, () => LeanClient.open(load.port)));
  const latencies: number[][] = load.tokens.map(() => []);
  let refused = 0;
  const start = performance.now();
  const end = start + load.seconds * 1_000;

  const turn = async (client: LeanClient, index: number) => {
    const which = index % load.tokens.length;
    const reply = await client.send(postBytes(load.path, load.tokens[which] ?? '', nextBody()));
    if (reply.status === 200) latencies[which]?.push(reply.milliseconds);
    else refused += 1;
  };
  const closedLoop = async (client: LeanClient, index: number) => {
    while (performance.now() < end) await turn(client, index);
  };
  // Each client has its own instants to send at; one that is late sends at once, and its wait counts.
  const paced = async (client: LeanClient, index: number, rate: number) => {
    const step = (load.clients / rate) * 1_000;
    for (let at = start + (index / load.clients) * step; at < end; at += step) {
      const early = at - performance.now();
      if (early > 1) await sleep(early);
      const before = performance.now();
      await turn(client, index);
      const late = Math.max(0, before - at);
      const own = latencies[index % load.tokens.length];
      if (own && own.length > 0) own[own.length - 1] = (own.at(-1) ?? 0) + late;
    }
  };
  await Promise.all(
    clients.map((client, index) =>
      load.rate === undefined ? closedLoop(client, index) : paced(client, index, load.rate),
    ),
  );
  const seconds = (performance.now() - start) / 1_000;
  for (const client of clients) client.close();
  const all = sorted(latencies.flat());
  return {
    answered: all.length,
    refused,
    seconds,
    perSecond: all.length / seconds,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    p99PerToken: latencies.map((own) => quantile(sorted(own), 0.99)),
  };
}

const sorted = (values: number[]) => Float64Array.from(values).toSorted();
const quantile = (values: Float64Array, share: number) =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
