import type { Figure } from '../figure.ts';
import type { CellRun } from './cell-run.ts';
import { countStatements, forgetStatements } from './idle-cost.ts';
import { processorTimes } from './processor-cost.ts';

/** The statements of two idle servers from their start on, when every job runs once, and after that, with their processor time. */
export async function measureIdle(run: CellRun): Promise<Figure[]> {
  const { databaseUrl, startNode } = run.cell;
  const { idleSeconds, tenants } = run.size;
  run.context.progress('starting two servers');
  await forgetStatements(databaseUrl);
  const started = performance.now();
  run.nodes = await Promise.all([startNode(), startNode()]);
  const startMs = performance.now() - started;
  const first = await countStatements(databaseUrl, idleSeconds);
  await forgetStatements(databaseUrl);
  const before = await processorTimes(run);
  const second = await countStatements(databaseUrl, idleSeconds);
  const after = await processorTimes(run);
  run.context.progress(`from the start: ${first.top}`);
  run.context.progress(`after that: ${second.top}`);
  const noteOf = ({ transactions }: typeof first) => `${tenants} tenants; ${transactions} transactions`;
  return [
    { name: 'two servers are ready after', value: startMs / 1_000, unit: 's' },
    {
      name: 'statements a minute from the start of two idle servers',
      value: first.statements,
      unit: '/min',
      note: noteOf(first),
    },
    {
      name: 'statements a minute of two idle servers after that',
      value: second.statements,
      unit: '/min',
      note: noteOf(second),
    },
    {
      name: 'CPU of two idle servers',
      value: (after.servers - before.servers) / idleSeconds,
      unit: 'cores',
    },
    {
      name: 'CPU of PostgreSQL meanwhile',
      value: (after.postgres - before.postgres) / idleSeconds,
      unit: 'cores',
    },
  ];
}
