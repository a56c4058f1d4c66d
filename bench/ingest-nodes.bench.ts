import type { BenchContext, Benchmark } from './harness/benchmark.ts';
import type { Figure } from './harness/figure.ts';
import { type Installation, readKept, startInstallation } from './harness/installation.ts';
import type { Outcome } from './harness/load.ts';
import { quantile, sorted } from './harness/quantile.ts';
import { oneAlarmScript } from './harness/sql/alarm-scripts.ts';
import { runPgbench } from './harness/sql/pgbench.ts';

type Size = {
  tenants: number;
  clientsPerTenant: number;
  knownTags: number;
  seconds: number;
  bareSeconds: number;
  floodSeconds: number;
};
type Round = { ours: Outcome; bare: number };

const servers = 2;
const knownPercent = 70;

/** Many tenants on two server processes: total rate, fairness, and completeness. */
export const benchmark: Benchmark = {
  name: 'ingest-nodes',
  title: 'durable alarms a second of many tenants through two server processes',
  run: async (context) => {
    const size: Size = context.smoke
      ? { tenants: 4, clientsPerTenant: 5, knownTags: 5, seconds: 2, bareSeconds: 1, floodSeconds: 0.5 }
      : { tenants: 20, clientsPerTenant: 5, knownTags: 500, seconds: 15, bareSeconds: 10, floodSeconds: 15 };
    const installation = await startInstallation(context, { ...size, servers });
    if (!context.smoke) await raiseKnownTags(context, installation, size);
    const rounds: Round[] = [];
    const roundCount = context.smoke ? 1 : 3;
    for (let round = 1; round <= roundCount; round++) {
      context.progress(`round ${round} of ${roundCount}`);
      rounds.push(await measureRound(context, installation, size));
    }
    const flood = await measureFlood(context, installation, size);
    return [...throughput(rounds), ...(await losses(installation)), flood];
  },
};

const allTenants = ({ tenants }: Size) => Array.from({ length: tenants }, (_, index) => index + 1);

async function raiseKnownTags(context: BenchContext, installation: Installation, size: Size): Promise<void> {
  context.progress(`raising ${size.knownTags} tags of each tenant`);
  const clients = size.tenants * size.clientsPerTenant;
  const hasAll = ({ tags }: { tags: number }) => tags >= size.knownTags;
  while (!(await readKept(installation.databaseUrl)).every(hasAll)) {
    await installation.load(allTenants(size), { clients, seconds: 3 });
  }
}

async function measureRound(context: BenchContext, installation: Installation, size: Size): Promise<Round> {
  const clients = size.tenants * size.clientsPerTenant;
  const script = oneAlarmScript({ knownTags: size.knownTags, knownPercent, tenants: size.tenants });
  const ours = await installation.load(allTenants(size), { clients, seconds: size.seconds });
  const { perSecond: bare } = await runPgbench(installation.databaseUrl, script, {
    clients,
    seconds: size.bareSeconds,
  });
  context.progress(
    `${clients} clients: HTTP ${Math.round(ours.perSecond)}/s (p99 ${ours.p99.toFixed(1)} ms, ` +
      `worst tenant ÷ median ${unevenness(ours).toFixed(2)}), bare ${Math.round(bare)}/s`,
  );
  return { ours, bare };
}

/** The p99 of the worst tenant divided by that of the median tenant. */
function unevenness({ p99PerToken }: Outcome): number {
  const ordered = sorted(p99PerToken);
  return quantile(ordered, 1) / quantile(ordered, 0.5);
}

/** Delay of tenants with little load beside a tenant that sends as much as it can. */
async function measureFlood(context: BenchContext, installation: Installation, size: Size): Promise<Figure> {
  const [flooding, ...quiet] = allTenants(size);
  const calm = { clients: quiet.length, seconds: size.floodSeconds, rate: quiet.length * 5 };
  context.progress(`${quiet.length} tenants send 5/s each`);
  const without = await installation.load(quiet, calm);
  context.progress('the same, while one tenant sends all it can');
  const [during, flood] = await Promise.all([
    installation.load(quiet, calm),
    installation.load([flooding ?? 1], { clients: 64, seconds: size.floodSeconds }),
  ]);
  return {
    name: "quiet tenants' p99 with one in flood ÷ without",
    value: during.p99 / without.p99,
    unit: '×',
    note: `${during.p99.toFixed(1)} ms against ${without.p99.toFixed(1)} ms; the flood: ${Math.round(flood.perSecond)}/s`,
  };
}

function throughput(rounds: readonly Round[]): Figure[] {
  const ours = Math.max(...rounds.map((round) => round.ours.perSecond));
  const bare = Math.max(...rounds.map((round) => round.bare));
  const uneven = rounds.map((round) => unevenness(round.ours));
  return [
    {
      name: "worst tenant's p99 ÷ the median tenant's",
      value: Math.min(...uneven),
      unit: '×',
      goal: { atMost: 3 },
      note: `rounds: ${uneven.map((value) => value.toFixed(2)).join(', ')}`,
    },
    {
      name: 'alarms a second in all',
      value: ours,
      unit: '/s',
      note: `bare, one a transaction: ${Math.round(bare)}/s`,
    },
    { name: 'HTTP ÷ pgbench, one alarm a transaction', value: ours / bare, unit: '×' },
  ];
}

async function losses({ databaseUrl, answered }: Installation): Promise<Figure[]> {
  const kept = await readKept(databaseUrl);
  const differences = kept.map(({ tenant, raised }) => Math.abs(raised - (answered.get(tenant) ?? 0)));
  const all = kept.reduce((sum, { raised }) => sum + raised, 0);
  return [
    {
      name: 'alarms answered and not kept, or kept and not answered',
      value: differences.reduce((sum, one) => sum + one, 0),
      unit: '',
      goal: { atMost: 0 },
      note: `of ${all}, in ${kept.length} tenants`,
    },
    {
      name: "numbers missing in the tenants' journals",
      value: kept.reduce((sum, { gaps }) => sum + gaps, 0),
      unit: '',
      goal: { atMost: 0 },
    },
  ];
}
