import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../tools/postgres-cluster.ts';
import type { BenchContext } from './benchmark.ts';
import { type Load, type Outcome, runLoad } from './load.ts';

export type Alertmanager = {
  /** It has answered with 200, and counted, what is in the outcome. */
  load(
    load: Pick<Load, 'clients' | 'seconds' | 'knownTags'> & Partial<Pick<Load, 'sweep'>>,
  ): Promise<Outcome>;
};

const binary = '/usr/bin/prometheus-alertmanager';

export function missingAlertmanager(): string | undefined {
  return existsSync(binary) ? undefined : 'apt-get install --no-install-recommends prometheus-alertmanager';
}

// Without notifications, so that only the intake is measured.
const configuration = `
route:
  receiver: nobody
  group_by: [alertname, area]
receivers:
  - name: nobody
`;

/** Prometheus Alertmanager alone on the loopback, with its state in memory as it always is. */
export async function startAlertmanager(context: BenchContext): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-alertmanager-'));
  context.onCleanup(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'alertmanager.yml');
  await writeFile(file, configuration);
  const port = await freePort();
  const child = spawn(
    binary,
    [
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'exit');
  context.onCleanup(async () => {
    child.kill();
    await ended;
  });
  await untilReady(port);

  let firstNewTag = 1_000_000;
  return {
    load: async (wanted) => {
      firstNewTag += 1_000_000;
      const before = await receivedBy(port);
      const outcome = await runLoad({
        ports: [port],
        path: '/api/v2/alerts',
        tokens: [''],
        body: 'alert',
        knownShare: 0.7,
        firstNewTag,
        callGroupId: 1,
        seed: firstNewTag,
        ...wanted,
      });
      const received = (await receivedBy(port)) - before;
      if (received !== outcome.answered)
        throw new Error(`Alertmanager counted ${received} of ${outcome.answered} alerts`);
      return outcome;
    },
  };
}

async function untilReady(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error('Alertmanager is not ready after 10 s');
}

/** How many firing alerts it says it was sent. */
async function receivedBy(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(
    /^alertmanager_alerts_received_total\{status="firing",version="v2"\} (\S+)$/m.exec(text)?.[1] ?? 0,
  );
}
