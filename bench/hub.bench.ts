import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import type { Figure } from './harness/figure.ts';
import { type BroadcastKind, type BroadcastOutcome, broadcast } from './harness/hub/broadcast.ts';

/** Measures both hubs and the reference alternately, so that other load of the machine affects all of them. */
const kinds: readonly BroadcastKind[] = ['bare core', 'core', 'bare classic', 'classic'];

type Outcomes = Record<BroadcastKind, BroadcastOutcome[]>;

async function run(context: BenchContext): Promise<Figure[]> {
  const sizes = context.smoke ? [100] : [1_000, 5_000, 10_000];
  const rounds = context.smoke ? 1 : 3;
  const seconds = context.smoke ? 0.5 : 3;
  const figures: Figure[] = [];
  for (const clients of sizes) {
    const outcomes: Outcomes = { core: [], classic: [], 'bare core': [], 'bare classic': [] };
    for (let round = 0; round < rounds; round++) {
      for (const what of kinds) outcomes[what].push(await broadcast(context, { what, clients, seconds }));
    }
    figures.push(...figuresOf(clients, outcomes));
  }
  const [largest = 0] = sizes.slice(-1);
  return figures.toSorted((one, other) => rank(one, largest) - rank(other, largest));
}

function figuresOf(clients: number, outcomes: Outcomes): Figure[] {
  const size = clients.toLocaleString('en');
  return (['core', 'classic'] as const).flatMap((family) => {
    const [ours, bare] = [best(outcomes[family]), best(outcomes[`bare ${family}`])];
    const stallMs = Math.min(...outcomes[family].map((outcome) => outcome.stallMs));
    return [
      {
        name: `${family} to bare ws, ${size} clients`,
        value: ours.perSecond / bare.perSecond,
        unit: '×',
        goal: { atLeast: family === 'core' ? 1 : 0.95 },
        note: `${Math.round(ours.perSecond)} to ${Math.round(bare.perSecond)} messages/s`,
      },
      {
        name: `${family} CPU to bare ws, ${size} clients`,
        value: ours.cpuMicroseconds / bare.cpuMicroseconds,
        unit: '×',
        note: `${ours.cpuMicroseconds.toFixed(2)} to ${bare.cpuMicroseconds.toFixed(2)} µs a message`,
      },
      {
        name: `${family} event loop held up, p99, ${size} clients`,
        value: stallMs,
        unit: 'ms',
        ...(clients === 10_000 && { goal: { atMost: 30 } }),
      },
    ];
  });
}

function best(outcomes: readonly BroadcastOutcome[]): BroadcastOutcome {
  const [first] = outcomes.toSorted((one, other) => other.perSecond - one.perSecond);
  if (!first) throw new Error('nothing was measured');
  return first;
}

/** Largest number of clients first, because that figure matters most. */
function rank({ name, goal }: Figure, largest: number): number {
  return (name.includes(largest.toLocaleString('en')) ? 0 : 2) + (goal ? 0 : 1);
}

export const benchmark: Benchmark = {
  name: 'hub',
  title: 'Alarms of 700 bytes to all clients of a hub, against a bare ws broadcast of the same bytes',
  run,
};
