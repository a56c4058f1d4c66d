/** Raises, acknowledges and resets alarms at a steady rate and reports the outcome. Runs in its own process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { alarmBody, seeded } from './bodies.ts';
import { ClientPool } from './client-pool.ts';
import { postBytes } from './lean-client.ts';
import { quantile, sorted } from './quantile.ts';
import type { SoakLoad, SoakOutcome } from './soak.ts';

process.once('message', (load: SoakLoad) => {
  void run(load).then((outcome) => process.send?.(outcome));
});

const tickMs = 5;

async function run(load: SoakLoad): Promise<SoakOutcome> {
  const random = seeded(load.seed);
  const pool = await ClientPool.open(load.port, load.clients);
  const latencies: number[] = [];
  const outcome = { raised: 0, acknowledged: 0, reset: 0, refused: 0 };

  const post = async (path: string, body: object, counted: 'raised' | 'acknowledged' | 'reset') => {
    const since = performance.now();
    const reply = await pool.send(postBytes(path, load.token, body));
    latencies.push(performance.now() - since);
    outcome[reply.status === 200 ? counted : 'refused'] += 1;
    return reply;
  };
  const later = () => {
    const { least, most } = load.answerSeconds;
    return sleep((least + random() * (most - least)) * 1_000);
  };
  const live = async (tag: number) => {
    const body = alarmBody(tag, load.callGroupId);
    const { status, body: id } = await post('/api/v1/alarms', body, 'raised');
    if (status !== 200) return;
    const acknowledge = later().then(() => post(`/api/v1/alarms/${id}/acknowledge`, {}, 'acknowledged'));
    const reset = later().then(() => post('/api/v1/alarms', { ...body, raised: false }, 'reset'));
    await Promise.all([acknowledge, reset]);
  };

  const lives = new Set<Promise<void>>();
  const start = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < load.seconds; elapsed = (performance.now() - start) / 1_000) {
    for (const due = Math.floor(elapsed * load.rate); sent < due; sent++) {
      const one: Promise<void> = live(sent % load.tags).finally(() => lives.delete(one));
      lives.add(one);
    }
    await sleep(tickMs);
  }
  await Promise.all(lives);
  pool.close();
  return { ...outcome, p99: quantile(sorted(latencies), 0.99) };
}
