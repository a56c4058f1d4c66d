/** Sends the load it is told to, and says what came of it. Runs in a process of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, seeded } from './bodies.ts';
import { LeanClient, postBytes } from './lean-client.ts';
import type { Load, Outcome } from './load.ts';
import { quantile, sorted } from './quantile.ts';

process.once('message', (load: Load) => {
  void run(load).then((outcome) => process.send?.(outcome));
});

async function run(load: Load): Promise<Outcome> {
  const random = seeded(load.seed);
  let newTag = load.firstNewTag;
  const nextBody = () =>
    bodyOf[load.body](
      random() < load.knownShare ? Math.floor(random() * load.knownTags) : newTag++,
      load.callGroupId,
    );
  const clients = await Promise.all(
    Array.from({ length: load.clients }, (_, index) => LeanClient.open(portOf(load, index))),
  );
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
    answeredPerToken: latencies.map((own) => own.length),
    p99PerToken: latencies.map((own) => quantile(sorted(own), 0.99)),
  };
}

/** One token's clients start at another server than the next token's, so that an odd number of them evens out. */
function portOf({ ports, tokens }: Load, index: number): number {
  const token = index % tokens.length;
  const turn = Math.floor(index / tokens.length);
  return ports[(token + turn) % ports.length] ?? 0;
}
