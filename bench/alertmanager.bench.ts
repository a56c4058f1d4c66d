import { missingAlertmanager, startAlertmanager } from './harness/alertmanager.ts';
import type { Benchmark } from './harness/benchmark.ts';
import type { Outcome } from './harness/load.ts';
import { startPlant } from './harness/plant.ts';

type Pair = { ours: Outcome; theirs: Outcome };

/** Alarms committed and flushed by us against alerts that Prometheus Alertmanager keeps in memory, sent the same way. */
export const benchmark: Benchmark = {
  name: 'alertmanager',
  title: 'durable alarms a second, against the alerts a second that Alertmanager takes into memory',
  missing: missingAlertmanager,
  run: async (context) => {
    const { seconds, knownTags, clients, rounds } = context.smoke
      ? { seconds: 1, knownTags: 200, clients: [8], rounds: 1 }
      : { seconds: 8, knownTags: 5_000, clients: [64, 256], rounds: 3 };
    const plant = await startPlant(context, { knownTags, body: 'event' });
    const alertmanager = await startAlertmanager(context);
    context.progress('the same to Alertmanager');
    await alertmanager.load({ clients: 64, seconds: 0, knownTags, sweep: true });
    for (const taker of [plant, alertmanager])
      await taker.load({ clients: 64, seconds: context.smoke ? 1 : 4, knownTags });
    const pairs = new Map<number, Pair[]>(clients.map((count) => [count, []]));
    for (let round = 1; round <= rounds; round++) {
      context.progress(`round ${round} of ${rounds}`);
      for (const [count, measured] of pairs) {
        const theirs = await alertmanager.load({ clients: count, seconds, knownTags });
        const ours = await plant.load({ clients: count, seconds, knownTags });
        measured.push({ ours, theirs });
        context.progress(`${count} clients: ours ${rateOf(ours)}, Alertmanager ${rateOf(theirs)}`);
      }
    }
    return [...pairs].map(([count, measured]) => {
      const ours = Math.max(...measured.map((pair) => pair.ours.perSecond));
      const theirs = Math.max(...measured.map((pair) => pair.theirs.perSecond));
      return {
        name: `durable alarms, ${count} clients ÷ Alertmanager's alerts in memory`,
        value: ours / theirs,
        unit: '×',
        goal: { atLeast: 0.7 },
        note: `best of ${rounds}: ${Math.round(ours)}/s against ${Math.round(theirs)}/s`,
      };
    });
  },
};

const rateOf = ({ perSecond, p99 }: Outcome) => `${Math.round(perSecond)}/s (p99 ${p99.toFixed(1)} ms)`;
