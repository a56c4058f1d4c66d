import { cpuSeconds, postgresCpuSeconds, postmasterOf } from '../cpu-time.ts';
import type { Figure } from '../figure.ts';
import { runPgbench } from '../sql/pgbench.ts';
import { bareScript, type CellRun, maxBareClients, raiseStorm } from './cell-run.ts';

/** The highest rate through HTTP, compared with pgbench. */
export async function compareRates(run: CellRun): Promise<{ figures: Figure[]; highest: number }> {
  const { rounds, roundSeconds, clients, tenants, rate } = run.size;
  const ours: number[] = [];
  const bare: number[] = [];
  const used = { alarms: 0, servers: 0, postgres: 0 };
  for (let round = 1; round <= rounds; round++) {
    const before = await processorTimes(run);
    const storm = await raiseStorm(run, { seconds: roundSeconds });
    const after = await processorTimes(run);
    used.alarms += storm.answered.length;
    used.servers += after.servers - before.servers;
    used.postgres += after.postgres - before.postgres;
    const load = { clients: Math.min(clients, maxBareClients), seconds: roundSeconds };
    const { perSecond } = await runPgbench(run.cell.databaseUrl, bareScript(run.size), load);
    ours.push(storm.perSecond);
    bare.push(perSecond);
    run.context.progress(
      `round ${round}: HTTP ${Math.round(storm.perSecond)}/s (p99 ${storm.p99.toFixed(0)} ms), bare ${Math.round(perSecond)}/s`,
    );
  }
  const [best, bestBare] = [Math.max(...ours), Math.max(...bare)];
  const ratio: Figure = {
    name: 'HTTP ÷ pgbench, one alarm a transaction',
    value: best / bestBare,
    unit: '×',
    goal: { atLeast: 1 },
    note: `${Math.round(best)}/s against ${Math.round(bestBare)}/s; Zipf over ${tenants} tenants`,
  };
  const costOf = (name: string, seconds: number): Figure => {
    return {
      name: `CPU of ${name}`,
      value: (seconds * 1_000) / Math.max(1, used.alarms),
      unit: 'ms an alarm',
    };
  };
  const figures = [ratio, costOf('two servers', used.servers), costOf('PostgreSQL', used.postgres)];
  return { figures, highest: Math.min(rate, Math.floor(best)) };
}

/** Seconds of CPU that the servers and PostgreSQL have taken so far. */
async function processorTimes({ cell, nodes }: CellRun): Promise<{ servers: number; postgres: number }> {
  const servers = await Promise.all(nodes.map(({ pid }) => cpuSeconds(pid)));
  const postgres = await postgresCpuSeconds(await postmasterOf(cell.databaseUrl));
  return { servers: servers.reduce((sum, one) => sum + one, 0), postgres };
}
