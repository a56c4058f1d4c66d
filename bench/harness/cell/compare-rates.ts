import type { Figure } from '../figure.ts';
import { runPgbench } from '../sql/pgbench.ts';
import { bareScript, type CellRun, maxBareClients, raiseStorm } from './cell-run.ts';
import { costFigures, processorTimes } from './processor-cost.ts';

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
  const figures = [ratio, ...costFigures(used, 'at the highest rate')];
  return { figures, highest: Math.min(rate, Math.floor(best)) };
}
